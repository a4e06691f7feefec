#include "reports/charts/line_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ringsim::reports {

Range range_of(const std::vector<double>& values, Scale scale, bool from_zero) {
  if (values.empty()) return scale == Scale::linear ? Range{0, 1} : Range{1, 10};
  auto [low, high] = std::ranges::minmax(values);
  if (scale == Scale::linear && from_zero) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  if (low < high) return {low, high};
  if (scale == Scale::logarithmic) return {low / 2, high * 2};
  const double half = low == 0 ? 0.5 : std::abs(low) / 2;
  return {low - half, high + half};
}

std::vector<std::vector<double>> area_bases(const LineChart& chart) {
  std::vector<std::vector<double>> bases(chart.series.size());
  std::vector<double> sum;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const LineSeries& series = chart.series[i];
    if (!series.area) continue;
    sum.resize(series.points.size());
    bases[i] = sum;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += series.points[k].y;
  }
  return bases;
}

std::vector<double> spread(const std::vector<double>& wanted, double top, double bottom) {
  constexpr double apart = 15, most_moved = 12;
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wanted[i]; });
  std::vector<double> heights = wanted;
  // Down from the top, then what has left the plot up again from the bottom.
  double least = top;
  for (const std::size_t i : order) {
    heights[i] = std::max(heights[i], least);
    least = heights[i] + apart;
  }
  double most = bottom;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    heights[*i] = std::min(heights[*i], most);
    most = heights[*i] - apart;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (heights[i] < top - 1 || std::abs(heights[i] - wanted[i]) > most_moved) return {};
  }
  return heights;
}

}  // namespace ringsim::reports
