#include "sim/recurrence/costs.hpp"

#include <cassert>
#include <optional>

namespace ringsim::sim {

namespace {

std::vector<WorkSegment> work_of(const Program& program, const ComputeOperation& operation, std::int64_t layer,
                                 std::int64_t step) {
  return operation.merge != nullptr ? program.work(*operation.merge, layer, step)
                                    : program.work(*operation.attend, layer, step);
}

double cost_of(const Machine& machine, const ComputeOperation& operation, const AttendWork& work) {
  if (operation.merge == nullptr) return in_seconds(machine.costs.attention(operation.attend->pass, shape_of(work)));
  if (work.masked()) return 0.0;
  const Merge& merge = *operation.merge;
  return in_seconds(machine.costs.merge(merge.accumulator, merge.travelling, merged_tokens(merge.accumulator, work),
                                        work.leaves_rows_out()));
}

}  // namespace

std::int64_t uniform_from(const Program& program, const Machine& machine, ComputeOperation operation,
                          std::int64_t layer) {
  const std::int64_t none = program.ring();
  const Mask& mask = program.masks[program.mask_of_layer[static_cast<std::size_t>(layer)]];
  if (mask.window || !program.shards.even()) return none;
  const auto cost_of_step = [&](std::int64_t step) -> std::optional<SegmentCost> {
    std::optional<SegmentCost> all;
    for (const WorkSegment& s : work_of(program, operation, layer, step)) {
      const SegmentCost one{0, 0, cost_of(machine, operation, s.work), s.work.masked()};
      if (all && (all->seconds != one.seconds || all->masked != one.masked)) return std::nullopt;
      all = one;
    }
    return all;
  };
  const std::optional<SegmentCost> first = cost_of_step(0);
  if (!first || program.ring() == 1) return first ? 0 : none;
  const std::optional<SegmentCost> later = cost_of_step(1);
  if (!later) return none;
  return later->seconds == first->seconds && later->masked == first->masked ? 0 : 1;
}

StepCosts::StepCosts(const Program& program, const Machine& machine, ComputeOperation operation, std::int64_t layer,
                     std::int64_t ranks)
    : program_(program),
      machine_(machine),
      operation_(operation),
      layer_(layer),
      ranks_(ranks),
      alike_from_(uniform_from(program, machine, operation, layer)) {
  const Mask& mask = program.masks[program.mask_of_layer[static_cast<std::size_t>(layer)]];
  // Kernels on all keys are the same ones at whatever step they run.
  if (operation.attend != nullptr && operation.attend->keys == Block::all) alike_from_ = 0;
  // Under a window every rank's step can differ from its neighbour's, though few do: the table is given up if they do.
  constexpr std::size_t enough = std::size_t{1} << 20;
  const std::int64_t steps = std::min(alike_from_ + 1, program.ring());
  first_.reserve(static_cast<std::size_t>(steps) + 1);
  first_.push_back(0);
  for (std::int64_t step = 0; step < steps; ++step) {
    append(step, segments_);
    first_.push_back(segments_.size());
    if (mask.window && segments_.size() > enough) return;
  }
  stored_ = true;
}

std::span<const SegmentCost> StepCosts::stored(std::int64_t step) const {
  assert(step < program_.ring());
  const auto row = static_cast<std::size_t>(step);
  return std::span(segments_).subspan(first_[row], first_[row + 1] - first_[row]);
}

std::span<const SegmentCost> StepCosts::computed(std::int64_t step) {
  if (step == computed_) return segments_;
  segments_.clear();
  append(step, segments_);
  computed_ = step;
  return segments_;
}

void StepCosts::append(std::int64_t step, std::vector<SegmentCost>& to) {
  const std::size_t begin = to.size();
  for (const WorkSegment& s : work_of(program_, operation_, layer_, step)) {
    if (s.begin >= ranks_) break;
    const SegmentCost cost{s.begin, std::min(s.end, ranks_), seconds(s.work), s.work.masked()};
    if (to.size() > begin && to.back().seconds == cost.seconds && to.back().masked == cost.masked) {
      to.back().end = cost.end;  // different rectangles of equal cost need no boundary
    } else {
      to.push_back(cost);
    }
  }
}

double StepCosts::seconds(const AttendWork& work) {
  for (const Known& k : known_) {
    if (k.work == work) return k.seconds;
  }
  const double time_s = cost_of(machine_, operation_, work);
  constexpr std::size_t enough = 16;
  if (known_.size() == enough) known_.erase(known_.begin());
  known_.push_back({work, time_s});
  return time_s;
}

}  // namespace ringsim::sim
