#include "calibrate/import/json_text.hpp"

#include "calibrate/import/text.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ringsim::calibrate {

using nlohmann::json;

void fail_as_json(std::string_view file, std::string_view text, const json::parse_error& error) {
  const std::size_t byte = std::min<std::size_t>(error.byte > 0 ? error.byte - 1 : 0, text.size());
  const std::string_view before = text.substr(0, byte);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_begin = before.rfind('\n');
  const std::size_t column = byte - (line_begin == std::string_view::npos ? 0 : line_begin + 1) + 1;
  throw Error("not valid JSON", fmt::format("{}:{}:{}", file, line, column),
              byte == text.size() ? "the text ends too early: was the file cut off?" : "");
}

void fail_as_number(std::string_view file) {
  throw Error("a number of the JSON is beyond what a double can hold", std::string(file), {});
}

json parse_json_text(std::string_view file, std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    fail_as_json(file, text, error);
  } catch (const json::out_of_range&) {
    fail_as_number(file);
  }
}

JsonPlace JsonPlace::at(const char* key) const {
  if (!value_->is_object()) fail("an object is expected here");
  const auto found = value_->find(key);
  if (found == value_->end()) fail(fmt::format("{} is missing", key));
  return {*found, file_, path_.empty() ? key : path_ + "." + key};
}

std::optional<JsonPlace> JsonPlace::find(const char* key) const {
  if (!value_->is_object()) fail("an object is expected here");
  const auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) return std::nullopt;
  return at(key);
}

std::vector<JsonPlace> JsonPlace::items() const {
  if (!value_->is_array()) fail("an array is expected here");
  std::vector<JsonPlace> all;
  for (std::size_t i = 0; i < value_->size(); ++i)
    all.push_back({(*value_)[i], file_, fmt::format("{}[{}]", path_, i)});
  return all;
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) fail("a string is expected here");
  return value_->get<std::string>();
}

double JsonPlace::number() const {
  if (value_->is_number()) return value_->get<double>();
  if (value_->is_string()) {
    const std::string text = value_->get<std::string>();
    if (lower_case(trimmed(text)) == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (const auto number = finite_number(trimmed(text))) return *number;
  }
  fail(fmt::format("{} is no number", value_->dump(-1, ' ', true, json::error_handler_t::replace)));
}

std::int64_t JsonPlace::count() const {
  // One beyond the range would come out negative.
  if (value_->is_number_integer() && *value_ >= 0 && value_->get<std::int64_t>() >= 0) {
    return value_->get<std::int64_t>();
  }
  if (value_->is_string()) {
    const auto number = whole_number(trimmed(value_->get_ref<const std::string&>()));
    if (number && *number >= 0) return *number;
  }
  fail(fmt::format("{} is no count", value_->dump(-1, ' ', true, json::error_handler_t::replace)),
       "a whole number, at least 0");
}

bool JsonPlace::flag() const {
  if (value_->is_boolean()) return value_->get<bool>();
  if (*value_ == "true") return true;
  if (*value_ == "false") return false;
  fail("true or false is expected here");
}

std::string JsonPlace::where() const {
  return path_.empty() ? std::string(file_) : fmt::format("{}: {}", file_, path_);
}

void JsonPlace::fail(const std::string& what, const std::string& hint) const { throw Error(what, where(), hint); }

}  // namespace ringsim::calibrate
