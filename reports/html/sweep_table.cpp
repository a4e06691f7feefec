#include "reports/html/sweep_table.hpp"

#include "calibrate/import/csv_text.hpp"
#include "models/error.hpp"
#include "reports/html/sweep_axes.hpp"
#include "reports/json_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace ringsim::reports {
namespace {

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

SweepCell cell_of(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return {value.get<std::string>(), {}};
  if (value.is_number()) return {value.dump(), value.get<double>()};
  return {value.dump(), {}};
}

void read_json_lines(std::string_view text, const std::string& file, SweepTable& table) {
  std::size_t line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    if (row.empty()) continue;
    const Json object = Json::parse(row, nullptr, false);
    if (!object.is_object()) {
      throw Error("not a row of a sweep", fmt::format("{}:{}", file, line), "an object a line, as sweep writes it");
    }
    if (table.columns.empty()) {
      for (const auto& [name, value] : object.items()) table.columns.push_back(name);
    }
    std::vector<SweepCell> cells;
    for (const std::string& column : table.columns) cells.push_back(cell_of(object.value(column, Json())));
    table.rows.push_back(std::move(cells));
  }
}

void read_csv(std::string_view text, const std::string& file, SweepTable& table) {
  const calibrate::CsvTable csv = calibrate::parse_csv(file, text);
  table.columns = csv.header.cells;
  for (const calibrate::CsvRow& row : csv.rows) {
    std::vector<SweepCell> cells;
    for (const std::string& text_of_cell : row.cells) cells.push_back({text_of_cell, number_of(text_of_cell)});
    table.rows.push_back(std::move(cells));
  }
}

}  // namespace

std::optional<std::size_t> SweepTable::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

std::optional<double> SweepTable::figure(std::size_t row, std::string_view name) const {
  const std::optional<std::size_t> at = column(name);
  return at ? rows[row][*at].value : std::nullopt;
}

bool SweepTable::failed(std::size_t row) const {
  const std::optional<std::size_t> at = column("error");
  return at && !rows[row][*at].text.empty();
}

SweepTable read_sweep(std::string_view text, bool json_lines, std::size_t axes, const std::string& file) {
  SweepTable table;
  table.axes = axes;
  if (json_lines) {
    read_json_lines(text, file, table);
  } else {
    read_csv(text, file, table);
  }
  // Once, since it looks at every row: pages ask for it at every cell.
  for (std::size_t i = 0; i < table.columns.size(); ++i) table.about.push_back(find_axis(table, i));
  return table;
}

}  // namespace ringsim::reports
