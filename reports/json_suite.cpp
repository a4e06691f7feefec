#include "reports/json_parts.hpp"
#include "reports/suite_parts.hpp"
#include "reports/suite_report.hpp"
#include "version.hpp"

#include <cmath>

namespace ringsim::reports {
namespace {

Json target_json(const PublishedTarget& target) {
  return {{"median", or_null(target.median)},
          {"p90", or_null(target.p90)},
          {"worst", or_null(target.worst)},
          {"winners", or_null(target.winners)},
          {"orders", or_null(target.orders)}};
}

Json score_json(const calibrate::SuiteScore& score) {
  if (score.rows == 0) return {{"rows", 0}};
  Json json = {{"rows", score.rows},   {"median", score.median},       {"p90", score.p90},
               {"worst", score.worst}, {"worst_row", score.worst_row}, {"bias", score.bias}};
  if (score.groups > 0) {
    json["groups"] = score.groups;
    json["winners_right"] = score.winners;
    json["orders_right"] = score.orders;
  }
  return json;
}

Json row_json(const calibrate::RowResult& row, const calibrate::SuiteResult& result) {
  Json json = {{"id", row.row.id},
               {"group", row.row.group},
               {"metric", name_of(row.row.metric)},
               {"scored", row.row.scored()},
               {"why_not_scored", row.row.scored() ? Json(nullptr) : Json(row.row.not_scored)},
               {"sets", row.row.sets},
               {"scenario_hash", row.scenario_hash},
               {"published", row.row.measured},
               {"unit", name_of(row.row.unit)},
               {"measured_s", row.measured_s},
               {"predicted_s", row.predicted_s.front()},
               {"predicted_low_s", or_null(row.low_s)},
               {"predicted_high_s", or_null(row.high_s)},
               {"error", row.error()}};
  for (std::size_t v = 0; v < result.variants.size(); ++v) {
    json["errors"][std::string(result.variants[v].name)] = row.error(v);
  }
  return json;
}

Json set_json(const calibrate::SetResult& set, const calibrate::SuiteResult& result) {
  Json json = {{"name", set.about.name},
               {"title", set.about.title},
               {"source", set.about.source},
               {"method", set.about.method},
               {"fitted", set.about.fitted},
               {"microbenchmarks", set.about.microbenchmarks},
               {"target", target_json(set.about.target)},
               {"missed", missed_targets(set.about.target, set.scores.front())}};
  for (std::size_t v = 0; v < result.variants.size(); ++v) {
    json["scores"][std::string(result.variants[v].name)] = score_json(set.scores[v]);
  }
  json["left_out"] = Json::array();
  for (const LeftOutRows& rows : set.about.left_out) {
    json["left_out"].push_back({{"rows", rows.rows}, {"count", rows.count}, {"why", rows.why}});
  }
  json["remarks"] = Json::array();
  for (const PublishedRemark& remark : set.about.remarks) {
    json["remarks"].push_back({{"about", remark.about}, {"text", remark.text}});
  }
  json["rows"] = Json::array();
  for (const calibrate::RowResult& row : set.rows) json["rows"].push_back(row_json(row, result));
  return json;
}

}  // namespace

std::string render_suite_json(const calibrate::SuiteResult& result) {
  Json json = {{"schema_version", json_schema_version}, {"ringsim_version", version}, {"sets", Json::array()}};
  for (const calibrate::SetResult& set : result.sets) json["sets"].push_back(set_json(set, result));
  return json_text(json);
}

}  // namespace ringsim::reports
