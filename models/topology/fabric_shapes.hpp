#pragma once
// How many switches and links a fabric has, and how wide they are.

#include "models/device.hpp"

#include <cstdint>

namespace ringsim {

/// Fat tree. With R ports of bandwidth w below a switch and an oversubscription o, its uplinks have R · w / o together:
/// as many as were asked for, else as many of bandwidth w as that takes, rounded up, all of the same width.
///   leaf:   R = nodes_per_leaf · (NICs of a node on that leaf), w = a NIC's bandwidth
///   spine:  R = groups_per_pod · leaves_per_group,              w = a leaf's uplink
struct FatTreeShape {
  std::int64_t groups = 1;
  std::int64_t leaves_per_group = 1;
  std::int64_t pods = 1;     // 1 of two levels: every leaf reaches all spines
  std::int64_t uplinks = 1;  // of a leaf; spines, a pod
  Bandwidth uplink;
  std::int64_t spine_uplinks = 0;  // of a spine; three levels
  Bandwidth spine_uplink;
};
/// Of a cluster that has NICs.
[[nodiscard]] FatTreeShape shape_of(const FatTree& tree, const Cluster& cluster);

struct DragonflyShape {
  std::int64_t routers_per_group = 1;
  std::int64_t groups = 1;
};
[[nodiscard]] DragonflyShape shape_of(const Dragonfly& dragonfly, const Cluster& cluster);

}  // namespace ringsim
