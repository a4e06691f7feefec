#pragma once
// The bandwidth from which the hop of a steady step hides: where B_min comes down to the scenario's block.
//
//   calibrated  B_min(bandwidth) <= block by the profile's costs, kernel and hop each alone (models/bmin.hpp)
//   simulated   the steady step of the block is at most 1 % (datasheet profile: 1e-9) longer than its computation (sim/bmin.hpp):
//               with what kernel and hop do to each other
//
// Either falls with the bandwidth, so it is found by bisection between 2^-40 and 2^40 times the scenario's bandwidth. The other links
// of the ring keep theirs: where one of them, or the latency, does not let a block of this size hide, no bandwidth does.

#include "sim/curves/bandwidth.hpp"

#include <vector>

namespace ringsim::sim {

/// One a pass that the phase runs.
[[nodiscard]] std::vector<BandwidthCrossing> bandwidth_crossings(const Scenario& scenario, bool inter_node);

}  // namespace ringsim::sim
