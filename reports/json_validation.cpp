#include "reports/json_validation.hpp"

#include "calibrate/measurement_json.hpp"
#include "reports/json_parts.hpp"
#include "version.hpp"

namespace ringsim::reports {
namespace {

Json quantity_json(const calibrate::ComparedQuantity& q) {
  // An overlap is a share, all else a time.
  const std::string unit = q.error_of == calibrate::ErrorOf::difference ? "" : "_s";
  return {{"name", q.key},
          {"of", q.whose},
          {"measured" + unit, q.measured},
          {"predicted" + unit, q.predicted},
          {"error", or_null(q.error)},
          {"error_of", name_of(q.error_of)}};
}

Json operation_error_json(const calibrate::OperationError& e) {
  return {{"rank", e.rank},
          {"layer", e.layer},
          {"step", e.step},
          {"measured_s", e.measured_s},
          {"predicted_s", e.predicted_s},
          {"error", or_null(e.error)}};
}

Json spread_json(const std::optional<calibrate::ErrorSpread>& spread) {
  if (!spread) return nullptr;
  return {{"median", spread->median},
          {"p90", spread->p90},
          {"worst", operation_error_json(spread->worst)},
          {"without_time", spread->without_time}};
}

Json group_json(const calibrate::OperationGroup& g) {
  return {{"name", g.name},
          {"kind", calibrate::name_of(g.kind)},
          {"measured_count", g.measured_count},
          {"predicted_count", g.predicted_count},
          {"measured_s", g.measured_s},
          {"predicted_s", g.predicted_s},
          {"error", or_null(g.error)},
          {"measured_median_s", or_null(g.measured_median_s)},
          {"predicted_median_s", or_null(g.predicted_median_s)},
          {"median_error", or_null(g.median_error)},
          {"absolute_errors", spread_json(g.spread)}};
}

Json one_sided_json(const calibrate::OneSided& one) {
  return {{"side", one.measured ? "measured" : "predicted"},
          {"name", one.name},
          {"kind", calibrate::name_of(one.kind)},
          {"count", one.count},
          {"total_s", one.total_s},
          {"first", {{"rank", one.rank}, {"layer", one.layer}, {"step", one.step}}}};
}

Json overlap_json(const std::optional<calibrate::OverlapFigures>& f) {
  if (!f) return nullptr;
  return {{"elapsed_s", f->elapsed_s}, {"kernels_s", f->kernels_s},   {"transfer_s", f->transfer_s},
          {"of_sum", f->of_sum()},     {"of_longer", f->of_longer()}, {"achieved", or_null(f->achieved())}};
}

Json diagnosis_json(const calibrate::Diagnosis& d) {
  Json json = {{"slowest_rank", overlap_json(d.slowest)},
               {"sum_of_ranks", overlap_json(d.overall)},
               {"interference", nullptr},
               {"slow_rank", nullptr},
               {"late_start", nullptr},
               {"sentences", d.sentences}};
  if (d.interference) {
    json["interference"] = {
        {"ratio", d.interference->ratio}, {"beside", d.interference->beside}, {"alone", d.interference->alone}};
  }
  if (d.slow_rank) {
    json["slow_rank"] = {{"rank", d.slow_rank->rank},
                         {"ratio", d.slow_rank->ratio},
                         {"others_waiting_s", d.slow_rank->others_waiting_s}};
  }
  if (d.late_start) json["late_start"] = {{"rank", d.late_start->rank}, {"after_s", d.late_start->after_s}};
  return json;
}

}  // namespace

const char* name_of(calibrate::ErrorOf error_of) {
  switch (error_of) {
    case calibrate::ErrorOf::measured:
      return "measured";
    case calibrate::ErrorOf::makespan:
      return "makespan";
    case calibrate::ErrorOf::difference:
      break;
  }
  return "difference";
}

std::string render_json(const calibrate::Comparison& c, const calibrate::Diagnosis& diagnosis, double tolerance) {
  Json json = {{"kind", "ringsim-validation"},
               {"schema_version", json_schema_version},
               {"ringsim_version", std::string(version)},
               {"scenario", {{"name", c.scenario_name}, {"hash", c.scenario_hash}}}};
  json["engine"] = c.engine;
  json["profile"] = {{"name", c.profile_name}, {"calibrated", c.profile_calibrated}, {"gpu", c.profile_gpu}};
  json["measured"] = {{"scenario", {{"name", c.measured_scenario_name}, {"hash", c.measured_scenario_hash}}},
                      {"device", c.environment.device},
                      {"gpu", c.environment.gpu},
                      {"machine", c.environment.machine},
                      {"software", c.environment.software},
                      {"date", c.environment.date},
                      {"ringsim_version", c.environment.version},
                      {"ringsim_commit", c.environment.commit},
                      {"repeats", c.repeats},
                      {"median_low_s", or_null(c.measured_low_s)},
                      {"median_high_s", or_null(c.measured_high_s)},
                      {"slowest_rank", c.measured_slowest_rank}};
  json["predicted"] = {{"makespan_low_s", or_null(c.predicted_low_s)},
                       {"makespan_high_s", or_null(c.predicted_high_s)},
                       {"slowest_rank", c.predicted_slowest_rank}};
  json["verdict"] = {
      {"judged", c.judged().key},           {"of", c.judged().whose},
      {"error", or_null(c.judged().error)}, {"tolerance", tolerance},
      {"within", c.within(tolerance)},      {"measured_in_predicted_interval", or_null(c.in_predicted_interval())}};
  const auto list = [](const auto& elements, const auto& to_json) {
    Json all = Json::array();
    for (const auto& element : elements) all.push_back(to_json(element));
    return all;
  };
  json["quantities"] = list(c.quantities, quantity_json);
  json["one_by_one"] = c.one_by_one;
  json["operations"] = list(c.groups, group_json);
  json["one_sided"] = list(c.one_sided, one_sided_json);
  json["diagnosis"] = diagnosis_json(diagnosis);
  json["warnings"] = c.warnings;
  json["notes"] = c.notes;
  return json_text(json);
}

}  // namespace ringsim::reports
