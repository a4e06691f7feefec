#pragma once
// Where the members of a job's groups stand, and what their collectives load the network with.
//
// Ring (all-gather, reduce-scatter, all-reduce). A group with members on K nodes, the members of a node in the order of its GPUs,
// moves its data over c rings at a time, 1/c of them each. c is the least number of NICs that the members of a node use, at most
// their number: NCCL searches as many rings as it finds ways out of a node (its topology search, src/graph/search.cc). Ring j
// enters a node at the first member of its j-th NIC, passes all the others, and goes on from that NIC to the j-th NIC of the next
// node. In units of a rank's traffic:
//   between nodes   1/c a ring
//   inside          1 a member, and 1 - 1/c into a member where a ring enters
// A group inside a node has one closed ring with 1 a member.
//
// All-to-all. Each of n members sends 1/(n - 1) of its traffic to each of the others, on the route between their GPUs.
//
// All groups of a kind do the same at the same time. Each flow loads all links of its route (models/topology/network.hpp), and
// the time of a kind of route is that of the link on it with the most load for its bandwidth:  max over links of load / bandwidth.
// Of large jobs the first parts of the cluster stand for the rest (models/topology/neighbourhood.hpp).
//
// Not modelled: NVLink forwarding to another GPU's NIC (PXN), NVLink SHARP and reductions inside of switches.

#include "models/collective.hpp"
#include "models/device.hpp"
#include "models/plan.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ringsim {

/// The placements of all kinds of groups of a job, each worked out when it is first asked for. Safe to ask from several threads.
class GroupPlacements {
 public:
  GroupPlacements(const Parallel& parallel, const Cluster& cluster);
  GroupPlacements(const GroupPlacements&) = delete;
  GroupPlacements& operator=(const GroupPlacements&) = delete;
  GroupPlacements(GroupPlacements&&) = delete;
  GroupPlacements& operator=(GroupPlacements&&) = delete;
  ~GroupPlacements();

  /// Of the collectives that go around rings. Throws Error at "cluster.inter_node" where members are on different nodes and the
  /// cluster has no network.
  [[nodiscard]] const GroupPaths& ring(Group group) const { return of(group, false); }
  [[nodiscard]] const GroupPaths& all_to_all(Group group) const { return of(group, true); }
  [[nodiscard]] const Cluster& cluster() const { return cluster_; }

 private:
  struct Lazy;
  [[nodiscard]] const GroupPaths& of(Group group, bool all_to_all) const;

  Parallel parallel_;
  Cluster cluster_;
  std::array<std::unique_ptr<Lazy>, all_groups.size()> rings_;
  std::array<std::unique_ptr<Lazy>, all_groups.size()> all_to_alls_;
};

}  // namespace ringsim
