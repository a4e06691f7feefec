#pragma once
// Strict access to JSON files of other programs: every failure names the file, the path in it, and what is expected.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

/// Throws the Error for a text that is no JSON, with line and column.
[[noreturn]] void fail_as_json(std::string_view file, std::string_view text, const nlohmann::json::parse_error& error);

/// Throws the Error for a number beyond the range of doubles.
[[noreturn]] void fail_as_number(std::string_view file);

/// Throws Error where the text is no JSON.
[[nodiscard]] nlohmann::json parse_json_text(std::string_view file, std::string_view text);

/// A value and where it stands. Does not own the value.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& value, std::string_view file, std::string path = {})
      : value_(&value), file_(file), path_(std::move(path)) {}

  /// A member that must be there; one that may be missing or null.
  [[nodiscard]] JsonPlace at(const char* key) const;
  [[nodiscard]] std::optional<JsonPlace> find(const char* key) const;
  [[nodiscard]] std::vector<JsonPlace> items() const;  // of an array

  [[nodiscard]] std::string text() const;
  /// A number, or a string that holds one. "nan" is NaN.
  [[nodiscard]] double number() const;
  [[nodiscard]] std::int64_t count() const;  // a whole number, at least 0
  /// true or false, or a string that says so.
  [[nodiscard]] bool flag() const;

  [[nodiscard]] const nlohmann::json& value() const { return *value_; }
  [[nodiscard]] std::string where() const;
  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const;

 private:
  const nlohmann::json* value_;
  std::string_view file_;
  std::string path_;
};

}  // namespace ringsim::calibrate
