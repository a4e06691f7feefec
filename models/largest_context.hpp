#pragma once
// The longest sequence that fits, everything else being as it is: by bisection over the lengths that the plan allows
// (multiples of models/legality.hpp's sequence_unit), since no term falls with the length. Of a decode step: tokens in the
// cache before it.

#include "models/scenario.hpp"

#include <cstdint>
#include <optional>

namespace ringsim {

/// Absent where not even the shortest fits, or where memory is not known in full (Memory::missing).
[[nodiscard]] std::optional<std::int64_t> largest_context(const Scenario& scenario);

}  // namespace ringsim
