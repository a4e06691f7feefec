#include "scenarios/schema.hpp"

#include "models/error.hpp"
#include "scenarios/library.hpp"
#include "scenarios/plain_value.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/units.hpp"
#include "scenarios/value.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>

namespace ringsim::scenarios {
namespace {

using json = nlohmann::ordered_json;

// A text of the language as the JSON value that an editor would insert.
json as_json(const Value& value) {
  if (value.is_sequence()) {
    json list = json::array();
    for (const Value& item : value.items) list.push_back(as_json(item));
    return list;
  }
  if (value.is_mapping()) {
    json object = json::object();
    for (const Value::Entry& entry : value.entries) object[entry.key] = as_json(entry.value);
    return object;
  }
  if (value.text == "true" || value.text == "false") return value.text == "true";
  try {
    const double number = parse_number(value.text);
    if (number < 9e15 && number == static_cast<double>(static_cast<std::int64_t>(number)))
      return static_cast<std::int64_t>(number);
    return number;
  } catch (const Error&) {
    return value.text;
  }
}

json example(std::string_view text) {
  const Value document = parse_document(fmt::format("value: {}", text), "example");
  return as_json(document.entries.front().value);
}

json number_or_text(const Field& field, std::string_view type, const std::string& pattern) {
  const Limits limits = limits_of(field);
  json number = {{"type", type},
                 {"minimum", example(format_number(limits.least))},
                 {"maximum", example(format_number(limits.most))}};
  if (pattern.empty()) return number;
  return {{"oneOf", json::array({number, json{{"type", "string"}, {"pattern", pattern}}})}};
}

json text_with_unit(const std::string& pattern) { return {{"type", "string"}, {"pattern", pattern}}; }

// A pattern cannot bound a number with a unit; the description can.
std::string described(const Field& field) {
  switch (field.kind) {
    case Kind::duration:
    case Kind::bytes:
    case Kind::bandwidth:
    case Kind::flop_rate:
    case Kind::power:
      return fmt::format("{} From {}.", field.description, legal_range(field));
    default:
      return std::string(field.description);
  }
}

json reference_to(const Mapping& mapping, json& definitions);

json plain_schema(const Field& field) {
  switch (field.kind) {
    case Kind::boolean:
      return {{"type", "boolean"}};
    case Kind::choice:
    case Kind::choices:
      return {{"type", "string"}, {"enum", field.choices}};
    case Kind::count:
    case Kind::counts:
      return number_or_text(field, "integer", count_pattern());
    case Kind::number:
      return number_or_text(field, "number", {});
    case Kind::ratio:
      return number_or_text(field, "number", ratio_pattern());
    case Kind::duration:
      return text_with_unit(duration_pattern());
    case Kind::bytes:
      return text_with_unit(bytes_pattern());
    case Kind::bandwidth:
      return text_with_unit(bandwidth_pattern());
    case Kind::flop_rate:
      return text_with_unit(flop_rate_pattern());
    case Kind::power:
      return text_with_unit(power_pattern());
    default:
      return {{"type", json::array({"string", "number"})}};  // a text such as 70 may look like a number
  }
}

json field_schema(const Field& field, const Mapping& owner, json& definitions) {
  json schema;
  if (field.kind == Kind::mapping) {
    schema = {{"allOf", json::array({reference_to(field.mapping(), definitions)})}};
  } else if (field.kind == Kind::mappings) {
    schema = {{"type", "array"}, {"items", reference_to(field.mapping(), definitions)}};
  } else if (field.kind == Kind::choices || field.kind == Kind::counts || field.kind == Kind::names) {
    schema = {{"type", "array"}, {"items", plain_schema(field)}};
  } else if (field.kind == Kind::table) {
    schema = {{"type", "object"},
              {"additionalProperties",
               field.mapping == nullptr ? plain_schema(row_of(field)) : reference_to(field.mapping(), definitions)}};
  } else if (field.key == "use" && owner.library && *owner.library != LibraryKind::profile) {
    schema = {{"type", "string"}, {"enum", library_names(*owner.library)}};
    if (*owner.library == LibraryKind::cluster) {
      schema = {{"anyOf", json::array({schema, json{{"type", "string"}, {"pattern", "\\.ya?ml$"}}})}};
    }
  } else {
    schema = plain_schema(field);
  }
  schema["title"] = field.key;
  schema["description"] = described(field);
  if (!field.fallback.empty() && field.fallback != "{}") schema["default"] = example(field.fallback);
  if (!field.examples.empty()) {
    schema["examples"] = json::array();
    for (const std::string_view text : field.examples) schema["examples"].push_back(example(text));
  }
  return schema;
}

// What has to be there: nothing where `use` or a config supplies it, else what the table requires.
json required_keys(const Mapping& mapping) {
  json required = json::array();
  json alternatives = json::array();
  for (const Field& field : mapping.fields) {
    if (field.required && !field.only) required.push_back(field.key);
    if (field.role == Role::reference) alternatives.push_back({{"required", json::array({field.key})}});
  }
  json schema = json::object();
  // A profile without `use` overrides the GPU's.
  if (required.empty() || mapping.library == LibraryKind::profile) return schema;
  if (alternatives.empty()) {
    schema["required"] = required;
  } else {
    json written_out = {{"required", required}};
    for (const std::string_view key : mapping.any_of)
      written_out["anyOf"].push_back({{"required", json::array({key})}});
    alternatives.push_back(std::move(written_out));
    schema["anyOf"] = alternatives;
  }
  return schema;
}

// Keys that belong to some values of another key. Where that one is left out, an entry of the library or a file may have it.
void add_conditions(const Mapping& mapping, json& schema) {
  for (const Field& field : mapping.fields) {
    if (!field.only) continue;
    json values = json::array();
    for (const std::string_view value : field.only->values) values.push_back(example(value));
    json selector = {{std::string(field.only->key), {{"enum", std::move(values)}}}};
    schema["dependencies"][std::string(field.key)] = {{"properties", std::move(selector)}};
  }
}

json mapping_schema(const Mapping& mapping, json& definitions) {
  json schema = {{"type", "object"}, {"description", mapping.description}, {"additionalProperties", false}};
  schema.update(required_keys(mapping));
  add_conditions(mapping, schema);
  schema["properties"] = json::object();
  for (const Field& field : mapping.fields)
    schema["properties"][std::string(field.key)] = field_schema(field, mapping, definitions);
  return schema;
}

json reference_to(const Mapping& mapping, json& definitions) {
  const std::string name(mapping.name);
  if (!definitions.contains(name)) {
    definitions[name] = nullptr;  // keeps the place in order
    json schema = mapping_schema(mapping, definitions);
    if (!mapping.shorthand.empty()) {
      const Field& shorthand = *mapping.find(mapping.shorthand);
      schema = {{"oneOf", json::array({field_schema(shorthand, mapping, definitions), schema})}};
    }
    schema["title"] = mapping.name;
    definitions[name] = std::move(schema);
  }
  return {{"$ref", "#/definitions/" + name}};
}

}  // namespace

std::string json_schema() {
  json definitions = json::object();
  json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "ringsim scenario"}};
  schema.update(mapping_schema(scenario_spec(), definitions));
  schema["definitions"] = definitions;
  return schema.dump(2) + "\n";
}

}  // namespace ringsim::scenarios
