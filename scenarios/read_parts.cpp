#include "scenarios/read_parts.hpp"

#include "models/error.hpp"
#include "scenarios/units.hpp"

namespace ringsim::scenarios {

const Value& part(const Value& mapping, std::string_view key) {
  const Value* value = mapping.find(key);
  if (value == nullptr) throw std::logic_error("incomplete mapping: no key " + std::string(key));
  return *value;
}

const std::string& text_at(const Value& mapping, std::string_view key) { return part(mapping, key).text; }

bool flag_at(const Value& mapping, std::string_view key) { return text_at(mapping, key) == "true"; }

std::int64_t count_at(const Value& mapping, std::string_view key) { return parse_count(text_at(mapping, key)); }

std::optional<std::int64_t> optional_count_at(const Value& mapping, std::string_view key) {
  const Value* value = mapping.find(key);
  return value == nullptr ? std::nullopt : std::optional(parse_count(value->text));
}

std::optional<double> optional_number_at(const Value& mapping, std::string_view key) {
  const Value* value = mapping.find(key);
  return value == nullptr ? std::nullopt : std::optional(parse_number(value->text));
}

}  // namespace ringsim::scenarios
