#include "scenarios/complete.hpp"

#include "models/error.hpp"
#include "models/names.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ringsim::scenarios {
namespace {

std::string_view what_kind(Kind kind) {
  switch (kind) {
    case Kind::text:
      return "a text";
    case Kind::boolean:
      return "true or false";
    case Kind::choice:
      return "one of its names";
    case Kind::count:
      return "a whole number";
    case Kind::number:
      return "a number";
    case Kind::ratio:
      return "a ratio";
    case Kind::duration:
      return "a duration";
    case Kind::bytes:
      return "a size";
    case Kind::bandwidth:
      return "a bandwidth";
    case Kind::flop_rate:
      return "a FLOP rate";
    case Kind::power:
      return "a power";
    case Kind::mapping:
      return "a mapping";
    case Kind::choices:
      return "a list of names";
    case Kind::counts:
      return "a list of whole numbers";
    case Kind::names:
      return "a list of names";
    case Kind::mappings:
      return "a list of mappings";
    case Kind::table:
      break;
  }
  return "a mapping";
}

std::string example_of(const Field& field) {
  if (!field.examples.empty()) return fmt::format("for example {}: {}", field.key, field.examples.front());
  if (!field.choices.empty()) return fmt::format("one of {}", joined(field.choices));
  if (!field.fallback.empty()) return fmt::format("for example {}: {}", field.key, field.fallback);
  return {};
}

/// A limit for people: whole numbers have separators.
std::string limit_text(double limit, const Field& field) {
  switch (field.kind) {
    case Kind::ratio:
      return format_ratio(limit);
    case Kind::duration:
      return format_duration(Duration::from_si(limit));
    case Kind::bytes:
      return format_bytes(Bytes::from_si(limit));
    case Kind::bandwidth:
      return format_bandwidth(Bandwidth::from_si(limit));
    case Kind::flop_rate:
      return format_flop_rate(FlopRate::from_si(limit));
    case Kind::power:
      return format_power(Power::from_si(limit));
    default:
      return limit == std::floor(limit) ? fmt::format("{}", fmt::group_digits(static_cast<std::int64_t>(limit)))
                                        : format_number(limit);
  }
}

/// What is legal of a number, then an example.
std::string range_hint(const Field& field) {
  std::string example = example_of(field);
  if (field.kind == Kind::text || field.kind == Kind::boolean || field.kind == Kind::choice ||
      field.kind == Kind::choices || field.kind == Kind::names) {
    return example;
  }
  return fmt::format("legal: {}{}{}", legal_range(field), example.empty() ? "" : "; ", example);
}

void check_range(double value, const Field& field, const std::string& text) {
  const Limits limits = limits_of(field);
  if (value < limits.least) {
    throw Error(fmt::format("{} is too small: at least {}", text, limit_text(limits.least, field)), {},
                range_hint(field));
  }
  if (value > limits.most) {
    const std::string most = limit_text(limits.most, field);
    const bool one_value = limits.least == limits.most;
    throw Error(fmt::format("{} is too large: at most {}{}{}", text, most, field.beyond.empty() ? "" : ", since ",
                            field.beyond),
                {}, one_value ? fmt::format("{}: {}, or leave it out", field.key, most) : range_hint(field));
  }
}

void check_boolean(const std::string& text) {
  if (text == "true" || text == "false") return;
  std::string low = text;
  std::transform(low.begin(), low.end(), low.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const bool yes = low == "yes" || low == "on" || low == "true" || low == "1";
  const bool no = low == "no" || low == "off" || low == "false" || low == "0";
  throw Error(fmt::format("{} is neither true nor false", text), {}, yes ? "write true" : no ? "write false" : "");
}

void check_choice(const std::string& text, const Field& field) {
  for (const Refused& refused : field.refused) {
    if (text == refused.name) throw Error(std::string(refused.message), {}, std::string(refused.hint));
  }
  if (std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end()) return;
  throw Error(fmt::format("{} is not known here", text), {}, name_hint(text, field.choices, "one of"));
}

void check_text(const std::string& text) {
  if (text.empty()) throw Error("the text is empty", {}, {});
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; })) {
    throw Error("the text holds a line break or another control character", {}, "one line of text");
  }
}

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

// The normal form of a plain value's text. Throws Error without a place.
std::string normal_text(const std::string& text, const Field& field) {
  switch (field.kind) {
    case Kind::text:
      check_text(text);
      return text;
    case Kind::boolean:
      check_boolean(text);
      return text;
    case Kind::choice:
    case Kind::choices:
      check_choice(text, field);
      return text;
    case Kind::names:
      if (!is_name(text)) throw Error(fmt::format("{} is no name of letters, digits, - and _", text), {}, {});
      return text;
    case Kind::count:
    case Kind::counts: {
      const std::int64_t value = parse_count(text);
      check_range(static_cast<double>(value), field, text);
      return format_count(value);
    }
    case Kind::number: {
      const double value = parse_number(text);
      check_range(value, field, text);
      return format_number(value);
    }
    case Kind::ratio: {
      const double value = parse_ratio(text);
      check_range(value, field, text);
      return format_ratio(value);
    }
    case Kind::duration: {
      const auto value = parse_duration(text);
      check_range(value.si(), field, text);
      return format_duration(value);
    }
    case Kind::bytes: {
      const auto value = parse_bytes(text);
      check_range(value.si(), field, text);
      return format_bytes(value);
    }
    case Kind::bandwidth: {
      const auto value = parse_bandwidth(text);
      check_range(value.si(), field, text);
      return format_bandwidth(value);
    }
    case Kind::flop_rate: {
      const auto value = parse_flop_rate(text);
      check_range(value.si(), field, text);
      return format_flop_rate(value);
    }
    case Kind::power: {
      const auto value = parse_power(text);
      check_range(value.si(), field, text);
      return format_power(value);
    }
    case Kind::mapping:
    case Kind::mappings:
    case Kind::table:
      break;
  }
  return text;
}

void complete_plain(Value& value, const Field& field, const std::string& path) {
  if (value.kind == Value::Kind::null) {
    throw Error(fmt::format("{} has no value", path), value.origin, example_of(field));
  }
  if (!value.is_scalar()) {
    throw Error(fmt::format("{} needs {}, not {}", path, what_kind(field.kind), describe(value)), value.origin,
                example_of(field));
  }
  try {
    value.text = normal_text(value.text, field);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.message()), value.origin,
                error.hint().empty() ? range_hint(field) : error.hint());
  }
}

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
      complete_plain(entry.value, Field{.key = field.key, .kind = Kind::text}, entry_path);
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

// The first --set among the origins below a node; empty where there is none.
std::string first_override(const Value& node) {
  for (const Value::Entry& entry : node.entries) {
    if (entry.key_origin.starts_with("--set")) return entry.key_origin;
    std::string below = first_override(entry.value);
    if (!below.empty()) return below;
  }
  return {};
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

std::string legal_range(const Field& field) {
  const Limits limits = limits_of(field);
  return fmt::format("{} to {}", limit_text(limits.least, field), limit_text(limits.most, field));
}

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

std::string flow_text(const Value& sequence) {
  std::string text = "[";
  for (std::size_t i = 0; i < sequence.items.size(); ++i) text += (i == 0 ? "" : ", ") + sequence.items[i].text;
  return text + "]";
}

void list_values(const Value& node, const Mapping& spec, std::string_view path, std::vector<ResolvedValue>& out) {
  for (const Value::Entry& entry : node.entries) {
    const Field* field = spec.find(entry.key);
    if (field == nullptr || field->role != Role::value) continue;
    const std::string key = path_to(path, entry.key);
    const Value& value = entry.value;
    if (value.is_scalar()) {
      out.push_back({key, value.text, value.origin});
    } else if (field->kind == Kind::mapping) {
      list_values(value, field->mapping(), key, out);
    } else if (field->kind == Kind::table) {
      if (value.entries.empty()) out.push_back({key, "{}", value.origin});
      for (const Value::Entry& row : value.entries) {
        if (field->mapping == nullptr) {
          out.push_back({path_to(key, row.key), row.value.text, row.value.origin});
        } else {
          list_values(row.value, field->mapping(), path_to(key, row.key), out);
        }
      }
    } else if (field->kind == Kind::mappings && !value.items.empty()) {
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        list_values(value.items[i], field->mapping(), fmt::format("{}.{}", key, i), out);
      }
    } else {
      out.push_back({key, flow_text(value), value.origin});
    }
  }
}

std::string place_of(const Value& root, std::string_view path) {
  const Value* node = &root;
  std::string place;
  while (node != nullptr && node->is_mapping() && !path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    const auto entry = std::find_if(node->entries.begin(), node->entries.end(),
                                    [&](const Value::Entry& candidate) { return candidate.key == key; });
    if (entry == node->entries.end() || entry->key_origin == "default" || entry->key_origin.starts_with("derived"))
      break;
    place = entry->key_origin;
    node = &entry->value;
  }
  if (node == &root) return place;
  const std::string override_below = first_override(*node);
  return override_below.empty() ? place : override_below;
}

}  // namespace ringsim::scenarios
