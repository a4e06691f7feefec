#pragma once
// What decides the makespan, in a sentence, with the advice that follows from the numbers.

#include "models/scenario.hpp"
#include "sim/machine.hpp"
#include "sim/prediction.hpp"

namespace ringsim::sim {

/// Reads the per-rank summaries, steps and B_min of a prediction that is otherwise complete.
[[nodiscard]] BottleneckStatement bottleneck_of(const Prediction& prediction, const Scenario& scenario,
                                                const Machine& machine);

/// Everything a planner should know before trusting the numbers.
[[nodiscard]] std::vector<std::string> warnings_of(const Prediction& prediction, const Scenario& scenario,
                                                   const Machine& machine);

}  // namespace ringsim::sim
