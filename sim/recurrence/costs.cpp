#include "sim/recurrence/costs.hpp"

#include <cassert>

namespace ringsim::sim {

StepCosts::StepCosts(const Program& program, const Machine& machine, ComputeOperation operation, std::int64_t layer)
    : program_(program), machine_(machine), operation_(operation), layer_(layer) {
  const Mask& mask = program.masks[program.mask_of_layer[static_cast<std::size_t>(layer)]];
  const bool on_all = operation.attend != nullptr && operation.attend->keys == Block::all;
  every_step_alike_ = on_all || (!mask.causal && !mask.window && program.shards.even());
  // Under a window every rank's step can differ from its neighbour's, though few do: the table is given up if they do.
  constexpr std::size_t enough = std::size_t{1} << 20;
  const std::int64_t steps = every_step_alike_ ? 1 : program.ring();
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
  const std::vector<WorkSegment> work = operation_.merge != nullptr ? program_.work(*operation_.merge, layer_, step)
                                                                    : program_.work(*operation_.attend, layer_, step);
  for (const WorkSegment& s : work) {
    const SegmentCost cost{s.begin, s.end, seconds(s.work), s.work.masked()};
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
  Duration time;
  if (operation_.merge == nullptr) {
    time = machine_.costs.attention(operation_.attend->pass, shape_of(work));
  } else if (!work.masked()) {
    const Merge& merge = *operation_.merge;
    time = machine_.costs.merge(merge.accumulator, merge.travelling, merged_tokens(merge.accumulator, work),
                                work.leaves_rows_out());
  }
  constexpr std::size_t enough = 16;
  if (known_.size() == enough) known_.erase(known_.begin());
  known_.push_back({work, in_seconds(time)});
  return in_seconds(time);
}

}  // namespace ringsim::sim
