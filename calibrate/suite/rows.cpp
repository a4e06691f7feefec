#include "calibrate/suite/rows.hpp"

#include "calibrate/import/csv_text.hpp"
#include "calibrate/import/text.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace ringsim::calibrate {
namespace {

// A column that is not a key of the scenario; `where` of errors.
struct Columns {
  std::optional<std::size_t> id, metric, measured, unit, group, scored;
  std::vector<std::size_t> keys;
};

bool is_key(const std::string& header) {
  return !header.empty() && std::all_of(header.begin(), header.end(), [](char c) {
    return c == '.' || c == '_' || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
  });
}

Columns columns_of(std::string_view file, const CsvRow& header) {
  Columns columns;
  const std::string where = place(file, header.line);
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const std::string& name = header.cells[i];
    if (name == "id") {
      columns.id = i;
    } else if (name == "metric") {
      columns.metric = i;
    } else if (name == "measured") {
      columns.measured = i;
    } else if (name == "unit") {
      columns.unit = i;
    } else if (name == "group") {
      columns.group = i;
    } else if (name == "scored") {
      columns.scored = i;
    } else if (is_key(name)) {
      columns.keys.push_back(i);
    } else {
      throw Error(fmt::format("\"{}\" is no column", name), where,
                  "id, metric, measured, unit, group, scored, or a key of the scenario such as ring.layout");
    }
  }
  for (const auto& [column, name] : {std::pair{columns.id, "id"}, std::pair{columns.metric, "metric"},
                                     std::pair{columns.measured, "measured"}, std::pair{columns.unit, "unit"}}) {
    if (!column) throw Error(fmt::format("the column {} is missing", name), where, "id, metric, measured, unit");
  }
  return columns;
}

SuiteRow row_of(std::string_view file, const Columns& columns, const CsvRow& header, const CsvRow& cells) {
  SuiteRow row;
  row.place = place(file, cells.line);
  const auto cell = [&](std::optional<std::size_t> column) { return column ? cells.cells[*column] : std::string(); };
  row.id = cell(columns.id);
  if (row.id.empty()) throw Error("the row has no id", row.place, "a name that no other row of the set has");
  try {
    row.metric = metric_of(cell(columns.metric));
    row.unit = unit_of(cell(columns.unit), row.metric);
  } catch (const Error& error) {
    throw Error(error.message(), row.place, error.hint());
  }
  const std::optional<double> measured = finite_number(cell(columns.measured));
  if (!measured || *measured <= 0) {
    throw Error(fmt::format("\"{}\" is no measured value", cell(columns.measured)), row.place, "a number above 0");
  }
  row.measured = *measured;
  row.group = cell(columns.group);
  row.not_scored = cell(columns.scored);
  for (const std::size_t key : columns.keys) {
    if (!cells.cells[key].empty()) row.sets.push_back(header.cells[key] + "=" + cells.cells[key]);
  }
  return row;
}

}  // namespace

std::vector<SuiteRow> read_suite_rows(std::string_view file, std::string_view text) {
  const CsvTable table = parse_csv(file, text);
  const Columns columns = columns_of(file, table.header);
  std::vector<SuiteRow> rows;
  std::set<std::string> ids;
  for (const CsvRow& cells : table.rows) {
    rows.push_back(row_of(file, columns, table.header, cells));
    if (!ids.insert(rows.back().id).second) {
      throw Error(fmt::format("the id {} stands twice", rows.back().id), rows.back().place, "an id for each row");
    }
  }
  return rows;
}

void check_all_rows(const PublishedSet& set, const std::vector<SuiteRow>& rows, const std::string& file) {
  std::int64_t left_out = 0;
  for (const LeftOutRows& some : set.left_out) left_out += some.count;
  const auto here = static_cast<std::int64_t>(rows.size());
  if (here + left_out == set.rows_of_source) return;
  throw Error(
      fmt::format("{} rows and {} left out do not make the {} of the source", here, left_out, set.rows_of_source), file,
      "every row, or its reason under left_out");
}

}  // namespace ringsim::calibrate
