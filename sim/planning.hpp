#pragma once
// What a planner asks beside the time: parameters, energy, how long a context and how many requests fit, what packing costs.

#include "models/scenario.hpp"
#include "sim/prediction.hpp"

namespace ringsim::sim {

/// Fills them from the scenario and from what the run came to (makespan and every rank's compute).
void planning_answers(const Scenario& scenario, Prediction& p);

}  // namespace ringsim::sim
