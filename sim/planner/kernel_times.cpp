#include "sim/planner/kernel_times.hpp"

#include <numeric>

namespace ringsim::sim {

KernelTimes::KernelTimes(const CostModel& costs, const Shards& shards, const Mask& mask, Pass pass, RingKernels kernels,
                         bool merges)
    : shards_(shards), totals_(static_cast<std::size_t>(shards.ring()), 0.0) {
  const std::int64_t ring = shards.ring();
  if (kernels == RingKernels::all_keys) {
    for (std::int64_t r = 0; r < ring; ++r) {
      totals_[static_cast<std::size_t>(r)] = in_seconds(costs.attention(pass, shape_of(shards.work_on_all(r, mask))));
    }
    return;
  }
  constexpr std::int64_t most_kept = 256;
  if (ring <= most_kept) steps_.resize(totals_.size() * totals_.size());
  const auto add = [&](std::int64_t step, const std::vector<WorkSegment>& segments, bool merge) {
    for (const WorkSegment& s : segments) {
      if (s.work.masked()) continue;
      StepKernels times{in_seconds(costs.attention(pass, shape_of(s.work))), 0.0};
      if (merge) {
        times.merge_s = in_seconds(
            costs.merge(Accumulator::output, false, static_cast<double>(s.work.rows), s.work.leaves_rows_out()));
      }
      for (std::int64_t r = s.begin; r < s.end; ++r) {
        totals_[static_cast<std::size_t>(r)] += times.sum_s();
        if (!by_step()) continue;
        StepKernels& here = steps_[static_cast<std::size_t>(step) * totals_.size() + static_cast<std::size_t>(r)];
        here.attention_s += times.attention_s;
        here.merge_s += times.merge_s;
      }
    }
  };
  for (std::int64_t step = 0; step < ring; ++step) {
    if (kernels != RingKernels::token_halves || step == 0) {
      add(step, shards.step_work(step, kernels == RingKernels::queries_travel, mask), merges && step > 0);
      continue;
    }
    add(step, shards.step_work(step, false, mask, Half::first), false);
    add(step, shards.step_work(ring - step, false, mask, Half::second), false);
  }
}

double KernelTimes::mean() const {
  return std::accumulate(totals_.begin(), totals_.end(), 0.0) / static_cast<double>(totals_.size());
}

}  // namespace ringsim::sim
