#pragma once
// Comma-separated values (RFC 4180): fields with a comma, a quote or a line end are quoted, quotes doubled, lines end
// in CR LF. Numbers have full precision; what is absent is an empty field.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringsim::reports {

[[nodiscard]] std::string csv_quoted(std::string_view field);
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

/// One row under its header.
class CsvRow {
 public:
  void add(std::string name, std::string_view text) { fields_.emplace_back(std::move(name), text); }
  void add(std::string name, const char* text) { add(std::move(name), std::string_view(text)); }
  void add(std::string name, double value);
  void add(std::string name, std::int64_t value) { fields_.emplace_back(std::move(name), std::to_string(value)); }
  void add(std::string name, std::uint64_t value) { fields_.emplace_back(std::move(name), std::to_string(value)); }
  void add(std::string name, int value) { add(std::move(name), std::int64_t{value}); }
  void add(std::string name, bool value) { add(std::move(name), value ? "true" : "false"); }
  template <class T>
  void add(std::string name, const std::optional<T>& value) {
    value ? add(std::move(name), *value) : add(std::move(name), "");
  }

  /// Header and row.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string row() const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace ringsim::reports
