#pragma once
// Comma-separated values by RFC 4180: cells in double quotes may hold commas, line ends and doubled quotes. Blank lines
// and lines that begin with '#' are skipped; every row has as many cells as the header.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

struct CsvRow {
  std::size_t line = 0;  // where it begins, counted from 1
  std::vector<std::string> cells;
};

struct CsvTable {
  CsvRow header;
  std::vector<CsvRow> rows;
};

/// The first row is the header; the text begins at line `first_line` of its file. Cells outside of quotes lose blanks at
/// either side. Throws Error for a quote that is not closed, text after a closing quote, a row with more or fewer cells
/// than the header, a header with an empty or repeated name, and a text without rows.
[[nodiscard]] CsvTable parse_csv(std::string_view file, std::string_view text, std::size_t first_line = 1);

}  // namespace ringsim::calibrate
