#include "cli/flow_job.hpp"

#include "models/error.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace ringsim::cli {
namespace {

using Json = nlohmann::json;

template <class Read>
auto parsed(std::string_view text, const Read& read) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw Error(std::string("a message between ringsim and ringsim-flow cannot be read: ") + error.what(), {},
                "are ringsim and ringsim-flow of the same build?");
  }
}

// Both directions of a rank's figures, in one order.
Json of_rank(const sim::RankSummary& s) {
  return {s.rank,     s.compute_s,       s.attention_s,   s.merge_s,      s.exposed_communication_s,
          s.bubble_s, s.bubble_masked_s, s.bubble_late_s, s.bubble_end_s, s.in_flight_s,
          s.end_s,    s.dense_s,         s.collective_s,  s.stage};
}
sim::RankSummary rank_of(const Json& j) {
  return {j.at(0), j.at(1), j.at(2), j.at(3),  j.at(4),  j.at(5),  j.at(6),
          j.at(7), j.at(8), j.at(9), j.at(10), j.at(11), j.at(12), j.at(13)};
}

Json of_hops(const std::vector<sim::HopTotals>& hops) {
  Json all = Json::array();
  for (const sim::HopTotals& hop : hops) all.push_back({hop.bytes, hop.in_flight_s});
  return all;
}
std::vector<sim::HopTotals> hops_of(const Json& j) {
  std::vector<sim::HopTotals> all;
  for (const Json& hop : j) all.push_back({hop.at(0), hop.at(1)});
  return all;
}

Json of_span(const sim::Span& s) {
  return {s.rank,
          static_cast<int>(s.kind),
          s.name,
          s.layer,
          s.step,
          s.start_s,
          s.end_s,
          s.peer,
          s.bytes,
          s.flight_start_s,
          s.flight_end_s,
          s.computes,
          static_cast<int>(s.hops)};
}
sim::Span span_of(const Json& j) {
  return {j.at(0),
          static_cast<sim::SpanKind>(j.at(1).get<int>()),
          j.at(2),
          j.at(3),
          j.at(4),
          j.at(5),
          j.at(6),
          j.at(7),
          j.at(8),
          j.at(9),
          j.at(10),
          j.at(11),
          static_cast<sim::HopsTaken>(j.at(12).get<int>())};
}

template <class Of, class Element>
Json of_all(const std::vector<Element>& list, const Of& of) {
  Json json = Json::array();
  for (const Element& element : list) json.push_back(of(element));
  return json;
}
template <class Of>
auto all_of(const Json& json, const Of& of) {
  std::vector<decltype(of(json))> list;
  for (const Json& element : json) list.push_back(of(element));
  return list;
}

Json of_range(const sim::IndexRange& range) { return {range.first, range.count}; }
sim::IndexRange range_of(const Json& j) { return {j.at(0), j.at(1)}; }

Json of_window(const sim::TimelineWindow& w) {
  return {of_range(w.ranks),
          of_range(w.steps),
          of_range(w.layers),
          static_cast<int>(w.layer_order),
          of_range(w.micro_batches),
          of_range(w.stages),
          w.pass ? Json(static_cast<int>(*w.pass)) : Json(nullptr),
          w.phase,
          w.also,
          w.slowest};
}
sim::TimelineWindow window_of(const Json& j) {
  sim::TimelineWindow w{range_of(j.at(0)), range_of(j.at(1)), range_of(j.at(2))};
  w.layer_order = static_cast<sim::LayerOrder>(j.at(3).get<int>());
  w.micro_batches = range_of(j.at(4));
  w.stages = range_of(j.at(5));
  if (!j.at(6).is_null()) w.pass = static_cast<Pass>(j.at(6).get<int>());
  j.at(7).get_to(w.phase);
  j.at(8).get_to(w.also);
  j.at(9).get_to(w.slowest);
  return w;
}

Json of_timeline(const sim::Timeline& t) {
  return {{"spans", of_all(t.spans, of_span)},
          {"ranks", t.ranks},
          {"ranks_shown", t.ranks_shown},
          {"truncated", t.truncated},
          {"window", of_window(t.window)},
          {"of", {t.of.ranks, t.of.layers, t.of.steps, t.of.micro_batches, t.of.stages, t.of.phases}}};
}
sim::Timeline timeline_of(const Json& j) {
  sim::Timeline t;
  t.spans = all_of(j.at("spans"), span_of);
  j.at("ranks").get_to(t.ranks);
  j.at("ranks_shown").get_to(t.ranks_shown);
  j.at("truncated").get_to(t.truncated);
  t.window = window_of(j.at("window"));
  const Json& of = j.at("of");
  t.of = {of.at(0), of.at(1), of.at(2), of.at(3), of.at(4), of.at(5)};
  return t;
}

}  // namespace

std::string to_json(const FlowJob& job) {
  return Json{{"scenario_yaml", job.scenario_yaml},
              {"seed", job.seed},
              {"replica", job.replica},
              {"windows", of_all(job.windows, of_window)}}
      .dump();
}

FlowJob flow_job_of(std::string_view text) {
  return parsed(text, [](const Json& json) {
    return FlowJob{json.at("scenario_yaml"), json.at("seed"), json.at("replica"),
                   all_of(json.at("windows"), window_of)};
  });
}

std::string to_json(const sim::FlowOutcome& outcome) {
  Json rings = Json::array();
  for (const sim::FlowRingOutcome& ring : outcome.rings) {
    Json ranks = Json::array();
    for (const sim::RankSummary& rank : ring.per_rank) ranks.push_back(of_rank(rank));
    rings.push_back({{"start_s", ring.result.start_s},
                     {"end_s", ring.result.end_s},
                     {"makespan_s", ring.result.makespan_s},
                     {"ranks", std::move(ranks)},
                     {"hops", of_hops(ring.hops.first)},
                     {"second_hops", of_hops(ring.hops.second)}});
  }
  return Json{{"rings", std::move(rings)},
              {"messages", outcome.messages},
              {"timelines", of_all(outcome.timelines, of_timeline)}}
      .dump();
}

sim::FlowOutcome flow_outcome_of(std::string_view text) {
  return parsed(text, [](const Json& json) {
    sim::FlowOutcome outcome;
    for (const Json& r : json.at("rings")) {
      sim::FlowRingOutcome& ring = outcome.rings.emplace_back();
      r.at("start_s").get_to(ring.result.start_s);
      r.at("end_s").get_to(ring.result.end_s);
      r.at("makespan_s").get_to(ring.result.makespan_s);
      for (const Json& rank : r.at("ranks")) ring.per_rank.push_back(rank_of(rank));
      ring.hops = {hops_of(r.at("hops")), hops_of(r.at("second_hops"))};
    }
    json.at("messages").get_to(outcome.messages);
    outcome.timelines = all_of(json.at("timelines"), timeline_of);
    return outcome;
  });
}

}  // namespace ringsim::cli
