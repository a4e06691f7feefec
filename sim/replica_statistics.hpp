#pragma once
// Statistics over replicas are order statistics, linear in between (models/quantile.hpp); none assumes a distribution. The
// *tail* of a quantity is where it is bad: of times and costs the high one, p95 and p99; of tokens/s, overlap, efficiency and MFU
// the low one, whose 95 % are its 5th percentile, p5, and whose 99 % its p1. `tail_95` is so what 95 % of the replicas do at least
// as well as, whatever the quantity, and `label_95` says which percentile that is.

#include <string_view>
#include <vector>

namespace ringsim::sim {

/// Which way a quantity should go.
enum class Better { smaller, larger };

/// Percentiles that the tails are: of quantities that should be small "p95" and "p99", else "p5" and "p1".
constexpr std::string_view label_95(Better better) { return better == Better::smaller ? "p95" : "p5"; }
constexpr std::string_view label_99(Better better) { return better == Better::smaller ? "p99" : "p1"; }

/// One quantity over all replicas, in its unit.
struct ReplicaStatistics {
  Better better = Better::smaller;
  double median = 0;
  double tail_95 = 0;  // 95 % of the replicas do at least as well
  double tail_99 = 0;  // of fewer than 100 replicas: between the two worst
  double lowest = 0;
  double highest = 0;
  double mean = 0;
};

/// Throws Error where there are no values.
[[nodiscard]] ReplicaStatistics statistics_of(std::vector<double> values, Better better);

}  // namespace ringsim::sim
