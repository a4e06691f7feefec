#pragma once
// Costs of a compute operation at every step, as runs of ranks with equal cost: the amounts of the program turned into
// seconds once, before the run.

#include "sim/machine.hpp"
#include "sim/observer.hpp"
#include "sim/program.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace ringsim::sim {

/// An attention kernel or a merge: one of the two is there.
struct ComputeOperation {
  const Attend* attend = nullptr;
  const Merge* merge = nullptr;
};

/// From which step on a compute operation costs what it does in every later step, on all ranks alike; the number of steps where that is
/// not known. Of even shards without a window what a block of queries does with a block of keys depends on nothing but whether it
/// is its own, an earlier or a later one (models/layout.hpp), and every step but the first has ranks of either kind.
[[nodiscard]] std::int64_t uniform_from(const Program& program, const Machine& machine, ComputeOperation operation,
                                        std::int64_t layer);

/// Costs over all steps of one compute operation under one mask.
class StepCosts {
 public:
  /// Of the first `ranks` ranks, which stand for all of them (sim/recurrence/folding.hpp).
  StepCosts(const Program& program, const Machine& machine, ComputeOperation operation, std::int64_t layer,
            std::int64_t ranks);

  /// Whether what at() returned stays valid whatever is asked later.
  [[nodiscard]] bool keeps_all() const { return stored_; }

  /// Segments of a step, covering all ranks in ascending order. Valid until the next call for another step, unless keeps_all().
  [[nodiscard]] std::span<const SegmentCost> at(std::int64_t step) {
    return stored_ ? stored(std::min(step, alike_from_)) : computed(step);
  }
  /// `at` gives the same segments, at the same place, for every step.
  [[nodiscard]] bool every_step_alike() const { return alike_from_ == 0; }
  /// ... for this step and all after it; the number of steps where no two are known to be alike.
  [[nodiscard]] std::int64_t alike_from() const { return alike_from_; }

 private:
  [[nodiscard]] std::span<const SegmentCost> stored(std::int64_t step) const;
  [[nodiscard]] std::span<const SegmentCost> computed(std::int64_t step);
  void append(std::int64_t step, std::vector<SegmentCost>& to);
  double seconds(const AttendWork& work);

  const Program& program_;
  const Machine& machine_;
  ComputeOperation operation_;
  std::int64_t layer_;
  std::int64_t ranks_;
  std::int64_t alike_from_;     // the segments of this step are those of all later ones
  std::int64_t computed_ = -1;  // the step that `segments_` is of, where they are not stored
  bool stored_ = false;         // all steps are in `segments_`; else a step is computed when it is asked for
  std::vector<std::size_t> first_;
  std::vector<SegmentCost> segments_;
  struct Known {
    AttendWork work;
    double seconds;
  };
  std::vector<Known> known_;  // costs computed lately
};

}  // namespace ringsim::sim
