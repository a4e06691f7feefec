#pragma once
// The benchmarks of the host. Of the files in this folder alone.

#include "calibrate/host/benchmarks.hpp"
#include "calibrate/host/sampler.hpp"
#include "calibrate/task.hpp"

#include <vector>

namespace ringsim::calibrate {

/// `sampler` and `options` must outlive the tasks.
template <class T>
std::vector<Task> compute_tasks(CollectiveSampler& sampler, const HostBenchmarkOptions& options);
template <class T>
std::vector<Task> transfer_tasks(CollectiveSampler& sampler, const HostBenchmarkOptions& options);
/// Whether every rank can have a transfer thread on a core of its own.
[[nodiscard]] bool has_cores_for_transfers(int ranks);
template <class T>
std::vector<Task> launch_tasks(CollectiveSampler& sampler, const HostBenchmarkOptions& options);

[[nodiscard]] inline HeadShape head_shape(const HostBenchmarkOptions& options, std::int64_t query_heads) {
  return {1, query_heads, query_heads, options.head_dim, options.head_dim};
}

}  // namespace ringsim::calibrate
