#include "scenarios/written_changes.hpp"

#include "scenarios/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace ringsim::scenarios {
namespace {

bool same(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->kind != b->kind || a->text != b->text || a->items.size() != b->items.size() ||
      a->entries.size() != b->entries.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a->items.size(); ++i) {
    if (!same(&a->items[i], &b->items[i])) return false;
  }
  return std::all_of(a->entries.begin(), a->entries.end(),
                     [&](const Value::Entry& entry) { return same(&entry.value, b->find(entry.key)); });
}

const Value* find_in(const Value* node, std::string_view key) {
  return node == nullptr || !node->is_mapping() ? nullptr : node->find(key);
}

bool mapping_or_none(const Value* value) { return value == nullptr || value->is_mapping(); }

// Rows of a table, those of A first.
void compare_rows(const Value& a, const Value& b, const std::string& path, std::vector<std::string>& out) {
  for (const Value::Entry& row : a.entries) {
    if (!same(&row.value, b.find(row.key))) out.push_back(path_to(path, row.key));
  }
  for (const Value::Entry& row : b.entries) {
    if (a.find(row.key) == nullptr) out.push_back(path_to(path, row.key));
  }
}

// `overrides`: a name stands for the rest of the mapping, so that a side which does not write a key has it all the same.
void compare_mappings(const Value* a, const Value* b, const Mapping& spec, std::string_view path, bool overrides,
                      std::vector<std::string>& out) {
  for (const char* reference : {"use", "hf_config"}) {
    overrides = overrides || find_in(a, reference) != nullptr || find_in(b, reference) != nullptr;
  }
  for (const Field& field : spec.fields) {
    if (field.role == Role::note || (path.empty() && field.key == "name")) continue;
    const Value* of_a = find_in(a, field.key);
    const Value* of_b = find_in(b, field.key);
    if (same(of_a, of_b)) continue;
    const std::string key = path_to(path, field.key);
    const bool both = of_a != nullptr && of_b != nullptr;
    const bool whole = !both && !overrides && (!path.empty() || field.key == "profile");
    if (field.kind == Kind::mapping && !whole && mapping_or_none(of_a) && mapping_or_none(of_b)) {
      compare_mappings(of_a, of_b, field.mapping(), key, overrides, out);
    } else if (field.kind == Kind::table && both && of_a->is_mapping() && of_b->is_mapping()) {
      compare_rows(*of_a, *of_b, key, out);
    } else {
      out.push_back(key);
    }
  }
}

}  // namespace

std::vector<std::string> written_changes(const Value& a, const Value& b) {
  std::vector<std::string> keys;
  compare_mappings(&a, &b, scenario_spec(), "", false, keys);
  return keys;
}

const Value* value_at(const Value& root, std::string_view path) {
  const Value* node = &root;
  while (node != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    node = find_in(node, path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return node;
}

void take_over(Value& into, const Value& from, std::string_view path) {
  const std::size_t dot = path.find('.');
  const std::string_view key = path.substr(0, dot);
  const Value* source = from.find(key);
  if (dot == std::string_view::npos) {
    if (source == nullptr) {
      into.erase(key);
    } else {
      into.set(key, *source, source->origin);
    }
    return;
  }
  Value* target = into.find(key);
  if (target == nullptr) {
    if (source == nullptr) return;
    into.set(key, Value::mapping(source->origin), source->origin);
    target = into.find(key);
  }
  static const Value nothing = Value::mapping("");
  take_over(*target, source == nullptr ? nothing : *source, path.substr(dot + 1));
  if (source == nullptr && target->entries.empty()) into.erase(key);
}

std::string in_short(const Value* value) {
  constexpr std::size_t longest = 60;
  if (value == nullptr) return "not written";
  if (value->is_scalar()) return value->text;
  std::string text;
  if (value->is_sequence()) {
    for (const Value& item : value->items) text += (text.empty() ? "[" : ", ") + in_short(&item);
    text += text.empty() ? "[]" : "]";
    return text.size() <= longest ? text : fmt::format("a list of {}", value->items.size());
  }
  for (const Value::Entry& entry : value->entries) {
    text += fmt::format("{}{}: {}", text.empty() ? "{" : ", ", entry.key, in_short(&entry.value));
  }
  text += text.empty() ? "{}" : "}";
  return text.size() <= longest ? text : fmt::format("{} keys", value->entries.size());
}

}  // namespace ringsim::scenarios
