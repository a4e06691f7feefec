#pragma once
// Hops from every stage of a pipeline to the next (and from the last to the first, which interleaved stages need).
//
// All ranks of all stages send at the same time, and a hop is given an equal share of every link that more flows use than it can
// serve. Slow links of the noise are not known here. Sends back (gradients) take the same ways in the other direction, whose links are their own.

#include "models/device.hpp"
#include "models/job_network.hpp"
#include "models/plan.hpp"

#include <vector>

namespace ringsim {

/// By stage: the slowest hop, over all coordinates, to the stage after it; empty for a pipeline of one. Throws Error at
/// "cluster.inter_node" where stages are on different nodes and the cluster has no network.
[[nodiscard]] std::vector<RingHop> pipeline_hops(const Parallel& parallel, const Cluster& cluster);

}  // namespace ringsim
