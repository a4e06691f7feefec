#pragma once
// What of a run's state a loop of a lowered program reads and changes.

#include "sim/recurrence/lowering.hpp"

namespace ringsim::sim {

[[nodiscard]] LoopUse use_of(const LoweredLoop& loop);

}  // namespace ringsim::sim
