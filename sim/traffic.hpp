#pragma once
// What the ranks of a run send, by what it is and by the links that it takes.

#include "sim/machine.hpp"
#include "sim/phases.hpp"
#include "sim/prediction.hpp"

#include <span>
#include <vector>

namespace ringsim::sim {

/// Over all phases, as often as they count; the most bytes first. Hops of a ring are of the class of the link that they take, and
/// so many seconds as the slowest one needs. `collectives`: what ranks spend in collectives and sends, by name.
[[nodiscard]] std::vector<TrafficSummary> traffic_of(std::span<const PhaseProgram> phases, const Machine& machine,
                                                     std::span<const TotalsObserver::Spent> collectives);

}  // namespace ringsim::sim
