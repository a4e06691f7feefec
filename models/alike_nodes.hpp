#pragma once
// A job whose rings use all nodes alike: what is true of one node's hops is true of all, so those of one are routed and stand for
// the others. A ring of 2^20 ranks on nodes of eight GPUs takes eight routes.
//
// Nodes on a switch that never blocks own all links. Rank i on GPU i, with D ranks a ring, S GPUs apart: a turn of S rings is S D
// GPUs, and its hops lead from GPU i to (i ± S) mod S D. Where turns fill whole nodes of G GPUs, turning a turn on by G GPUs maps
// hops to hops and nodes to nodes, and so does going on to the next turn. So every node's links carry what the first node's do.

#include "models/job_network.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ringsim {

/// The hops of a GPU by its place in its node: bandwidths and what kinds of hops differ in (RingHops), without links; the ends are
/// those in the first node.
struct AlikeNodes {
  std::vector<RingHop> hops;
  std::vector<RingHop> second_hops;  // empty where the exchange has one set
};

/// Nothing where nodes may differ (another fabric, ranks placed by hand, traffic or links of their own, rings of two levels), where a
/// link of a node is contended, or where there are so few hops that all may as well be routed. Throws as job_network.
[[nodiscard]] std::optional<AlikeNodes> alike_nodes(const Parallel& parallel, const Cluster& cluster,
                                                    const Noise& noise, const RingOptions& ring);

}  // namespace ringsim
