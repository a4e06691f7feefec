// What the executor spends on a kernel beside the kernel: a ring of tiny blocks is measured as any program is, and from
// every attention kernel's time on the compute stream, which counts from the end of what was before it there, the time of
// the same kernel called in a loop is taken off.
#include "calibrate/host/kernel_data.hpp"
#include "calibrate/host/task.hpp"
#include "calibrate/statistics.hpp"
#include "kernels/host/mpi/measure.hpp"
#include "kernels/host/streams.hpp"
#include "sim/schedules/ring.hpp"

#include <algorithm>

namespace ringsim::calibrate {
namespace {

constexpr std::int64_t block_tokens = 8;
constexpr std::size_t layers = 64;
constexpr double least_s = 1e-9;  // the clock's resolution: a launch is not known to be less

sim::Program tiny_ring(std::int64_t ranks, const HeadShape& heads, Dtype dtype) {
  RingShape shape;
  shape.heads = heads;
  shape.dtype = dtype;
  const sim::RingSpec spec{Shards(Layout::contiguous, ranks * block_tokens, ranks),
                           shape,
                           2,
                           {Mask{false, {}}},
                           std::vector<std::size_t>(layers, 0)};
  return sim::ring_program_of(spec, true, false);
}

// Times of all attention kernels of all ranks, from the end of the operation before them.
std::vector<double> dispatched_s(const host::IssueList& list, const host::Recording& recording) {
  std::vector<double> times_s;
  for (const std::vector<host::OperationTimes>& rank : recording) {
    std::optional<double> before_s;
    for (const std::size_t index : list.stream[sim::ring_program::compute]) {
      const host::OperationTimes& times = rank[index];
      const auto& what = list.instructions[index].what;
      if (std::holds_alternative<host::Recorded>(what)) continue;
      if (before_s && std::holds_alternative<const sim::Attend*>(what)) times_s.push_back(times.end_s - *before_s);
      before_s = times.end_s;
    }
  }
  return times_s;
}

template <class T>
Task launch_task(CollectiveSampler& sampler, const HeadShape& heads, Dtype dtype) {
  LaunchPoint point;
  point.source = "dispatch of a kernel in a ring of tiny blocks";
  return {point.source, 2, [&sampler, heads, dtype, point](SamplingRule rule) {
            rule.budget_s /= 2;
            const AttentionCase what = full_case(block_tokens, block_tokens);
            AttentionKernel<T> kernel(what, heads);
            const double alone_s = sampler
                                       .sample(rule,
                                               [&](std::int64_t times) {
                                                 for (std::int64_t i = 0; i < times; ++i) kernel.run(Pass::forward);
                                               })
                                       .timing()
                                       .median_s;
            const sim::Program program = tiny_ring(sampler.ranks().size(), heads, dtype);
            const host::IssueList list = host::issue_list(program);
            host::MeasureOptions options;
            options.repeats = rule.maximum;
            options.max_seconds = rule.budget_s;
            const host::MeasureResult result = host::measure<T>(sampler.ranks(), program, options);
            Outcome outcome;
            if (sampler.ranks().rank() != 0) return outcome;
            Sampling sampling(SamplingRule{.warmup = 0, .maximum = rule.maximum});
            for (const host::Recording& recording : result.recordings) {
              sampling.add({.wall_s = std::max(least_s, median(dispatched_s(list, recording)) - alone_s)});
            }
            return outcome_of(point, sampling);
          }};
}

}  // namespace

template <class T>
std::vector<Task> launch_tasks(CollectiveSampler& sampler, const HostBenchmarkOptions& options) {
  return {launch_task<T>(sampler, head_shape(options, 1), options.dtype)};
}

template std::vector<Task> launch_tasks<float>(CollectiveSampler&, const HostBenchmarkOptions&);
template std::vector<Task> launch_tasks<double>(CollectiveSampler&, const HostBenchmarkOptions&);

}  // namespace ringsim::calibrate
