#pragma once
// What one rank's compute stream does in one ring step, in seconds: for formulas and for the figures of a steady step. (The
// recurrence takes its costs from the program's operations, one by one.)

#include "models/cost.hpp"

namespace ringsim::sim {

struct StepTimes {
  Duration kernel;  // attention
  Duration merge;   // into the accumulator that stays
  Duration add;     // to the gradient that travels; none in the forward pass
  [[nodiscard]] Duration compute() const { return kernel + merge; }
  [[nodiscard]] Duration all() const { return compute() + add; }
};

/// Times of the kernel `work` and of the merges after it; the first step of a layer merges nothing.
[[nodiscard]] StepTimes step_times(const CostModel& costs, Pass pass, const AttendWork& work, bool first_step);

}  // namespace ringsim::sim
