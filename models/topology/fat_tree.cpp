// Ways through a fat tree, from leaf to leaf.
//
// A route takes one uplink s of its leaf, which is the spine that it passes, down to the other leaf again; between pods also
// one uplink c of that spine, which is the core, down to the spine with the same index s. A static hash decides (ECMP with
// one flow a pair of NICs; NCCL opens few queue pairs a channel, so that flows do collide):
//
//   s = mix(seed, source NIC, destination NIC, 0) mod uplinks        c = mix(..., 1) mod (uplinks of a spine)
//   mix: SplitMix64's finaliser, chained        (Steele, Lea, Flood, OOPSLA 2014)
//
// Not modelled: adaptive routing and packet spraying (choose an oversubscription of 1 and many flows for their average).

#include "models/topology/fabric_shapes.hpp"
#include "models/topology/route_builder.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace ringsim {
namespace {

std::uint64_t mixed(std::initializer_list<std::uint64_t> words) {
  std::uint64_t z = 0;
  for (const std::uint64_t word : words) {
    z += word + 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    z ^= z >> 31U;
  }
  return z;
}

struct Uplinks {
  std::int64_t number = 1;
  Bandwidth each;
};
Uplinks uplinks(std::int64_t ports, Bandwidth port, double oversubscription, std::optional<std::int64_t> wanted) {
  const double as_ports = static_cast<double>(ports) / oversubscription;  // of the ports' own bandwidth
  const auto enough = static_cast<std::int64_t>(std::ceil(as_ports * (1.0 - 1e-12)));
  const std::int64_t number = wanted.value_or(std::max<std::int64_t>(1, enough));
  return {number, port * (as_ports / static_cast<double>(number))};
}

struct Leaf {
  std::int64_t group = 0;
  std::int64_t rail = 0;
  bool operator==(const Leaf&) const = default;
};
Leaf leaf_of(const FatTree& tree, NodeGpu at) { return {at.node / tree.nodes_per_leaf, tree.rails ? at.nic : 0}; }

}  // namespace

FatTreeShape shape_of(const FatTree& tree, const Cluster& cluster) {
  FatTreeShape shape;
  shape.groups = (cluster.nodes + tree.nodes_per_leaf - 1) / tree.nodes_per_leaf;
  shape.leaves_per_group = tree.rails ? cluster.nics_per_node : 1;
  const std::int64_t nics = tree.nodes_per_leaf * (tree.rails ? 1 : cluster.nics_per_node);
  const Uplinks leaf = uplinks(nics, cluster.inter_node->bandwidth, tree.oversubscription, tree.spines);
  shape.uplinks = leaf.number;
  shape.uplink = leaf.each;
  if (tree.levels == 3) {
    shape.pods = (shape.groups + tree.groups_per_pod - 1) / tree.groups_per_pod;
    const Uplinks spine =
        uplinks(tree.groups_per_pod * shape.leaves_per_group, shape.uplink, tree.spine_oversubscription, tree.cores);
    shape.spine_uplinks = spine.number;
    shape.spine_uplink = spine.each;
  }
  return shape;
}

void over_fat_tree(RouteBuilder& route, const Cluster& cluster, const FatTree& tree, NodeGpu from, NodeGpu to) {
  const Leaf source = leaf_of(tree, from);
  const Leaf target = leaf_of(tree, to);
  if (source == target) return;  // Reach::leaf
  const FatTreeShape shape = shape_of(tree, cluster);
  const auto global = [&](NodeGpu at) { return static_cast<std::uint64_t>(at.node * cluster.nics_per_node + at.nic); };
  const auto choice = [&](std::uint64_t level, std::int64_t among) {
    const std::uint64_t hash = mixed({tree.hash_seed, global(from), global(to), level});
    return static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(among));
  };
  const auto over_leaf = [&](const Leaf& leaf, bool up, std::int64_t uplink) {
    if (tree.rails) {
      route.over(up ? "group#.rail#.up#" : "group#.rail#.down#", {leaf.group, leaf.rail, uplink}, shape.uplink);
    } else {
      route.over(up ? "group#.up#" : "group#.down#", {leaf.group, uplink}, shape.uplink);
    }
  };
  const std::int64_t spine = choice(0, shape.uplinks);
  over_leaf(source, true, spine);
  const std::int64_t source_pod = tree.levels == 3 ? source.group / tree.groups_per_pod : 0;
  const std::int64_t target_pod = tree.levels == 3 ? target.group / tree.groups_per_pod : 0;
  route.reaches(source_pod == target_pod ? Reach::spine : Reach::core);
  if (source_pod != target_pod) {
    const std::int64_t core = choice(1, shape.spine_uplinks);
    route.over("pod#.spine#.up#", {source_pod, spine, core}, shape.spine_uplink);
    route.over("pod#.spine#.down#", {target_pod, spine, core}, shape.spine_uplink);
  }
  over_leaf(target, false, spine);
}

}  // namespace ringsim
