#pragma once
// Which scenarios this machine's CPUs can execute as they are written.

#include "models/scenario.hpp"

namespace ringsim::host {

/// Throws Error, with the key in `where`, for a scenario whose program the host executor would not run as it says: one
/// ring of processes that compute in fp32 or fp64, without noise.
void check_executable(const Scenario& scenario);

}  // namespace ringsim::host
