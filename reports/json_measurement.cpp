#include "reports/json_measurement.hpp"

#include "calibrate/measurement_json.hpp"
#include "reports/json_parts.hpp"

#include <type_traits>
#include <vector>

namespace ringsim::reports {
namespace {

Json definition_json(const calibrate::Definition& definition) {
  Json json = Json::object();
  calibrate::for_each_field(definition, [&json](const char* key, const char*, const auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, std::vector<std::optional<std::int64_t>>>) {
      json[key] = Json::array();
      for (const auto& window : field) json[key].push_back(or_null(window));
    } else {
      json[key] = field;
    }
  });
  return json;
}

Json environment_json(const calibrate::Environment& e) {
  return {{"device", e.device},        {"gpu", e.gpu},   {"machine", e.machine},
          {"software", e.software},    {"date", e.date}, {"ringsim_version", e.version},
          {"ringsim_commit", e.commit}};
}

Json check_json(const std::optional<calibrate::CheckOutcome>& check) {
  if (!check) return nullptr;
  return {{"tolerance", check->tolerance}, {"passed", check->passed}, {"error", Json(check->error)}};
}

Json span_json(const sim::Span& span) {
  Json json = {{"rank", span.rank},  {"kind", calibrate::name_of(span.kind)},
               {"name", span.name},  {"layer", span.layer},
               {"step", span.step},  {"start_s", span.start_s},
               {"end_s", span.end_s}};
  if (span.kind == sim::SpanKind::transfer) {
    json["peer"] = span.peer;
    json["bytes"] = span.bytes;
    json["flight_start_s"] = span.flight_start_s;
    json["flight_end_s"] = span.flight_end_s;
  }
  return json;
}

Json total_json(const calibrate::OperationTotal& total) {
  return {{"name", total.name},
          {"kind", calibrate::name_of(total.kind)},
          {"count", total.count},
          {"total_s", total.total_s},
          {"median_s", total.median_s}};
}

/// ,"key": [ with an element a line.
template <class Element, class ToJson>
void append_lines(std::string& text, const char* key, const std::vector<Element>& elements, const ToJson& to_json) {
  text += std::string(",\n  \"") + key + "\": [";
  for (const Element& element : elements) {
    text += &element == &elements.front() ? "\n    " : ",\n    ";
    text += to_json(element).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  text += elements.empty() ? "]" : "\n  ]";
}

}  // namespace

std::string render_json(const calibrate::Measurement& m) {
  Json json = {{"kind", calibrate::measurement_kind}, {"schema_version", calibrate::measurement_schema_version}};
  json["scenario"] = {{"name", m.scenario_name}, {"hash", m.scenario_hash}, {"yaml", m.scenario_yaml}};
  json["environment"] = environment_json(m.environment);
  json["definition"] = definition_json(m.definition);
  json["warmup"] = m.warmup;
  json["makespans_s"] = m.makespans_s;
  json["chosen"] = m.chosen;
  json["makespan_s"] = m.makespan_s;
  json["median_low_s"] = m.median_low_s;
  json["median_high_s"] = m.median_high_s;
  json["slowest_rank"] = m.slowest_rank;
  json["per_rank"] = Json::array();
  for (const sim::RankSummary& rank : m.per_rank) json["per_rank"].push_back(json_rank(rank));
  json["check"] = check_json(m.check);
  json["notes"] = m.notes;

  std::string text = json_text(json);
  text.erase(text.rfind("\n}"));  // the object goes on
  append_lines(text, "totals", m.totals, total_json);
  append_lines(text, "spans", m.timeline.spans, span_json);
  return text + "\n}\n";
}

}  // namespace ringsim::reports
