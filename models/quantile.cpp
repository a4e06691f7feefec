#include "models/quantile.hpp"

#include "models/error.hpp"

#include <algorithm>
#include <cstddef>

namespace ringsim {

double quantile_of_sorted(std::span<const double> ascending, double part) {
  const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (place - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

double quantile(std::vector<double> samples, double part) {
  if (samples.empty()) throw Error("statistics of no samples at all");
  std::sort(samples.begin(), samples.end());
  return quantile_of_sorted(samples, part);
}

}  // namespace ringsim
