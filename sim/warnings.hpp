#pragma once
// Everything a planner should know before trusting the numbers.

#include "models/scenario.hpp"
#include "sim/machine.hpp"
#include "sim/prediction.hpp"

#include <string>
#include <vector>

namespace ringsim::sim {

[[nodiscard]] std::vector<std::string> warnings_of(const Prediction& prediction, const Scenario& scenario,
                                                   const Machine& machine, const JobNetwork& network);

/// What the B_min of full attention does not say of a model whose layers slide; empty where none does.
[[nodiscard]] std::string block_minimum_note(const Scenario& scenario);

}  // namespace ringsim::sim
