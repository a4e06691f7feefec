#pragma once
// Parts of a cluster inside of which a link's load is decided by the flows that begin or end there, so that the load of one part
// stands for that of others that are used alike: symmetric traffic over 16,384 GPUs is routed once.
//
//   flat switch   a node: all links belong to GPUs and NICs
//   fat tree      the nodes below one leaf, whose uplinks they share
//   dragonfly     a group of routers
//   torus         everything, since flows pass through
//
// What that leaves out: links between spines and cores are loaded by other parts too.

#include "models/device.hpp"

#include <cstdint>

namespace ringsim {

/// Consecutive GPUs that make one part.
[[nodiscard]] std::int64_t gpus_of_a_part(const Cluster& cluster);

/// Traffic of a job that is routed in full; of more than this many flows only that of the first parts is.
inline constexpr std::int64_t flows_in_full = 2048;

}  // namespace ringsim
