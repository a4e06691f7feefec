#pragma once
// The values of a chart as a table: for those who cannot see it, and for those who want the numbers.

#include "reports/charts/chart.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim::reports {

struct ChartCell {
  std::string text;             // for people
  std::optional<double> value;  // of numbers: exact, SI
  std::string remark{};         // behind the number
};
struct ChartTable {
  std::vector<std::string> header;
  std::vector<std::vector<ChartCell>> rows;  // as many cells as the header
  std::string left_out;                      // a sentence where there are more rows than anybody reads; else empty
};

/// Of the spans of a timeline the first 200.
[[nodiscard]] ChartTable table_of(const Chart& chart);

/// "12.30 ms", "43.10 GB", "4.5 %".
[[nodiscard]] std::string human(Quantity quantity, double value);

}  // namespace ringsim::reports
