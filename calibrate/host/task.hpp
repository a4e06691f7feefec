#pragma once
// One benchmark before it has been run. Of the files in this folder alone.

#include "calibrate/host/benchmarks.hpp"
#include "calibrate/host/sampler.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

/// Point and samples of a benchmark; `disturbed`: why its samples are to be taken with care, empty: they are not.
struct Outcome {
  Benchmark benchmark;
  std::string disturbed;
};

struct Task {
  std::string name;
  double weight = 1;                                // share of the time
  std::function<Outcome(const SamplingRule&)> run;  // collective
};

/// `point` with the sampling's time in it.
template <class Point>
Outcome outcome_of(Point point, const Sampling& sampling) {
  point.time = sampling.timing();
  return {{std::move(point), {samples_of(sampling)}}, sampling.mostly_disturbed() ? sampling.note() : ""};
}

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
