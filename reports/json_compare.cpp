#include "reports/compare_figures.hpp"
#include "reports/compare_parts.hpp"
#include "reports/json_parts.hpp"
#include "reports/verdicts.hpp"
#include "version.hpp"

namespace ringsim::reports {
namespace {

Json side_json(const ComparedSide& side) {
  const sim::Prediction& p = side.prediction;
  Json parallel = Json::object();
  for (const Axis axis : all_axes) parallel[std::string(name_of(axis))] = side.scenario.parallel.degree(axis);
  return {{"file", side.file},
          {"set", side.sets},
          {"scenario", {{"name", p.scenario_name}, {"hash", p.scenario_hash}}},
          {"scope", p.scope},
          {"phase", p.phase},
          {"engine", p.engine},
          {"engine_note", p.engine_note},
          {"makespan_is_bound", p.makespan_is_bound},
          {"profile", json_profile(p)},
          {"parallel", std::move(parallel)},
          {"ring", json_ring(p)},
          {"tokens", json_tokens(p)},
          {"memory_fits", or_null(fits(p.memory))},
          {"bottleneck",
           {{"kind", p.bottleneck.kind},
            {"name", p.bottleneck.name},
            {"share", p.bottleneck.share},
            {"sentence", p.bottleneck.sentence}}},
          {"warnings", p.warnings}};
}

Json figures_json(const std::vector<ComparedFigure>& figures) {
  Json json = Json::object();
  for (const ComparedFigure& figure : figures) {
    const std::string_view better = figure.better_side();
    json[figure.key] = {{"a", or_null(figure.a)},
                        {"b", or_null(figure.b)},
                        {"change", or_null(figure.change())},
                        {"relative_change", or_null(figure.relative_change())},
                        {"better", better.empty() ? Json(nullptr) : Json(std::string(better))},
                        {"not_compared", figure.not_compared.empty() ? Json(nullptr) : Json(figure.not_compared)}};
  }
  return json;
}

Json value_json(const std::optional<ValueOfSide>& value) {
  return value ? Json{{"value", value->text}, {"origin", value->origin}} : Json(nullptr);
}

Json inputs_json(const std::vector<ChangedInput>& inputs) {
  Json all = Json::array();
  for (const ChangedInput& input : inputs) {
    Json values = Json::array();
    for (const ChangedValue& value : input.values) {
      values.push_back({{"key", value.key}, {"a", value_json(value.a)}, {"b", value_json(value.b)}});
    }
    all.push_back({{"name", input.name},
                   {"part", input.part},
                   {"keys", input.keys},
                   {"a", input.a},
                   {"b", input.b},
                   {"values", std::move(values)}});
  }
  return all;
}

// Of the time, or of memory: values in the unit of `unit` ("_s", "_bytes").
Json attribution_json(const ScenarioComparison& c, const sim::Attribution& attribution, const std::string& metric,
                      const std::string& unit) {
  const double change = attribution.to - attribution.from;
  Json parts = Json::array();
  for (const sim::Contribution& part : attribution.parts) {
    Json names = Json::array();
    for (const std::size_t i : part.of.changes) names.push_back(c.inputs[i].name);
    parts.push_back({{"inputs", std::move(names)},
                     {"value" + unit, part.value},
                     {"least" + unit, part.least},
                     {"most" + unit, part.most},
                     {"share", change != 0.0 ? Json(part.value / change) : Json(nullptr)},
                     {"why_joined", part.of.why.empty() ? Json(nullptr) : Json(part.of.why)}});
  }
  return {{"metric", metric},
          {"method", attribution.every_order ? "shapley" : "two-walks"},
          {"from" + unit, attribution.from},
          {"to" + unit, attribution.to},
          {"change" + unit, change},
          {"parts", std::move(parts)}};
}

}  // namespace

std::string render_json(const ScenarioComparison& c) {
  Json json = {{"schema_version", json_schema_version},
               {"ringsim_version", std::string(version)},
               {"a", side_json(c.a)},
               {"b", side_json(c.b)},
               {"same", c.inputs.empty()},
               {"answer", compared_answer(c)}};
  json["figures"] = figures_json(figures_of(c));
  json["memory"] = figures_json(memory_figures_of(c));
  json["inputs"] = inputs_json(c.inputs);
  json["explained"] = {{"time", nullptr}, {"memory", nullptr}};
  if (c.time) {
    json["explained"]["time"] = attribution_json(c, *c.time, std::string(headline_of(c.a.prediction).key), "_s");
  }
  if (c.memory) json["explained"]["memory"] = attribution_json(c, *c.memory, "memory_total_bytes", "_bytes");
  json["explained"]["reason"] = c.not_explained.empty() ? Json(nullptr) : Json(c.not_explained);
  json["explained"]["remarks"] = explained_remarks(c);
  json["notes"] = c.notes;
  return json_text(json);
}

}  // namespace ringsim::reports
