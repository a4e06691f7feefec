#pragma once
// What one rank's compute stream does in one ring step, in seconds: for formulas, for B_min and for the figures of a steady
// step. (The recurrence takes its costs from the program's operations, one by one.)
//
//   forward    kernel, then the partial output is merged into the resident one       (rows of the kernel)
//   backward   kernel, then one gradient is added to the block that stays and one to the block that travels:
//              dQ (rows) stays and dK/dV (columns) travels, or the other way round where queries travel

#include "models/cost.hpp"

namespace ringsim {

struct StepTimes {
  Duration kernel;  // attention
  Duration merge;   // into the accumulator that stays
  Duration add;     // to the gradient that travels; none in the forward pass
  [[nodiscard]] Duration compute() const { return kernel + merge; }
  [[nodiscard]] Duration all() const { return compute() + add; }
};

/// Times of a kernel and of the merges after it; the first step of a layer merges nothing, nor does a masked one.
[[nodiscard]] StepTimes step_times(const CostModel& costs, Pass pass, const AttendShape& kernel, bool first_step);

}  // namespace ringsim
