#pragma once
// Which layers and how many ring steps the roles of a program run through.

#include "sim/program.hpp"

#include <cstdint>
#include <vector>

namespace ringsim::sim {

/// Layers of every role, ascending. A role whose operations are in no loop over layers has all of them.
[[nodiscard]] std::vector<std::vector<std::int64_t>> layers_of_roles(const Program& program);

/// Ring steps of a layer: one more than the last one's number.
[[nodiscard]] std::int64_t steps_of(const Program& program);

}  // namespace ringsim::sim
