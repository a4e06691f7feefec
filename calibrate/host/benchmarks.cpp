#include "calibrate/host/benchmarks.hpp"

#include "calibrate/host/task.hpp"
#include "calibrate/statistics.hpp"
#include "calibrate/this_machine.hpp"
#include "kernels/host/attention.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
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

// Neighbours in the list lie far apart in time (multiples of the golden ratio, modulo 1), so that a machine that drifts
// makes points scatter instead of shifting all those of a kind.
std::vector<std::size_t> spread_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [](std::size_t i) { return std::fmod(0.6180339887498949 * static_cast<double>(i), 1.0); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return order;
}

// One sentence on the benchmarks whose samples were mostly disturbed, one on those that stayed uncertain.
std::vector<std::string> notes_on(const std::vector<std::string>& disturbed, const std::vector<Benchmark>& benchmarks,
                                  double target) {
  std::vector<std::string> notes;
  if (!disturbed.empty()) {
    notes.push_back(fmt::format("{} of {} benchmarks were disturbed more often than not, such as {}", disturbed.size(),
                                benchmarks.size(), disturbed.front()));
  }
  std::size_t few = 0;
  std::size_t wide = 0;
  double widest = target;
  std::string name;
  for (const Benchmark& benchmark : benchmarks) {
    double width = 0;
    bool short_of = false;
    for (const Timing* time : timings(benchmark.point)) {
      short_of = short_of || !(median_ranks(time->samples).coverage >= 0.95);
      width = std::max(width, (time->high_s - time->low_s) / (2 * time->median_s));
    }
    few += short_of ? 1 : 0;
    wide += !short_of && width > target ? 1 : 0;
    if (!short_of && width > widest) {
      widest = width;
      name = benchmark.name();
    }
  }
  if (few > 0) {
    notes.push_back(
        fmt::format("{} of {} benchmarks have too few samples for a 95 % interval of their median: give them "
                    "more time, or a machine that is less busy",
                    few, benchmarks.size()));
  }
  if (wide > 0) {
    notes.push_back(
        fmt::format("the medians of {} of {} benchmarks are known to worse than ±{:g} %; least of all \"{}\": "
                    "±{:.1f} %",
                    wide, benchmarks.size(), 100 * target, name, 100 * widest));
  }
  return notes;
}

template <class T>
Samples run(const host::Communicator& ranks, const HostBenchmarkOptions& options, const ProgressCallback& progress) {
  CollectiveSampler sampler(ranks);
  const std::vector<Task> tasks = tasks_of<T>(sampler, options);
  const bool first = ranks.rank() == 0;
  const auto report = [&](std::size_t done, const std::string& name) {
    if (first && progress) progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(tasks.size()), name);
  };
  double weights = 0;
  for (const Task& task : tasks) weights += task.weight;
  const double began_s = host::now_s();
  Samples samples;
  std::vector<std::string> disturbed;
  samples.benchmarks.resize(first ? tasks.size() : 0);
  std::size_t done = 0;
  for (const std::size_t i : spread_order(tasks.size())) {
    report(done++, tasks[i].name);
    // What earlier ones have left over is shared by those to come.
    const double left_s = ranks.broadcast(options.budget_s - (host::now_s() - began_s));
    SamplingRule rule;
    rule.target = options.target;
    rule.budget_s = std::max(0.0, left_s) * tasks[i].weight / weights;
    weights -= tasks[i].weight;
    Outcome outcome = tasks[i].run(rule);
    if (!first) continue;
    if (!outcome.disturbed.empty()) disturbed.push_back(fmt::format("\"{}\": {}", tasks[i].name, outcome.disturbed));
    samples.benchmarks[i] = std::move(outcome.benchmark);
  }
  report(tasks.size(), "");
  if (!first) return samples;
  samples.provenance = {
      .device = "host",
      .machine = machine_name(),
      .ranks = ranks.size(),
      .software = fmt::format("{}; {}; Eigen with {}", compiler_name(), host::Communicator::library_version(),
                              Eigen::SimdInstructionSetsInUse()),
      .date = utc_now(),
      .commit = options.commit};
  samples.notes = notes_on(disturbed, samples.benchmarks, options.target);
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
