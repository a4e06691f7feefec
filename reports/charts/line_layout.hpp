#pragma once
// Where the parts of a line chart go: its scales, the stack of its areas, and whether names stand at the ends of lines.

#include "reports/charts/axes.hpp"
#include "reports/charts/chart.hpp"

#include <cstddef>
#include <vector>

namespace ringsim::reports {

struct Range {
  double low = 0, high = 1;
};

/// Least and largest of the values, widened where they are one; of a linear axis with 0 where `from_zero`.
[[nodiscard]] Range range_of(const std::vector<double>& values, Scale scale, bool from_zero);

/// By series, then by point: where an area begins, the sum of the areas before it. Empty for lines.
[[nodiscard]] std::vector<std::vector<double>> area_bases(const LineChart& chart);

/// Heights [px] for names at the ends of series, at least a line of text apart, or nothing where one would stand far from its end.
[[nodiscard]] std::vector<double> spread(const std::vector<double>& wanted, double top, double bottom);

}  // namespace ringsim::reports
