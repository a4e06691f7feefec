#pragma once
// What the placement of a plan's ranks does to its costs, as numbers: plans that differ in the order of their axes alone and have
// equal numbers take equal times, so that one of them stands for all.
//
// The hops of every kind of ring (between nodes or not, alone in leaving a node, bandwidth alone and shared), those between pipeline
// stages, and the paths of every group whose collectives a run of the scenario can have.

#include "models/job_network.hpp"
#include "models/scenario.hpp"
#include "sim/machine.hpp"

#include <vector>

namespace ringsim::sim {

[[nodiscard]] std::vector<double> placement_key(const Scenario& scenario, const JobNetwork& network,
                                                const Machine& machine);

}  // namespace ringsim::sim
