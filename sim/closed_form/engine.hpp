#pragma once
// The closed-form engine: the makespan of a ring program by formula. Exact where all ranks run in lockstep with one of them
// the slowest at every step, or where identical ranks contend for their SMs or slow their hops down; elsewhere it gives a
// lower bound, the work of the busiest stream or the makespan without interference, and says so.

#include "sim/machine.hpp"
#include "sim/schedules/ring.hpp"

#include <string>

namespace ringsim::sim {

struct ClosedFormResult {
  double makespan_s = 0;
  double compute_s = 0;  // of the slowest rank
  bool exact = false;
  std::string note;  // why it is exact, or why it is only a bound
};

/// `backward`, `forward`: the passes that the run consists of.
[[nodiscard]] ClosedFormResult closed_form(const RingSpec& spec, const Machine& machine, bool backward,
                                           bool forward = true);

}  // namespace ringsim::sim
