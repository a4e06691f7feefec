#include "reports/json_parts.hpp"
#include "reports/why_report.hpp"

#include <algorithm>

namespace ringsim::reports {
namespace {

constexpr std::size_t segment_limit = 1000;

Json place_json(std::int64_t layer, std::int64_t step) {
  if (layer < 0) return nullptr;
  return {{"layer", layer}, {"step", step}};
}

Json segments_json(const std::vector<sim::PathSegment>& segments) {
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(segments.size(), segment_limit); ++i) {
    const sim::PathSegment& s = segments[i];
    list.push_back({{"rank", s.rank},
                    {"stage", s.stage},
                    {"from_s", s.from_s},
                    {"until_s", s.until_s},
                    {"first", place_json(s.first_layer, s.first_step)},
                    {"last", place_json(s.last_layer, s.last_step)},
                    {"operations", s.operations},
                    {"attention_s", s.attention_s},
                    {"merge_s", s.merge_s},
                    {"dense_s", s.dense_s},
                    {"transfer_s", s.transfer_s},
                    {"other_s", s.other_s}});
  }
  return list;
}

Json path_json(const sim::Explanation& e) {
  if (!e.no_path.empty()) return {{"segments", nullptr}, {"reason", e.no_path}};
  Json ranks = Json::array();
  for (std::size_t i = 0; i < std::min<std::size_t>(e.ranks.size(), 64); ++i) {
    ranks.push_back({{"rank", e.ranks[i].rank}, {"stage", e.ranks[i].stage}, {"seconds", e.ranks[i].seconds}});
  }
  return {{"segment_count", e.path.size()},
          {"rank_changes", e.rank_changes},
          {"ranks", std::move(ranks)},
          {"segments", segments_json(e.path)}};
}

Json cycle_json(const sim::Explanation& e) {
  if (!e.cycle) return {{"layer_s", nullptr}, {"reason", e.no_cycle}};
  const sim::CriticalCycle& c = *e.cycle;
  return {{"layer_s", c.layer_s},
          {"layers", c.layers},
          {"period_layers", c.period},
          {"turns", c.turns},
          {"operations", c.operations},
          {"segment_count", c.segments.size()},
          {"note", c.note},
          {"segments", segments_json(c.segments)}};
}

}  // namespace

std::string render_why_json(const WhyReport& report) {
  const sim::Explanation& e = report.explanation;
  Json json = json_head(e.prediction);
  json["engine"] = e.prediction.engine;
  json["seed"] = e.prediction.seed;
  json["profile"] = json_profile(e.prediction);
  json["scope"] = e.prediction.scope;
  json["phase"] = e.prediction.phase;
  json["makespan_s"] = e.makespan_s;
  json["shares"] = Json::array();
  for (const sim::TimeShare& s : e.shares) {
    json["shares"].push_back(
        {{"part", std::string(sim::name_of(s.part))}, {"name", s.name}, {"seconds", s.seconds}, {"share", s.share}});
  }
  json["path"] = path_json(e);
  json["cycle"] = cycle_json(e);
  json["sensitivities"] = Json::array();
  for (const sim::Sensitivity& s : e.sensitivities) {
    const sim::Parameter& p = s.parameter;
    json["sensitivities"].push_back({{"parameter", p.name},
                                     {"key", p.key},
                                     {"value", p.value},
                                     {"unit", p.unit},
                                     {"is_rate", p.is_rate()},
                                     {"elasticity_slower", s.slower},
                                     {"elasticity_faster", s.faster},
                                     {"saved_by_10_percent", or_null(s.saved_by_tenth)},
                                     {"saved_by_factor_2", or_null(s.saved_by_double)}});
  }
  json["derivatives_note"] = e.derivatives_note;
  json["advice"] = e.advice;
  json["warnings"] = e.prediction.warnings;
  return json_text(json);
}

}  // namespace ringsim::reports
