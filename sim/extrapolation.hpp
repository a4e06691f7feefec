#pragma once
// Where a run asks a profile for what it was not fitted on: kernels and messages outside of the ranges that the profile
// carries (Profile::measured, LinkCost::measured_bytes), another number format, another transfer engine. A profile
// without ranges is not questioned.

#include "sim/machine.hpp"
#include "sim/schedules/ring.hpp"

#include <string>
#include <vector>

namespace ringsim::sim {

/// `backward`, `forward`: the passes of the run. A sentence for each range that some kernel or hop of the ring leaves, with the value that leaves it furthest.
[[nodiscard]] std::vector<std::string> extrapolations(const RingSpec& spec, bool backward, const Machine& machine,
                                                      bool forward = true);

}  // namespace ringsim::sim
