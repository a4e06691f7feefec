#include "calibrate/statistics.hpp"

#include "models/error.hpp"

#include <algorithm>
#include <cmath>

namespace ringsim::calibrate {
namespace {

void sort(std::vector<double>& samples) {
  if (samples.empty()) throw Error("statistics of no samples at all");
  std::sort(samples.begin(), samples.end());
}

}  // namespace

MedianRanks median_ranks(std::int64_t samples) {
  if (samples < 1) throw Error("statistics of no samples at all");
  const auto n = static_cast<double>(samples);
  // P(Binomial = i) by logarithms, since ½ⁿ underflows from n = 1,075 on.
  double log_term = -n * std::log(2.0);  // i = 0
  double tail = 0;                       // P(Binomial <= d − 1)
  MedianRanks ranks;
  for (std::int64_t d = 1; 2 * d <= samples + 1; ++d) {
    tail += std::exp(log_term);
    const double coverage = std::max(0.0, 1.0 - 2.0 * tail);
    if (d > 1 && coverage < 0.95) break;
    ranks = {d, samples + 1 - d, coverage};
    log_term += std::log((n - static_cast<double>(d) + 1.0) / static_cast<double>(d));
  }
  return ranks;
}

MedianInterval median_interval(std::vector<double> samples) {
  sort(samples);
  const MedianRanks ranks = median_ranks(static_cast<std::int64_t>(samples.size()));
  return {quantile_of_sorted(samples, 0.5), samples[static_cast<std::size_t>(ranks.low - 1)],
          samples[static_cast<std::size_t>(ranks.high - 1)], ranks.coverage};
}

double median(std::vector<double> samples) { return quantile(std::move(samples), 0.5); }

double median_absolute_deviation(std::vector<double> samples) {
  const double middle = median(samples);
  for (double& sample : samples) sample = std::abs(sample - middle);
  return median(std::move(samples));
}

}  // namespace ringsim::calibrate
