#pragma once
// A job in many replicas: the same program on the same cluster, with other draws of the jitter in each.
//
// In a replica every ring of the job runs, each with streams of its own (models/jitter.hpp), and the job ends with its slowest
// ring. Without a flow engine rings do not delay each other on the wire: a contended link is a fixed share (LinkShares::fixed).
// What begins in the middle of a run (slow links, failures, background traffic from a time on) is not modelled here.

#include "models/job_network.hpp"
#include "models/scenario.hpp"
#include "sim/phases.hpp"
#include "sim/replica_statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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
/// the replica's number alone, not on what else is run, nor on how many threads there are (0: one a core). Throws Error for less than
/// one replica.
[[nodiscard]] std::vector<ReplicaOutcome> run_replicas(const Scenario& scenario, const JobNetwork& network,
                                                       std::span<const PhaseProgram> phases, std::uint64_t seed,
                                                       std::int64_t count, std::int64_t first = 0,
                                                       std::size_t threads = 1);

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
