#pragma once
// Costs of a compute operation at every step, as runs of ranks with equal cost: the amounts of the program turned into
// seconds once, before the run.

#include "sim/machine.hpp"
#include "sim/observer.hpp"
#include "sim/program.hpp"

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

/// Costs over all steps of one compute operation under one mask.
class StepCosts {
 public:
  StepCosts(const Program& program, const Machine& machine, ComputeOperation operation, std::int64_t layer);

  /// Whether what at() returned stays valid whatever is asked later.
  [[nodiscard]] bool keeps_all() const { return every_step_alike_ || stored_; }

  /// Segments of a step, covering all ranks in ascending order. Valid until the next call for another step, unless keeps_all().
  [[nodiscard]] std::span<const SegmentCost> at(std::int64_t step) {
    if (every_step_alike_) return segments_;
    return stored_ ? stored(step) : computed(step);
  }
  /// `at` gives the same segments, at the same place, for every step.
  [[nodiscard]] bool every_step_alike() const { return every_step_alike_; }

 private:
  [[nodiscard]] std::span<const SegmentCost> stored(std::int64_t step) const;
  [[nodiscard]] std::span<const SegmentCost> computed(std::int64_t step);
  void append(std::int64_t step, std::vector<SegmentCost>& to);
  double seconds(const AttendWork& work);

  const Program& program_;
  const Machine& machine_;
  ComputeOperation operation_;
  std::int64_t layer_;
  bool every_step_alike_ = false;  // no mask, even shards: one segment serves all steps
  std::int64_t computed_ = -1;     // the step that `segments_` is of, where they are not stored
  bool stored_ = false;            // all steps are in `segments_`; else a step is computed when it is asked for
  std::vector<std::size_t> first_;
  std::vector<SegmentCost> segments_;
  struct Known {
    AttendWork work;
    double seconds;
  };
  std::vector<Known> known_;  // costs computed lately
};

}  // namespace ringsim::sim
