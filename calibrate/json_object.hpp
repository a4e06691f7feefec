#pragma once
// Strict reading of JSON files: every key is asked for by name and type, and what was not asked for is an error. Errors
// say where by file and JSON pointer (RFC 6901): "run.json: /per_rank/3/end_s".

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <string_view>

namespace ringsim::calibrate {

/// Parses a whole file. Throws Error with line and column where it is not JSON.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& file);

/// The values of one JSON object. Keeps a reference to it.
class JsonObject {
 public:
  /// Throws Error where `value` is no object. `where` is the file and the pointer to the object: "run.json: /check".
  JsonObject(const nlohmann::json& value, std::string where);

  [[nodiscard]] bool has(const std::string& key) const { return object_.contains(key); }
  [[nodiscard]] bool is_null(const std::string& key) { return value(key).is_null(); }
  [[nodiscard]] std::string text(const std::string& key);
  /// One of the texts in `allowed`.
  [[nodiscard]] std::string one_of(const std::string& key, std::initializer_list<const char*> allowed);
  /// A finite number of at least `least`.
  [[nodiscard]] double number(const std::string& key, double least = std::numeric_limits<double>::lowest());
  [[nodiscard]] std::int64_t integer(const std::string& key, std::int64_t least);
  [[nodiscard]] bool flag(const std::string& key);
  [[nodiscard]] JsonObject object(const std::string& key);
  [[nodiscard]] const nlohmann::json& array(const std::string& key);

  /// Throws Error where the object has a key that nobody asked for.
  void finish() const;

  /// Where the object, one of its keys, or an element of an array under a key stands.
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] std::string where(const std::string& key) const;
  [[nodiscard]] std::string where(const std::string& key, std::size_t index) const;

 private:
  const nlohmann::json& value(const std::string& key);

  const nlohmann::json& object_;
  std::string where_;
  std::set<std::string> asked_;
};

/// A number, an integer or a text by itself, such as an element of an array.
[[nodiscard]] double json_number(const nlohmann::json& value, const std::string& where, double least);
[[nodiscard]] std::int64_t json_integer(const nlohmann::json& value, const std::string& where, std::int64_t least);
[[nodiscard]] std::string json_string(const nlohmann::json& value, const std::string& where);

}  // namespace ringsim::calibrate
