#include "calibrate/fit/knots.hpp"

#include <algorithm>
#include <cmath>

namespace ringsim::calibrate {

std::vector<std::size_t> knots_of(const std::vector<double>& sizes, const std::vector<double>& times_s, double fixed_s,
                                  double tolerance, std::size_t most) {
  std::vector<std::size_t> kept;
  if (sizes.empty()) return kept;
  kept.push_back(0);
  if (sizes.size() > 1) kept.push_back(sizes.size() - 1);
  while (kept.size() < most) {
    double worst = tolerance;
    std::size_t missed = 0;  // 0: none, since the first is kept
    for (std::size_t k = 1; k < kept.size(); ++k) {
      const std::size_t low = kept[k - 1];
      const std::size_t high = kept[k];
      for (std::size_t i = low + 1; i < high; ++i) {
        const double part = (sizes[i] - sizes[low]) / (sizes[high] - sizes[low]);
        const double between_s = times_s[low] + part * (times_s[high] - times_s[low]);
        const double error = std::abs(std::log((between_s + fixed_s) / (times_s[i] + fixed_s)));
        if (error > worst) {
          worst = error;
          missed = i;
        }
      }
    }
    if (missed == 0) break;
    kept.insert(std::upper_bound(kept.begin(), kept.end(), missed), missed);
  }
  return kept;
}

}  // namespace ringsim::calibrate
