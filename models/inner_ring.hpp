#pragma once
// The ranks of an inner ring under Exchange::two_level.
//
// Consecutive ranks of a ring of N form N / M inner rings of M ranks; rank r of one is linked with rank r + M, its place in the next
// inner ring. M is RingOptions::inner, or what the placement gives: the ring ranks that share a node (of a torus, which has no
// nodes, all of them).

#include "models/device.hpp"
#include "models/plan.hpp"

#include <cstdint>

namespace ringsim {

/// M; 1 unless the exchange is two-level and the ring has more than one rank. Throws Error at "ring.inner" where M does not divide
/// the ring, where one of the two levels would have a single rank, and where nodes hold different numbers of the ring's ranks.
[[nodiscard]] std::int64_t inner_ranks(const Parallel& parallel, const Cluster& cluster, const RingOptions& ring);

}  // namespace ringsim
