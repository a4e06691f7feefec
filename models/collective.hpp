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

#include "models/device.hpp"
#include "models/plan.hpp"
#include "models/profile.hpp"

#include <array>
#include <cstdint>
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

/// Costs of the collectives of a job. All groups of a kind work at the same time and share the links that they meet on;
/// the slowest group's time counts.
class CollectiveCosts {
 public:
  CollectiveCosts() = default;  // knows no group but those of one rank
  CollectiveCosts(const Parallel& parallel, const Cluster& cluster, const Profile& profile);

  /// 0 for a group of one or nothing to move.
  [[nodiscard]] Duration time(CollectiveKind kind, Group group, Bytes size) const;
  /// What a rank sends, by class of links; empty for a group of one.
  [[nodiscard]] std::vector<LinkTraffic> traffic(CollectiveKind kind, Group group, Bytes size) const;

  /// One way to move the traffic of a group: `part` of the ring algorithm's traffic in `steps` dependent messages at this rate.
  struct Stage {
    std::string link_class;
    bool inter_node = false;
    std::int64_t ranks = 1;  // that this stage links
    double part = 1;         // of `size`, sent by a rank in this stage of an all-gather
    Bandwidth bandwidth;     // of a rank, nominal, shared with the other groups of the kind
  };
  struct Placed {
    std::int64_t ranks = 1;
    std::vector<Stage> ring;        // all-gather, reduce-scatter, all-reduce: inside the node, then between nodes
    std::vector<Stage> all_to_all;  // by class of links, at the same time
  };
  [[nodiscard]] const Placed& placed(Group group) const { return placed_[static_cast<std::size_t>(group)]; }

 private:
  std::array<Placed, all_groups.size()> placed_{};
  Profile profile_;
  std::vector<Link> links_;
};

}  // namespace ringsim
