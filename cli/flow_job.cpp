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
  return {s.rank,  static_cast<int>(s.kind), s.name,         s.layer,   s.step, s.start_s, s.end_s, s.peer,
          s.bytes, s.flight_start_s,         s.flight_end_s, s.computes};
}
sim::Span span_of(const Json& j) {
  return {j.at(0),  static_cast<sim::SpanKind>(j.at(1).get<int>()),
          j.at(2),  j.at(3),
          j.at(4),  j.at(5),
          j.at(6),  j.at(7),
          j.at(8),  j.at(9),
          j.at(10), j.at(11)};
}

}  // namespace

std::string to_json(const FlowJob& job) {
  return Json{{"scenario_yaml", job.scenario_yaml},
              {"seed", job.seed},
              {"replica", job.replica},
              {"collect_timeline", job.collect_timeline},
              {"window", {job.window.ranks, job.window.steps, job.window.layers}}}
      .dump();
}

FlowJob flow_job_of(std::string_view text) {
  return parsed(text, [](const Json& json) {
    const Json& window = json.at("window");
    return FlowJob{json.at("scenario_yaml"),
                   json.at("seed"),
                   json.at("replica"),
                   json.at("collect_timeline"),
                   {window.at(0), window.at(1), window.at(2)}};
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
  Json spans = Json::array();
  for (const sim::Span& span : outcome.timeline.spans) spans.push_back(of_span(span));
  return Json{{"rings", std::move(rings)},
              {"messages", outcome.messages},
              {"timeline",
               {{"spans", std::move(spans)},
                {"ranks", outcome.timeline.ranks},
                {"ranks_shown", outcome.timeline.ranks_shown},
                {"truncated", outcome.timeline.truncated}}}}
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
    const Json& timeline = json.at("timeline");
    for (const Json& span : timeline.at("spans")) outcome.timeline.spans.push_back(span_of(span));
    timeline.at("ranks").get_to(outcome.timeline.ranks);
    timeline.at("ranks_shown").get_to(outcome.timeline.ranks_shown);
    timeline.at("truncated").get_to(outcome.timeline.truncated);
    return outcome;
  });
}

}  // namespace ringsim::cli
