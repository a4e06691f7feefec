#pragma once
// Statistics of timings, none of which assumes a distribution.
//
// The median's interval runs from one order statistic to another (Hahn, Meeker, "Statistical Intervals", §5; Le Boudec,
// "Performance Evaluation of Computer and Communication Systems", §2.2): the true median lies below the d-th smallest
// of n independent samples only if fewer than d of them fall below it, and each does so with probability ½, hence
//   P(x_(d) ≤ median ≤ x_(n+1−d)) = 1 − 2·P(Binomial(n, ½) ≤ d − 1)
// exactly, for samples of a continuous distribution.

#include "models/quantile.hpp"

#include <cstdint>
#include <vector>

namespace ringsim::calibrate {

/// Order statistics (1: the smallest) that enclose the median with probability `coverage`.
struct MedianRanks {
  std::int64_t low = 1;
  std::int64_t high = 1;
  double coverage = 0;  // exact; below 0.95 where there are fewer than 6 samples: then the ranks are the extremes
};

/// The narrowest symmetric ranks of `samples` samples (at least 1) whose coverage is at least 95 %.
[[nodiscard]] MedianRanks median_ranks(std::int64_t samples);

/// In the samples' unit.
struct MedianInterval {
  double median = 0;
  double low = 0;
  double high = 0;
  double coverage = 0;
  [[nodiscard]] bool reaches_95() const { return coverage >= 0.95; }
};

// None of these accepts an empty list; all throw Error for one. Order does not matter.
[[nodiscard]] MedianInterval median_interval(std::vector<double> samples);
[[nodiscard]] double median(std::vector<double> samples);
/// Median of |sample − median|. For normal errors 1.4826 times it estimates their standard deviation.
[[nodiscard]] double median_absolute_deviation(std::vector<double> samples);

}  // namespace ringsim::calibrate
