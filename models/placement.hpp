#pragma once
// Where ranks could stand better: orders of the degrees that keep a ring inside its nodes.

#include "models/device.hpp"
#include "models/plan.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace ringsim {

/// Hops to the next rank of an axis (the last one to the first) that leave the node, over all groups of that axis.
[[nodiscard]] std::int64_t hops_between_nodes(const Parallel& parallel, const Cluster& cluster, Axis axis);

/// An order in which fewer hops of the ring leave their node than in the present one while no more of the tensor and
/// Ulysses groups' do (their collectives cannot hide and belong inside); the one with the fewest, and of equals the one that
/// comes first when axes are compared as in `all_axes`. Absent: there is none, ranks are placed by hand, or the cluster is
/// a torus, which has no nodes.
struct BetterOrder {
  std::array<Axis, 5> order{};
  std::int64_t hops_between_nodes = 0;  // of all rings, in that order
};
[[nodiscard]] std::optional<BetterOrder> better_order(const Parallel& parallel, const Cluster& cluster);

}  // namespace ringsim
