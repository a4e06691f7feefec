#include "calibrate/host/benchmarks.hpp"

#include "calibrate/host/task.hpp"
#include "calibrate/this_machine.hpp"
#include "kernels/host/attention.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <utility>

namespace ringsim::calibrate {
namespace {

void check(const HostBenchmarkOptions& options) {
  if (options.dtype != Dtype::fp32 && options.dtype != Dtype::fp64) {
    throw Error(fmt::format("CPUs do not compute in {}", name_of(options.dtype)), "dtype", "fp32 or fp64");
  }
  if (options.query_heads.empty()) throw Error("no number of heads is given", "heads", "such as 1, 4, 8");
  for (const std::int64_t heads : options.query_heads) {
    if (heads < 1) throw Error(fmt::format("{} heads", heads), "heads", "at least 1");
  }
  if (options.head_dim < 1)
    throw Error(fmt::format("a head dimension of {}", options.head_dim), "head_dim", "at least 1");
  if (!(options.budget_s > 0)) throw Error(fmt::format("a time of {} s", options.budget_s), "budget", "more than 0 s");
}

template <class T>
std::vector<Task> tasks_of(CollectiveSampler& sampler, const HostBenchmarkOptions& options) {
  std::vector<Task> all;
  for (std::vector<Task>& some : std::array{transfer_tasks<T>(sampler, options), launch_tasks<T>(sampler, options),
                                            compute_tasks<T>(sampler, options)}) {
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return all;
}

template <class T>
Samples run(const host::Communicator& ranks, const HostBenchmarkOptions& options, const ProgressCallback& progress) {
  CollectiveSampler sampler(ranks);
  const std::vector<Task> tasks = tasks_of<T>(sampler, options);
  const bool first = ranks.rank() == 0;
  const double began_s = host::now_s();
  TaskSchedule schedule;
  schedule.budget_s = options.budget_s;
  schedule.rule.target = options.target;
  schedule.spent_s = [&] { return ranks.broadcast(host::now_s() - began_s); };
  if (first) schedule.progress = progress;
  TaskResults results = run_tasks(tasks, schedule);
  Samples samples;
  if (!first) return samples;
  samples.benchmarks = std::move(results.benchmarks);
  samples.provenance = {
      .device = "host",
      .machine = machine_name(),
      .ranks = ranks.size(),
      .software = fmt::format("{}; {}; Eigen with {}", compiler_name(), host::Communicator::library_version(),
                              Eigen::SimdInstructionSetsInUse()),
      .date = utc_now(),
      .commit = options.commit};
  samples.notes = notes_on(results.disturbed, samples.benchmarks, options.target);
  if (ranks.size() > 1 && !has_cores_for_transfers(ranks.size())) {
    samples.notes.push_back(fmt::format(
        "interference copy-engine was left out: a transfer thread beside each of {} ranks would need {} cores",
        ranks.size(), 2 * ranks.size()));
  }
  if (ranks.size() < 2) samples.notes.emplace_back("one rank: no hop and no interference was measured");
  return samples;
}

}  // namespace

Samples run_host_benchmarks(const host::Communicator& ranks, const HostBenchmarkOptions& options,
                            const ProgressCallback& progress) {
  check(options);
  return options.dtype == Dtype::fp64 ? run<double>(ranks, options, progress) : run<float>(ranks, options, progress);
}

}  // namespace ringsim::calibrate
