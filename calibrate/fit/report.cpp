#include "calibrate/fit/report.hpp"

#include "calibrate/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::calibrate {

void summarise(FitReport& report) {
  if (report.residuals.empty()) return;
  std::vector<double> signed_ones;
  std::vector<double> sizes;
  for (const Residual& residual : report.residuals) {
    signed_ones.push_back(residual.relative);
    sizes.push_back(std::abs(residual.relative));
  }
  report.bias = median(signed_ones);
  report.median_residual = median(sizes);
  report.p90_residual = quantile(sizes, 0.9);
  const auto worst = std::max_element(sizes.begin(), sizes.end());
  report.worst_residual = *worst;
  report.worst_point = report.residuals[static_cast<std::size_t>(worst - sizes.begin())].point;
}

double scatter_95(const FitReport& report) {
  std::vector<double> sizes;
  for (const Residual& residual : report.residuals) sizes.push_back(std::abs(residual.relative));
  return sizes.empty() ? 0.0 : quantile(std::move(sizes), 0.95);
}

double stated_uncertainty(double uncertainty, const std::string& what, std::vector<std::string>& notes) {
  if (uncertainty <= most_uncertainty) return uncertainty;
  notes.push_back(fmt::format("{}: known to ±{:.0f} % only, ±{:.0f} % is stated; these points are of little use", what,
                              100 * uncertainty, 100 * most_uncertainty));
  return most_uncertainty;
}

std::string text_of(const Range& range) {
  return range.low == range.high ? fmt::format("{:g}", range.low) : fmt::format("{:g} ... {:g}", range.low, range.high);
}

Range hull(const Range& range, double value) { return {std::min(range.low, value), std::max(range.high, value)}; }

}  // namespace ringsim::calibrate
