#pragma once
// What of a run's state a loop of a lowered program reads and changes.

#include "sim/recurrence/lowering.hpp"

#include <span>

namespace ringsim::sim {

[[nodiscard]] LoopUse use_of(const LoweredLoop& loop);
/// Of nodes that are executed again and again without steps of their own.
[[nodiscard]] LoopUse use_of(std::span<const LoweredNode> nodes);

}  // namespace ringsim::sim
