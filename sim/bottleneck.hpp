#pragma once
// What decides the makespan, in a sentence, with the advice that follows from the numbers.

#include "models/scenario.hpp"
#include "sim/machine.hpp"
#include "sim/prediction.hpp"

namespace ringsim::sim {

/// Reads the per-rank summaries, steps and B_min of a prediction that is otherwise complete. In this order:
///   imbalance   ranks compute unequally long, or the mask empties steps, for at least a quarter of the time
///   transfer    a steady hop takes longer than a step's compute, or waiting for hops takes at least a quarter of the time
///   overhead    merging takes at least a quarter of the time
///   compute     otherwise
/// The quarter is a convention: below it the largest useful part is named instead.
[[nodiscard]] BottleneckStatement bottleneck_of(const Prediction& prediction, const Scenario& scenario,
                                                const Machine& machine);

}  // namespace ringsim::sim
