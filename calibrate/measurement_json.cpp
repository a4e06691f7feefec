#include "calibrate/measurement_json.hpp"

#include "calibrate/json_object.hpp"
#include "calibrate/measurement_check.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <type_traits>

namespace ringsim::calibrate {
namespace {

using nlohmann::json;

sim::SpanKind kind_of(JsonObject& object) {
  const std::string kind = object.one_of("kind", {"attention", "merge", "transfer"});
  if (kind == "attention") return sim::SpanKind::attention;
  return kind == "merge" ? sim::SpanKind::merge : sim::SpanKind::transfer;
}

Definition definition_of(JsonObject object) {
  Definition definition;
  for_each_field(definition, [&object](const std::string& key, const char*, auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, std::string>) {
      field = object.text(key);
    } else if constexpr (std::is_same_v<Field, bool>) {
      field = object.flag(key);
    } else if constexpr (std::is_same_v<Field, std::int64_t>) {
      field = object.integer(key, 1);
    } else {
      const json& windows = object.array(key);
      for (std::size_t i = 0; i < windows.size(); ++i) {
        field.push_back(windows[i].is_null()
                            ? std::nullopt
                            : std::optional<std::int64_t>(json_integer(windows[i], object.where(key, i), 1)));
      }
    }
  });
  if (!definition.windows.empty() && static_cast<std::int64_t>(definition.windows.size()) != definition.layers) {
    throw Error(fmt::format("{} windows of {} layers", definition.windows.size(), definition.layers),
                object.where("window_tokens"), "one a layer, null where it sees everything; or none at all");
  }
  object.finish();
  return definition;
}

Environment environment_of(JsonObject object) {
  Environment environment;
  environment.device = object.one_of("device", {"host", "cuda", "import"});
  environment.gpu = object.text("gpu");
  environment.machine = object.text("machine");
  environment.software = object.text("software");
  environment.date = object.text("date");
  environment.version = object.text("ringsim_version");
  environment.commit = object.text("ringsim_commit");
  object.finish();
  return environment;
}

sim::RankSummary rank_of(JsonObject object) {
  sim::RankSummary rank;
  rank.rank = object.integer("rank", 0);
  rank.compute_s = object.number("compute_s", 0);
  rank.exposed_communication_s = object.number("exposed_communication_s", 0);
  rank.bubble_s = object.number("bubble_s", 0);
  rank.end_s = object.number("end_s", 0);
  rank.attention_s = object.number("attention_s", 0);
  rank.merge_s = object.number("merge_s", 0);
  rank.bubble_masked_s = object.number("bubble_masked_s", 0);
  rank.bubble_late_s = object.number("bubble_late_s", 0);
  rank.bubble_end_s = object.number("bubble_end_s", 0);
  rank.in_flight_s = object.number("in_flight_s", 0);
  object.finish();
  return rank;
}

sim::Span span_of(JsonObject object) {
  sim::Span span;
  span.rank = object.integer("rank", 0);
  span.kind = kind_of(object);
  span.name = object.text("name");
  span.layer = object.integer("layer", -1);
  span.step = object.integer("step", -1);
  span.start_s = object.number("start_s", 0);
  span.end_s = object.number("end_s", 0);
  if (span.kind == sim::SpanKind::transfer) {
    span.peer = object.integer("peer", -1);
    span.bytes = object.number("bytes", 0);
    span.flight_start_s = object.number("flight_start_s", 0);
    span.flight_end_s = object.number("flight_end_s", 0);
  }
  object.finish();
  return span;
}

OperationTotal total_of(JsonObject object) {
  OperationTotal total;
  total.name = object.text("name");
  total.kind = kind_of(object);
  total.count = object.integer("count", 1);
  total.total_s = object.number("total_s", 0);
  total.median_s = object.number("median_s", 0);
  object.finish();
  return total;
}

CheckOutcome check_of(JsonObject object) {
  CheckOutcome check;
  check.tolerance = object.number("tolerance", 0);
  check.passed = object.flag("passed");
  JsonObject errors = object.object("error");
  for (const char* name : {"O", "LSE", "dQ", "dK", "dV"}) {
    if (errors.has(name)) check.error[name] = errors.number(name, 0);
  }
  errors.finish();
  object.finish();
  return check;
}

/// Reads every element of the array under `key`.
template <class Read>
void for_each_element(JsonObject& object, const std::string& key, const Read& read) {
  const json& elements = object.array(key);
  for (std::size_t i = 0; i < elements.size(); ++i) read(elements[i], object.where(key, i));
}

}  // namespace

const char* name_of(sim::SpanKind kind) {
  switch (kind) {
    case sim::SpanKind::attention:
      return "attention";
    case sim::SpanKind::merge:
      return "merge";
    case sim::SpanKind::dense:
      return "dense";
    case sim::SpanKind::collective:
      return "collective";
    case sim::SpanKind::transfer:
      break;
  }
  return "transfer";
}

bool is_measurement(std::string_view text) {
  constexpr std::size_t start = 1000;
  return text.substr(0, start).find(std::string("\"") + measurement_kind + "\"") != std::string_view::npos;
}

Measurement read_measurement(std::string_view text, const std::string& file) {
  const json parsed = parse_json(text, file);
  JsonObject object(parsed, file);
  (void)object.one_of("kind", {measurement_kind});
  const std::int64_t version = object.integer("schema_version", 1);
  if (version != measurement_schema_version) {
    throw Error(fmt::format("version {} of the measurement file is not known to this program", version),
                object.where("schema_version"),
                fmt::format("version {}: measure again, or use the ringsim that wrote it", measurement_schema_version));
  }
  Measurement m;
  JsonObject scenario = object.object("scenario");
  m.scenario_name = scenario.text("name");
  m.scenario_hash = scenario.text("hash");
  m.scenario_yaml = scenario.text("yaml");
  scenario.finish();
  m.environment = environment_of(object.object("environment"));
  m.definition = definition_of(object.object("definition"));
  m.warmup = object.integer("warmup", 0);
  for_each_element(object, "makespans_s", [&m](const json& value, const std::string& where) {
    m.makespans_s.push_back(json_number(value, where, 0));
  });
  m.chosen = object.integer("chosen", 0);
  m.makespan_s = object.number("makespan_s", 0);
  m.median_low_s = object.number("median_low_s", 0);
  m.median_high_s = object.number("median_high_s", 0);
  m.slowest_rank = object.integer("slowest_rank", 0);
  for_each_element(object, "per_rank", [&m](const json& value, const std::string& where) {
    m.per_rank.push_back(rank_of({value, where}));
  });
  if (!object.is_null("check")) m.check = check_of(object.object("check"));
  for_each_element(object, "notes",
                   [&m](const json& value, const std::string& where) { m.notes.push_back(json_string(value, where)); });
  for_each_element(object, "totals",
                   [&m](const json& value, const std::string& where) { m.totals.push_back(total_of({value, where})); });
  for_each_element(object, "spans", [&m](const json& value, const std::string& where) {
    m.timeline.spans.push_back(span_of({value, where}));
  });
  m.timeline.ranks = m.timeline.ranks_shown = m.definition.ring;
  object.finish();
  check(m, file);
  return m;
}

}  // namespace ringsim::calibrate
