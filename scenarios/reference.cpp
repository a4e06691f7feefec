#include "scenarios/reference.hpp"

#include "scenarios/library.hpp"
#include "scenarios/plain_value.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::scenarios {
namespace {

constexpr std::size_t few_places = 2;

struct Found {
  const Mapping* mapping = nullptr;
  std::vector<std::string> places;
};

/// Where the values of a field stand: items of a list and rows of a table have no key of their own.
std::string place_of_values(const Field& field, std::string place) {
  if (field.kind == Kind::mappings) place += "[]";
  if (field.kind == Kind::table) place += ".*";
  return place;
}

/// Every mapping once, in the order of first sight, and all its places. A mapping within one that has been seen is not gone through
/// again, but its places are.
void collect(const Mapping& mapping, const std::string& place, std::vector<Found>& found) {
  auto known = std::find_if(found.begin(), found.end(), [&](const Found& f) { return f.mapping == &mapping; });
  if (known == found.end()) {
    found.push_back({&mapping, {place}});
  } else {
    known->places.push_back(place);
  }
  for (const Field& field : mapping.fields) {
    if (field.mapping != nullptr) collect(field.mapping(), place_of_values(field, path_to(place, field.key)), found);
  }
}

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

template <class Texts>
std::string codes(const Texts& texts) {
  std::string list;
  for (const auto& text : texts) list += fmt::format("{}`{}`", list.empty() ? "" : ", ", text);
  return list;
}

/// Of what stands at many places, and of calibrated values of all kinds.
bool is_shared(const Found& found) { return found.places.size() > few_places || found.mapping->shorthand == "value"; }

std::string title_of(const Found& found) {
  if (found.mapping == &scenario_spec()) return "The scenario";
  if (!is_shared(found)) return codes(found.places);
  std::string name(found.mapping->name);
  std::replace(name.begin(), name.end(), '_', ' ');
  name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

std::string_view title_of(const Mapping& mapping, const std::vector<Found>& found,
                          const std::vector<std::string>& titles) {
  const auto at = std::find_if(found.begin(), found.end(), [&](const Found& f) { return f.mapping == &mapping; });
  return titles[static_cast<std::size_t>(at - found.begin())];
}

std::string_view name_of_kind(Kind kind) {
  switch (kind) {
    case Kind::text:
      return "text";
    case Kind::count:
    case Kind::counts:
      return "whole number";
    case Kind::number:
      return "number";
    case Kind::ratio:
      return "ratio";
    case Kind::duration:
      return "duration";
    case Kind::bytes:
      return "size";
    case Kind::bandwidth:
      return "bandwidth";
    case Kind::flop_rate:
      return "FLOP rate";
    case Kind::power:
      return "power";
    default:
      return "mapping";
  }
}

/// "whole number, 2 to 3".
std::string what_stands(const Field& field) {
  switch (field.kind) {
    case Kind::text:
      return "text";
    case Kind::boolean:
      return "`true` or `false`";
    case Kind::choice:
      return "one of " + codes(field.choices);
    case Kind::choices:
      return "list of " + codes(field.choices);
    case Kind::names:
      return "list of names (letters, digits, `-` and `_`)";
    case Kind::counts:
      return fmt::format("list of whole numbers, each {}", legal_range(field));
    case Kind::mapping: {
      const Mapping& mapping = field.mapping();
      if (mapping.shorthand.empty()) return "mapping";
      if (mapping.shorthand == "use") return "name, or a mapping";
      return what_stands(*mapping.find(mapping.shorthand)) + "; or a mapping";
    }
    case Kind::mappings:
      return "list of mappings";
    case Kind::table: {
      if (field.mapping != nullptr) return "table: mappings by names of yours";
      const Field row = row_of(field);
      if (row.kind == Kind::text) return "table: texts by names of yours";
      return fmt::format("table: by length, {}", what_stands(row));
    }
    default:
      return fmt::format("{}, {}", name_of_kind(field.kind), legal_range(field));
  }
}

std::string value_of(const Field& field, const Mapping& owner) {
  std::string text = what_stands(field);
  const bool has_references = std::any_of(owner.fields.begin(), owner.fields.end(),
                                          [](const Field& other) { return other.role == Role::reference; });
  if (field.required) {
    std::string_view unless;
    if (has_references) unless = owner.shorthand == "use" ? ", unless what is named has it" : ", unless a file says it";
    text += fmt::format("; required{}", unless);
  }
  if (field.fallback == "{}") {
    text += "; default: those of its keys";
  } else if (!field.fallback.empty()) {
    text += "; default " + code(field.fallback);
  }
  return text;
}

std::string sentence(std::string_view text) {
  std::string result(text);
  if (!result.empty() && result.back() != '.') result += '.';
  return result;
}

std::string meaning_of(const Field& field) {
  std::string text = sentence(field.description);
  if (field.only) text += fmt::format(" Only where `{}` is {}.", field.only->key, codes(field.only->values));
  if (field.role == Role::note) text += " A note: it has no effect.";
  for (const Refused& refused : field.refused) text += fmt::format(" Not {}: {}.", code(refused.name), refused.message);
  if (!field.examples.empty()) text += fmt::format(" For example {}.", codes(field.examples));
  return text;
}

std::string description_of(const Mapping& mapping) {
  std::string text = sentence(mapping.description);
  if (mapping.shorthand == "use") {
    text += fmt::format(" A bare value is a name: `{}: NAME` is short for `{}: {{use: NAME}}`.", mapping.name,
                        mapping.name);
  } else if (!mapping.shorthand.empty()) {
    text += fmt::format(" A bare value stands for its `{}`.", mapping.shorthand);
  }
  if (!mapping.any_of.empty()) text += fmt::format(" It has one of {} at least.", codes(mapping.any_of));
  return text;
}

std::vector<Found> all_found() {
  std::vector<Found> found;
  collect(scenario_spec(), {}, found);
  std::stable_partition(found.begin(), found.end(), [](const Found& f) { return !is_shared(f); });
  return found;
}

void add_keys(const Mapping& mapping, const std::string& place, std::vector<DottedKey>& keys) {
  for (const Field& field : mapping.fields) {
    if (field.role == Role::note) continue;
    const Mapping* inner = field.kind == Kind::mapping ? &field.mapping() : nullptr;
    DottedKey key{.path = path_to(place, field.key), .has_keys = inner != nullptr || field.kind == Kind::table};
    key.has_value = inner == nullptr || !inner->shorthand.empty();
    const Field* value = &field;
    if (inner != nullptr && !inner->shorthand.empty()) value = inner->find(inner->shorthand);
    const Mapping& owner = inner != nullptr && !inner->shorthand.empty() ? *inner : mapping;
    if (value->kind == Kind::boolean) key.words = {"true", "false"};
    if (value->kind == Kind::choice) key.words.assign(value->choices.begin(), value->choices.end());
    if (value->key == "use" && owner.library) {
      const std::vector<std::string_view> names = library_names(*owner.library);
      key.words.assign(names.begin(), names.end());
      if (*owner.library == LibraryKind::profile &&
          std::find(key.words.begin(), key.words.end(), "datasheet") == key.words.end())
        key.words.emplace_back("datasheet");
    }
    const std::string path = key.path;
    keys.push_back(std::move(key));
    if (inner != nullptr) add_keys(*inner, path, keys);
  }
}

}  // namespace

std::vector<ReferenceSection> reference_sections() {
  const std::vector<Found> found = all_found();
  std::vector<std::string> titles;
  for (const Found& one : found) titles.push_back(title_of(one));
  std::vector<ReferenceSection> sections;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Mapping& mapping = *found[i].mapping;
    ReferenceSection section{titles[i], found[i].places, description_of(mapping), {}, mapping.refused};
    for (const Field& field : mapping.fields) {
      ReferenceKey key{std::string(field.key), value_of(field, mapping), meaning_of(field), {}};
      if (field.mapping != nullptr) key.section = title_of(field.mapping(), found, titles);
      section.keys.push_back(std::move(key));
    }
    sections.push_back(std::move(section));
  }
  return sections;
}

std::vector<ReferenceUnits> reference_units() {
  return {
      {"whole number",
       fmt::format("bare, or with one of the endings {}: powers of 1000 and of 1024. `1M` is 1,000,000 and `1Mi` is "
                   "1,048,576; `1.5M` is right, `1.5` is not.",
                   codes(count_endings()))},
      {"number", "bare."},
      {"ratio", "bare or with a percent sign: `0.02` is `2%`."},
      {"duration", "with one of the units " + codes(duration_units()) + "."},
      {"size", "with one of the units " + codes(bytes_units()) + "."},
      {"bandwidth",
       "with one of the units " + codes(bandwidth_units()) + ". `b` and `bit` are bits, `B` is eight of them."},
      {"FLOP rate", "with one of the units " + codes(flop_rate_units()) + "."},
      {"power", "with one of the units " + codes(power_units()) + "."},
      {"text",
       "one line. Quotes are needed where YAML would see more in it, as in a text that holds `: ` or begins with `[`."},
  };
}

std::vector<DottedKey> dotted_keys() {
  std::vector<DottedKey> keys;
  add_keys(scenario_spec(), {}, keys);
  return keys;
}

}  // namespace ringsim::scenarios
