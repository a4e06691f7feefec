#pragma once
// Collectives: what they move and how long they take, by kind, group of ranks and size.
//
//   kind             traffic of a rank, one direction    `size` means
//   all-gather       size · (n - 1)/n                    what a rank has afterwards
//   reduce-scatter   size · (n - 1)/n                    what a rank has before
//   all-reduce       2 · size · (n - 1)/n                what a rank has before and afterwards
//   all-to-all       size · (n - 1)/n                    what a rank sends, the part for itself included
//
// (as nccl-tests count it, PERFORMANCE.md: busbw = traffic / time).
//
// A group of n ranks, at most g of them on each of K nodes; models/group_placement.hpp says over which links its data go.
//
//   ring         latency + phases · max over kinds of links of T(traffic of a phase)     phases: all-reduce 2, else 1
//   tree         latency + 2 · max over kinds of links of T(size)                        all-reduce over K > 1 nodes, where
//                                                                                        that is less: two trees, each with half
//                                                                                        of the data (Sanders, Speck, Träff 2009)
//   all-to-all   latency + max over kinds of links of T(traffic)
//
//   T(bytes) = bytes · part / (bandwidth · efficiency)       part of the bytes passes a port at this share of its bandwidth, with
//                                                            the efficiency that the profile has for messages of bytes · part
//
// Latency. The first step costs α, the whole fixed cost of a send and a receive with its launch; every further step of the same
// kernel costs a share of it, σ: 0.1 inside a node, 0.5 between nodes.
//
//                inside              between nodes
//   all-gather   n - K               K - 1          and reduce-scatter; all-reduce twice that
//   tree         2 · (g - 1)         2 · ceil(log2 K)
//   all-to-all   α of the farthest member, and 0.1 α for each of n - 2 further messages
//
// (steps as NCCL counts them for its choice of an algorithm, src/graph/tuning.cc). σ inside: 8 KiB on H100 nodes take an all-gather
// of 2, 4 and 8 GPUs 6.9, 8.1 and 11.3 µs, an all-reduce 7.0, 10.2 and 16.4 µs, an all-to-all 7.3, 8.2 and 13.7 µs (NCCL 2.27,
// published with ai-dynamo/aiconfigurator): 0.7 to 0.9 µs a step, against an α of 7 µs. σ between nodes: an all-reduce of 8 KiB over
// 2, 4, 8 and 16 nodes of 8 A100 takes 41, 62, 84 and 103 µs (logs published with NetX-lab/Echo), 20 µs a level of the tree, which is
// two steps, against an α of 17 to 20 µs.
//
// Where a profile has costs of a kind over a class of links (Profile::collectives), they are used instead:
//
//   time = latency + T(traffic) at their efficiency for this traffic
//                                                         between two numbers of ranks linear in log(ranks), beyond them the nearest
//
// for the class of the farthest links of the group.
//
// Not modelled: how protocols (LL, LL128) and channels depend on the size other than through the profile's knots; links that
// noise.slow_links makes slow; other traffic at the same time (hops of the ring, groups of another kind).

#include "models/device.hpp"
#include "models/plan.hpp"
#include "models/profile.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim {

enum class CollectiveKind { all_gather, reduce_scatter, all_reduce, all_to_all };
[[nodiscard]] std::string_view name_of(CollectiveKind kind);

/// Who takes part, by the axes along which the members differ.
enum class Group {
  tensor,          // the tensor ranks of one place
  ulysses,         // the Ulysses ranks of one place
  ring,            // the ranks of a ring
  context,         // ulysses and ring: all ranks that divide a sequence
  expert,          // `Parallel::expert` ranks that follow each other along ulysses, ring and data
  data,            // the data-parallel ranks
  gradient,        // ulysses, ring and data: all ranks that hold the same parameters
  decode_context,  // `Parallel::decode_context` neighbours of the tensor ranks
};
inline constexpr std::array<Group, 8> all_groups = {Group::tensor,   Group::ulysses,       Group::ring,
                                                    Group::context,  Group::expert,        Group::data,
                                                    Group::gradient, Group::decode_context};
[[nodiscard]] std::string_view name_of(Group group);
/// Ranks of a group.
[[nodiscard]] std::int64_t size_of(Group group, const Parallel& parallel);

/// What a collective of a program moves.
struct CollectiveTraffic {
  std::string name;  // "all-to-all of Q, K, V"
  CollectiveKind kind = CollectiveKind::all_gather;
  Group group = Group::tensor;
  Bytes bytes_per_token;  // its `size`, as above: of a token of the ring rank's block, over all sequences of the rank
  Bytes fixed;            // whatever the block
};

/// Part of a collective's traffic that goes over links of one class.
struct LinkTraffic {
  std::string link_class;
  bool inter_node = false;
  Bytes bytes;  // sent by a rank, on average
};

/// A kind of links that the traffic of a group takes, by the one of them that takes longest.
struct GroupPath {
  bool inter_node = false;
  std::int64_t ranks = 1;  // that it links: of a node, or the nodes
  double part = 1;         // of a rank's traffic, through one port at a time
  double mean = 1;         // of a rank's traffic, on average over the ranks
  Bandwidth bandwidth{};   // of that port, nominal, shared with the other groups of the kind
};

/// How a kind of group is placed: inside the node, then between nodes, as far as there is such traffic.
struct GroupPaths {
  std::int64_t ranks = 1;          // n
  std::int64_t nodes = 1;          // K, of the group that is on most of them
  std::int64_t ranks_of_node = 1;  // g, at most
  std::vector<GroupPath> paths;
};

class GroupPlacements;
struct HopCost;

/// Costs of the collectives of a job. All groups of a kind work at the same time and share the links that they meet on;
/// the slowest group's time counts.
class CollectiveCosts {
 public:
  CollectiveCosts() = default;  // knows no group but those of one rank
  CollectiveCosts(const Parallel& parallel, const Cluster& cluster, const Profile& profile);
  /// For placements that are known.
  CollectiveCosts(std::shared_ptr<const GroupPlacements> placements, const Profile& profile);

  /// 0 for a group of one or nothing to move. Throws Error at "cluster.inter_node" where the group is on several nodes and the
  /// cluster has no network; so does traffic().
  [[nodiscard]] Duration time(CollectiveKind kind, Group group, Bytes size) const;
  /// What a rank sends, by class of links; empty for a group of one.
  [[nodiscard]] std::vector<LinkTraffic> traffic(CollectiveKind kind, Group group, Bytes size) const;
  /// How the groups of a kind are placed; of a group of one nothing.
  [[nodiscard]] const GroupPaths& paths(CollectiveKind kind, Group group) const;

 private:
  [[nodiscard]] const Link& link(const GroupPath& path) const;
  [[nodiscard]] HopCost cost(const GroupPath& path) const;
  [[nodiscard]] Duration slowest(const GroupPaths& paths, Bytes traffic) const;
  [[nodiscard]] Duration latency(CollectiveKind kind, const GroupPaths& paths, bool tree) const;
  [[nodiscard]] std::optional<Duration> measured(CollectiveKind kind, const GroupPaths& paths, Bytes traffic) const;

  std::shared_ptr<const GroupPlacements> placements_;
  std::map<std::string, LinkCost> links_;  // of the profile
  std::vector<CollectiveCost> measured_;
};

/// Bytes that a rank sends: the table above.
[[nodiscard]] Bytes traffic_of(CollectiveKind kind, std::int64_t ranks, Bytes size);

}  // namespace ringsim
