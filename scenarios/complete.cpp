#include "scenarios/complete.hpp"

#include "models/error.hpp"
#include "models/names.hpp"
#include "scenarios/plain_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ringsim::scenarios {
namespace {

void complete_value(Value& value, const Field& field, const std::string& path);

void complete_items(Value& value, const Field& field, const std::string& path) {
  if (!value.is_sequence()) {
    throw Error(fmt::format("{} needs {}, not {}", path, what_kind(field.kind), describe(value)), value.origin,
                example_of(field));
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const std::string item_path = fmt::format("{}.{}", path, i);
    if (field.kind == Kind::mappings) {
      complete(value.items[i], field.mapping(), item_path);
    } else {
      complete_plain(value.items[i], field, item_path);
    }
  }
}

void complete_table(Value& value, const Field& field, const std::string& path) {
  if (!value.is_mapping()) {
    throw Error(fmt::format("{} needs {}, not {}", path, what_kind(field.kind), describe(value)), value.origin,
                example_of(field));
  }
  for (Value::Entry& entry : value.entries) {
    if (!is_name(entry.key)) {
      throw Error(fmt::format("{}: the name {} holds other characters than letters, digits, - and _", path, entry.key),
                  entry.key_origin, {});
    }
    const std::string entry_path = path_to(path, entry.key);
    if (field.mapping != nullptr) {
      complete(entry.value, field.mapping(), entry_path);
    } else {
      complete_plain(entry.value, row_of(field), entry_path);
    }
  }
}

void complete_value(Value& value, const Field& field, const std::string& path) {
  switch (field.kind) {
    case Kind::mapping:
      complete(value, field.mapping(), path);
      break;
    case Kind::choices:
    case Kind::counts:
    case Kind::names:
    case Kind::mappings:
      complete_items(value, field, path);
      break;
    case Kind::table:
      complete_table(value, field, path);
      break;
    default:
      complete_plain(value, field, path);
  }
}

// What stands in the way of a key: "kind is switch". Empty where nothing does.
std::string obstacle(const Field& field, const Mapping& spec, const std::vector<Value::Entry>& before) {
  if (!field.only || spec.find(field.only->key) == nullptr) return {};
  const std::vector<std::string_view>& values = field.only->values;
  for (const Value::Entry& entry : before) {
    if (entry.key != field.only->key) continue;
    const bool fits = std::find(values.begin(), values.end(), entry.value.text) != values.end();
    return fits ? std::string() : fmt::format("{} is {}", entry.key, entry.value.text);
  }
  return fmt::format("there is no {}", field.only->key);
}

std::string missing_hint(const Field& field, const Mapping& spec) {
  std::string example = example_of(field);
  if (!spec.library || spec.find("use") == nullptr) return example;
  const std::string uses = fmt::format("use: NAME of a {} of the library", name_of(*spec.library));
  return example.empty() ? uses : fmt::format("{}; or {}", example, uses);
}

}  // namespace

void expand_shorthand(Value& node, const Mapping& spec) {
  if (!node.is_scalar() || spec.shorthand.empty()) return;
  Value mapping = Value::mapping(node.origin);
  const std::string origin = node.origin;
  mapping.set(spec.shorthand, std::move(node), origin);
  node = std::move(mapping);
}

void refuse_unknown_keys(const Value& node, const Mapping& spec, std::string_view path) {
  for (const Value::Entry& entry : node.entries) {
    if (spec.find(entry.key) != nullptr) continue;
    for (const Refused& refused : spec.refused) {
      if (entry.key != refused.name) continue;
      throw Error(fmt::format("{}: {}", path_to(path, entry.key), refused.message), entry.key_origin,
                  std::string(refused.hint));
    }
    std::string hint = name_hint(entry.key, spec.keys(), "known keys");
    const std::size_t colon = entry.key.find(':');
    if (colon != std::string::npos)
      hint = fmt::format("a space belongs after the colon: {}: {}", entry.key.substr(0, colon),
                         entry.key.substr(colon + 1));
    throw Error(
        path.empty() ? fmt::format("unknown key {}", entry.key) : fmt::format("unknown key {} in {}", entry.key, path),
        entry.key_origin, hint);
  }
}

void complete(Value& node, const Mapping& spec, std::string_view path) {
  expand_shorthand(node, spec);
  if (!node.is_mapping()) {
    const std::string name = path.empty() ? "the document" : std::string(path);
    throw Error(node.kind == Value::Kind::null ? fmt::format("{} has no value", name)
                                               : fmt::format("{} needs a mapping, not {}", name, describe(node)),
                node.origin, fmt::format("its keys: {}", joined(spec.keys())));
  }
  refuse_unknown_keys(node, spec, path);
  std::vector<Value::Entry> ordered;
  for (const Field& field : spec.fields) {
    const std::string field_path = path_to(path, field.key);
    const auto written = std::find_if(node.entries.begin(), node.entries.end(),
                                      [&](const Value::Entry& entry) { return entry.key == field.key; });
    if (const std::string why = obstacle(field, spec, ordered); !why.empty()) {
      if (written == node.entries.end()) continue;
      throw Error(fmt::format("{} has no place where {}", field_path, why), written->key_origin,
                  fmt::format("it belongs to {} {}", field.only->key, joined(field.only->values, " or ")));
    }
    Value::Entry entry;
    if (written != node.entries.end()) {
      if (field.role == Role::reference) {
        throw Error(fmt::format("{} cannot stand here", field_path), written->key_origin, "write the values out");
      }
      entry = std::move(*written);
    } else if (!field.fallback.empty()) {
      entry = {std::string(field.key), "default",
               parse_document(fmt::format("value: {}", field.fallback), "default").entries.front().value};
      set_origin(entry.value, "default");
    } else if (field.required) {
      throw Error(fmt::format("{} is missing", field_path), node.origin, missing_hint(field, spec));
    } else {
      continue;
    }
    complete_value(entry.value, field, field_path);
    ordered.push_back(std::move(entry));
  }
  const auto is_there = [&](std::string_view key) {
    return std::any_of(ordered.begin(), ordered.end(), [&](const Value::Entry& entry) { return entry.key == key; });
  };
  if (!spec.any_of.empty() && std::none_of(spec.any_of.begin(), spec.any_of.end(), is_there)) {
    throw Error(fmt::format("{} has none of {}, and needs one", path, joined(spec.any_of)), node.origin,
                example_of(*spec.find(spec.any_of.front())));
  }
  node.entries = std::move(ordered);
}

}  // namespace ringsim::scenarios
