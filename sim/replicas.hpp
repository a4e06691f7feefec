#pragma once
// A job in many replicas: the same program on the same cluster, with other draws of the jitter in each.
//
// In a replica every ring of the job runs, each with streams of its own (models/jitter.hpp), and the job ends with its slowest
// ring. Without a flow engine rings do not delay each other on the wire: a contended link is a fixed share (LinkShares::fixed).
// What begins in the middle of a run (slow links, failures, background traffic from a time on) is not modelled here.
//
// Statistics over replicas are order statistics, linear in between (models/quantile.hpp); none assumes a distribution. The
// *tail* of a quantity is where it is bad: of times and costs the high one, p95 and p99; of tokens/s, overlap, efficiency and MFU
// the low one, whose 95 % are its 5th percentile, p5, and whose 99 % its p1. `tail_95` is so what 95 % of the replicas do at least
// as well as, whatever the quantity, and `label_95` says which percentile that is.

#include "models/job_network.hpp"
#include "models/scenario.hpp"
#include "sim/program.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ringsim::sim {

/// One replica: times [s] of the slowest rank of the ring that ended last (the first of equals).
struct ReplicaOutcome {
  double makespan_s = 0;
  std::size_t ring = 0;  // index into JobNetwork::rings
  std::int64_t slowest_rank = 0;
  double compute_s = 0;
  double exposed_communication_s = 0;
  double bubble_s = 0;
  std::optional<double> overlap;  // absent: nothing travels
};

/// Replicas `first` to first + count - 1 of all rings of the scenario's job by the recurrence. Results depend on the seed and on
/// the replica's number alone, not on what else is run. Throws Error for less than one replica.
[[nodiscard]] std::vector<ReplicaOutcome> run_replicas(const Scenario& scenario, const JobNetwork& network,
                                                       const Program& program, std::uint64_t seed, std::int64_t count,
                                                       std::int64_t first = 0);

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

/// Of what `value(outcome)` makes of every replica: a member, or what follows from the makespan. An empty optional counts as absent
/// and is left out; nothing where all are absent.
template <class Value>
[[nodiscard]] std::optional<ReplicaStatistics> statistics_over(const std::vector<ReplicaOutcome>& replicas,
                                                               Better better, const Value& value) {
  std::vector<double> values;
  for (const ReplicaOutcome& replica : replicas) {
    if (const std::optional<double> v = value(replica)) values.push_back(*v);
  }
  if (values.empty()) return std::nullopt;
  return statistics_of(std::move(values), better);
}

}  // namespace ringsim::sim
