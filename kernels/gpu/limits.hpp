#pragma once
// Which scenarios the executor on GPUs runs as they are written.

#include "models/scenario.hpp"

namespace ringsim::cuda {

/// Throws Error: what cannot be run, where it stands, and what would be right.
void check_executable(const Scenario& scenario);

}  // namespace ringsim::cuda
