#pragma once
// The network between nodes. Descriptions; models/topology/network.hpp turns them into links and routes.

#include "models/quantity.hpp"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace ringsim {

/// One switch that never blocks: every NIC has a link out and a link in, and nothing else is ever narrow.
struct FlatSwitch {
  friend bool operator==(const FlatSwitch&, const FlatSwitch&) = default;
};

/// Leaves, spines and, with three levels, cores (a folded Clos network), routed by a static hash (ECMP).
/// `nodes_per_leaf` nodes form a group. With rails a group has a leaf for each NIC index (all NICs 3 of the group share the
/// leaf of rail 3); without, one leaf for all NICs of its nodes. Three levels: `groups_per_pod` groups share a pod's spines.
struct FatTree {
  std::int64_t levels = 2;  // 2 or 3
  bool rails = true;
  std::int64_t nodes_per_leaf = 32;
  double oversubscription = 1.0;        // of a leaf: bandwidth to its nodes / bandwidth to its spines
  std::optional<std::int64_t> spines;   // a leaf's uplinks, one a spine; absent: uplinks of a NIC's bandwidth
  std::int64_t groups_per_pod = 4;      // three levels only
  double spine_oversubscription = 1.0;  // three levels only: of a spine, to its leaves / to its cores
  std::optional<std::int64_t> cores;    // three levels only: a spine's uplinks; absent: as for leaves
  std::uint64_t hash_seed = 0;          // another seed: other collisions
  friend bool operator==(const FatTree&, const FatTree&) = default;
};

/// A grid of GPUs that closes in every dimension, each with a link to either neighbour in each dimension at
/// Cluster::intra_node; no nodes, no NICs. Dimension-order routes, the shorter way round (ties: upwards).
struct Torus {
  std::vector<std::int64_t> dimensions;  // GPU g has coordinate g mod d0, g / d0 mod d1, ...
  friend bool operator==(const Torus&, const Torus&) = default;
};

/// Groups of routers: all routers of a group are linked, and every pair of groups by one link. Minimal routes (local,
/// global, local).
struct Dragonfly {
  std::int64_t nodes_per_router = 1;
  std::int64_t routers_per_group = 4;
  Bandwidth local;   // between two routers of a group, each direction
  Bandwidth global;  // between two groups, each direction
  friend bool operator==(const Dragonfly&, const Dragonfly&) = default;
};

using Fabric = std::variant<FlatSwitch, FatTree, Torus, Dragonfly>;

}  // namespace ringsim
