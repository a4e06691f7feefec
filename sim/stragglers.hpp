#pragma once
// What each slow rank costs: the same run without it, by the recurrence under fixed shares and without random times.
//
//   cost    = makespan with it - makespan without it
//   waiting = mean over the other ranks of (exposed + bubble with it - exposed + bubble without it)
//
// In a ring that computation paces a rank that is x slower costs nearly x of the makespan and the others wait that long; where
// hops pace it, its slack absorbs it (physics: "a delay smaller than the slack vanishes").

#include "models/job_network.hpp"
#include "models/scenario.hpp"
#include "sim/phases.hpp"
#include "sim/prediction.hpp"

#include <span>
#include <vector>

namespace ringsim::sim {

/// In the order of Noise::stragglers. `ring`: the ring that is spoken of.
[[nodiscard]] std::vector<StragglerCost> straggler_costs(const Scenario& scenario, const PlacedRing& ring,
                                                         std::span<const PhaseProgram> phases);

}  // namespace ringsim::sim
