#pragma once
// All rings of a job on the cluster's network: every hop with its route, and the links that hops share.
//
//   exchange     hops                                     second hops
//   one-way      rank r to r + 1                          none
//   both-ways    rank r to r + 1                          rank r to r - 1
//   two-level    rank r to the next of its inner ring     rank r to r + M, M ranks an inner ring (models/inner_ring.hpp)
//   all-gather   rank r to r + 1: who the neighbours are; nothing travels so, and no link has a share of it
//
// All hops, of both sets, can be in flight at the same time: an outer hop has a turn of the inner ring to hide behind, and of a
// ring both ways round both hops belong to one grouped operation. So a port of a switch serves two hops of a ring both ways, and
// each of the two directions of a torus one.
//
// Every tensor-parallel, Ulysses, pipeline and data-parallel coordinate has a ring of its own, and all of them move blocks at
// the same time. A link is contended where the hops and the background traffic that use it could together ask for more than it
// has, each of them limited by the narrowest link of its own route:   Σ alone > bandwidth.  Without a contended link no hop can
// ever slow another one down, whatever the timing.

#include "models/device.hpp"
#include "models/noise.hpp"
#include "models/plan.hpp"
#include "models/topology/network.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ringsim {

/// One directed hop of a ring.
struct RingHop {
  std::int64_t from_gpu = 0;  // global indices
  std::int64_t to_gpu = 0;
  bool inter_node = false;    // over NICs
  bool only_leaving = false;  // no other hop of the job leaves this one's node
  std::int64_t sharing = 1;   // flows on the contended link that leaves this hop least; 1: none is contended
  Bandwidth alone;            // narrowest link of the route, nominal
  Bandwidth shared;           // the least equal share of a contended link, nominal; `alone` where none is
  Route route{};
};

class GroupPlacements;

/// What all rings of a job have in common beside the ways of their blocks.
struct JobPaths {
  std::vector<RingHop> sends;                     // models/pipeline_hops.hpp
  std::shared_ptr<const GroupPlacements> groups;  // models/group_placement.hpp
};

/// The ring of one coordinate.
struct PlacedRing {
  std::int64_t tensor = 0, ulysses = 0, pipeline = 0, data = 0;
  std::vector<std::int64_t> gpus;         // of rank 0, 1, ...
  std::vector<RingHop> hops;              // by sender; empty for a ring of one
  std::vector<RingHop> second_hops{};     // the same; empty where the exchange has one set
  std::shared_ptr<const JobPaths> job{};  // the same one for all rings
};

/// A link that more flows use than it can serve at once.
struct ContendedLink {
  LinkIndex link = 0;
  std::int64_t flows = 0;
  Bandwidth demand;  // Σ alone
};

struct JobNetwork {
  std::vector<NetworkLink> links;        // those in use, with what slow links (from the start on) have left
  std::vector<PlacedRing> rings;         // by data, pipeline, ulysses, tensor coordinate; tensor changes fastest
  std::vector<ContendedLink> contended;  // by link
  std::vector<Route> background;         // of Noise::background
  /// The ring with the slowest hops under fixed shares (then the most hops between nodes; the first of equals).
  std::size_t slowest = 0;
  std::int64_t inner = 1;  // ranks of an inner ring; 1: there is none
  /// Rings with the same hops (bandwidths, reaches, in ring order) are of one kind: the first ring of each, and every ring's.
  std::vector<std::size_t> kinds;
  std::vector<std::size_t> kind_of_ring;  // index into `kinds`
  [[nodiscard]] bool all_alike() const { return kinds.size() == 1; }
};

/// Throws Error where the cluster has no way between two ranks of a ring, noise names a link that does not exist, or no inner rings
/// fit (inner_ranks).
[[nodiscard]] JobNetwork job_network(const Parallel& parallel, const Cluster& cluster, const Noise& noise = {},
                                     const RingOptions& ring = {});
/// Throws the same, without placing all hops.
void check_job_network(const Parallel& parallel, const Cluster& cluster, const Noise& noise, const RingOptions& ring);

/// The hops of one class on a ring, of both sets: "7 of nvlink".
struct ReachCount {
  Reach reach = Reach::nvlink;
  std::int64_t hops = 0;
};
/// From near to far.
[[nodiscard]] std::vector<ReachCount> hops_by_reach(const PlacedRing& ring);

}  // namespace ringsim
