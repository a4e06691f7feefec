#pragma once
// The bottleneck of a run that is more than a ring of attention: the largest part of the slowest rank's time that is not useful
// computation, or else the computation.

#include "models/scenario.hpp"
#include "sim/prediction.hpp"

namespace ringsim::sim {

/// Needs per_rank and traffic.
[[nodiscard]] BottleneckStatement bottleneck_of_model(const Prediction& p, const Scenario& scenario);

}  // namespace ringsim::sim
