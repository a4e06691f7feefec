#include "calibrate/import/kernel_times_csv.hpp"

#include "calibrate/import/csv_text.hpp"
#include "calibrate/import/kernel_row.hpp"
#include "calibrate/import/text.hpp"
#include "models/error.hpp"
#include "models/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ringsim::calibrate {
namespace {

std::string_view renamed(const std::string& name, const ImportOptions& options) {
  const auto given = options.names.find(name);
  return column_of(given == options.names.end() ? name : given->second);
}

/// The column of every cell of a row; empty for one that is to be ignored.
std::vector<std::string> read_header(const std::string& file, const CsvRow& header, const ImportOptions& options) {
  std::vector<std::string> columns;
  for (const std::string& name : header.cells) {
    if (is_ignored(name, options)) {
      columns.emplace_back();
      continue;
    }
    const std::string_view column = renamed(name, options);
    const std::string where = place(file, header.line);
    if (column.empty()) {
      throw Error(fmt::format("the column {} is not known", name), where,
                  name_hint(name, known_columns(), "known columns"));
    }
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) {
      throw Error(fmt::format("the column {} says the same as another: {}", name, column), where,
                  "keep one of the two");
    }
    columns.emplace_back(column);
  }
  return columns;
}

}  // namespace

bool is_kernel_times_csv(std::string_view text, const ImportOptions& options) {
  text = without_mark(text);
  std::string_view line;
  while (!text.empty() && (line.empty() || line.front() == '#')) line = trimmed(take_line(text));
  int known = 0;
  while (!line.empty()) {
    const std::size_t comma = line.find(',');
    std::string_view name = trimmed(line.substr(0, comma));
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    known += renamed(std::string(name), options).empty() ? 0 : 1;
    line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
  }
  return known >= 2;
}

Points import_kernel_times_csv(const std::string& name, std::string_view text, const ImportOptions& options) {
  const CsvTable table = parse_csv(name, text);
  const std::vector<std::string> columns = read_header(name, table.header, options);
  Points points;
  points.provenance.device = "import";
  for (const CsvRow& line : table.rows) {
    KernelRow row{{}, place(name, line.line)};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!columns[i].empty()) row.values[columns[i]] = line.cells[i];
    }
    add_point(points, row, options);
  }
  return points;
}

}  // namespace ringsim::calibrate
