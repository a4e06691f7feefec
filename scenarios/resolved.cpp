#include "scenarios/resolved.hpp"

#include "scenarios/plain_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ringsim::scenarios {
namespace {

// The first --set among the origins below a node; empty where there is none.
std::string first_override(const Value& node) {
  for (const Value::Entry& entry : node.entries) {
    if (entry.key_origin.starts_with("--set")) return entry.key_origin;
    std::string below = first_override(entry.value);
    if (!below.empty()) return below;
  }
  return {};
}

// Whether the value is the default of a key that the language was given after scenarios had hashes.
bool is_later_default(const ResolvedValue& value) {
  const Field* field = field_at(value.key);
  return field != nullptr && !field->fallback.empty() && is_later(value.key) &&
         value.text == normal_text(std::string(field->fallback), *field);
}

}  // namespace

// The function of Fowler, Noll and Vo; a separator follows each text.
std::string hash_of(const std::vector<ResolvedValue>& values) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto mix = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    hash = (hash ^ 0xffU) * 1099511628211ULL;
  };
  for (const ResolvedValue& value : values) {
    if (is_later_default(value)) continue;
    mix(value.key);
    mix(value.text);
  }
  return fmt::format("{:016x}", hash);
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
