#pragma once
// A run that cannot end, in sentences: what failed and when, what it took along, and who waits for whom.

#include "sim/flow/disturbances.hpp"
#include "sim/flow/rank.hpp"

#include <string>
#include <vector>

namespace ringsim::sim::flow {

/// Of the states in which the ranks stand still.
[[nodiscard]] std::string broke_off_message(const FlowSetup& setup, const std::vector<RingRun>& rings,
                                            const JobState& job, const std::vector<StruckFailure>& struck);

}  // namespace ringsim::sim::flow
