#pragma once
// The figures of a prediction over all replicas.

#include "sim/job_run.hpp"
#include "sim/prediction.hpp"
#include "sim/replicas.hpp"

#include <cstdint>
#include <vector>

namespace ringsim::sim {

[[nodiscard]] ReplicaOutcome outcome_of(const JobRun& job);

/// The replica of the median makespan: of an even number the lower one; of equals the first.
[[nodiscard]] std::int64_t median_replica(const std::vector<ReplicaOutcome>& replicas);

/// Times as they were; rates and costs from each replica's makespan, by those of `prediction`, which is complete but for this.
[[nodiscard]] ReplicaSummary summary_of(const std::vector<ReplicaOutcome>& replicas, const Prediction& prediction);

}  // namespace ringsim::sim
