#pragma once
// How long the operations of all lanes take, with what disturbs them: lanes.hpp has the formulas.

#include "sim/recurrence/lane_layout.hpp"
#include "sim/recurrence/lanes.hpp"
#include "sim/recurrence/lowering.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <span>
#include <vector>

namespace ringsim::sim {

/// What tells the draws of a step's kernels and merges apart: halves of a block have kernels of their own.
[[nodiscard]] inline std::int64_t kind_of_draw(const Instruction& compute) {
  const Share share = compute.merge != nullptr ? compute.merge->share : compute.attend->share;
  const bool second = share == Share::second_heads || share == Share::second_tokens;
  return (compute.merge == nullptr ? attention_kind : merge_kind(static_cast<int>(compute.merge->accumulator))) +
         (second ? second_half_kinds : 0);
}

class OperationTimes {
 public:
  OperationTimes(const Program& program, std::span<const Lane> lanes, LaneLayout layout);

  /// Every rank of every lane takes for a kernel what its segment costs: nobody needs `kernel`.
  [[nodiscard]] bool nominal_kernels() const { return slowdown_.size() == 0 && !kernels_drawn_; }
  /// Every hop takes what the cost model says.
  [[nodiscard]] bool nominal_hops() const { return !hops_drawn_; }

  /// Nothing is drawn: a kernel takes slowdown · what its segment costs, a hop what the cost model says.
  [[nodiscard]] bool repeatable() const { return !kernels_drawn_ && !hops_drawn_; }
  /// By position; empty: 1 everywhere.
  [[nodiscard]] const Eigen::ArrayXd& slowdown() const { return slowdown_; }

  /// Of a compute instruction at the segments that `costs` has of the step [s], by position; valid until the next call.
  [[nodiscard]] const Eigen::ArrayXd& kernel(const Instruction& compute, StepCosts& costs, std::int64_t layer,
                                             std::int64_t step);
  /// Of a shift's hops one way [s], by position of the sender; valid until the next call.
  [[nodiscard]] const Eigen::ArrayXd& hops(const Instruction& shift, HopTimes& way, std::int64_t layer,
                                           std::int64_t step);
  /// Of dense work, a collective or a send [s], by position; valid until the next call.
  [[nodiscard]] const Eigen::ArrayXd& timed(const Timed& what, std::size_t number,
                                            std::span<const SegmentCost> segments, std::int64_t layer,
                                            std::int64_t step);

 private:
  const Program& program_;
  std::span<const Lane> lanes_;
  LaneLayout layout_;
  bool kernels_drawn_;
  bool hops_drawn_;
  Eigen::ArrayXd slowdown_;  // empty: 1 everywhere
  Eigen::ArrayXd kernel_;
  const StepCosts* filled_ = nullptr;  // whose times `kernel_` holds, where they stay what they are
  Eigen::ArrayXd hops_;
  Eigen::ArrayXd timed_;
};

}  // namespace ringsim::sim
