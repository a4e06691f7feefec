#include "calibrate/json_object.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace ringsim::calibrate {
namespace {

using nlohmann::json;

std::string shown(const json& value) {
  constexpr std::size_t most = 40;  // characters of a wrong value that help to find it
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > most) text = text.substr(0, most) + "...";
  return text;
}

[[noreturn]] void wrong(const json& value, const std::string& where, const std::string& expected) {
  throw Error(fmt::format("{} is not {}", shown(value), expected), where);
}

/// A key as a part of a JSON pointer.
std::string escaped(const std::string& key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

json parse_json(std::string_view text, const std::string& file) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 3, column 7: ...": the library's own number helps nobody.
    std::string what = error.what();
    const std::size_t start = what.find("] ");
    if (start != std::string::npos) what = what.substr(start + 2);
    throw Error("this is no JSON: " + what, file, "a file that ringsim wrote with --format json or --output");
  }
}

JsonObject::JsonObject(const json& value, std::string where) : object_(value), where_(std::move(where)) {
  if (!object_.is_object()) wrong(object_, where_, "an object");
}

std::string JsonObject::where(const std::string& key) const {
  // The first key of a file stands behind "file: ".
  const bool top = where_.find(": /") == std::string::npos;
  return fmt::format("{}{}/{}", where_, top ? ": " : "", escaped(key));
}

std::string JsonObject::where(const std::string& key, std::size_t index) const {
  return fmt::format("{}/{}", where(key), index);
}

const json& JsonObject::value(const std::string& key) {
  asked_.insert(key);
  const auto found = object_.find(key);
  if (found == object_.end()) {
    throw Error(fmt::format("the key \"{}\" is missing", key), where_, "the file as ringsim wrote it");
  }
  return *found;
}

std::string JsonObject::text(const std::string& key) { return json_string(value(key), where(key)); }

std::string JsonObject::one_of(const std::string& key, std::initializer_list<const char*> allowed) {
  const std::string found = text(key);
  std::string list;
  for (const char* one : allowed) {
    if (found == one) return found;
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", one);
  }
  throw Error(fmt::format("\"{}\" is not known here", found), where(key), (allowed.size() > 1 ? "one of " : "") + list);
}

double JsonObject::number(const std::string& key, double least) { return json_number(value(key), where(key), least); }

std::int64_t JsonObject::integer(const std::string& key, std::int64_t least) {
  return json_integer(value(key), where(key), least);
}

bool JsonObject::flag(const std::string& key) {
  const json& found = value(key);
  if (!found.is_boolean()) wrong(found, where(key), "true or false");
  return found.get<bool>();
}

JsonObject JsonObject::object(const std::string& key) { return {value(key), where(key)}; }

const json& JsonObject::array(const std::string& key) {
  const json& found = value(key);
  if (!found.is_array()) wrong(found, where(key), "an array");
  return found;
}

void JsonObject::finish() const {
  for (const auto& item : object_.items()) {
    if (!asked_.contains(item.key())) {
      throw Error(fmt::format("the key \"{}\" is not known here", item.key()), where(item.key()),
                  "was the file written by another version of ringsim, or by hand?");
    }
  }
}

double json_number(const json& value, const std::string& where, double least) {
  if (!value.is_number()) wrong(value, where, "a number");
  const auto number = value.get<double>();
  if (!std::isfinite(number)) wrong(value, where, "a finite number");
  if (number < least)
    throw Error(fmt::format("{} is too small", shown(value)), where, fmt::format("at least {}", least));
  return number;
}

std::int64_t json_integer(const json& value, const std::string& where, std::int64_t least) {
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() >> 63U != 0)) {
    wrong(value, where, "a whole number");
  }
  const auto number = value.get<std::int64_t>();
  if (number < least) throw Error(fmt::format("{} is too small", number), where, fmt::format("at least {}", least));
  return number;
}

std::string json_string(const json& value, const std::string& where) {
  if (!value.is_string()) wrong(value, where, "a text");
  return value.get<std::string>();
}

}  // namespace ringsim::calibrate
