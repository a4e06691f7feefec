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
#include <span>
#include <string>
#include <utility>
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

/// The hops of a ring, by sender. A long ring has few kinds of hops, so what costs depend on is kept once a kind, and of each hop
/// its kind, its ends and its links: some 30 bytes.
class RingHops {
 public:
  [[nodiscard]] std::size_t size() const { return kind_of_.size(); }
  [[nodiscard]] bool empty() const { return kind_of_.empty(); }
  /// Of rank `r`, put together.
  [[nodiscard]] RingHop operator[](std::size_t r) const;
  /// None where all nodes are alike (Routes).
  [[nodiscard]] std::span<const std::uint32_t> links(std::size_t r) const {
    if (r >= end_link_.size()) return {};
    const std::size_t begin = r == 0 ? 0 : end_link_[r - 1];
    return std::span(links_).subspan(begin, end_link_[r] - begin);
  }

  /// Of each kind its first hop, without links, in the order in which they come up round the ring. No two kinds are the same.
  [[nodiscard]] const std::vector<RingHop>& kinds() const { return kinds_; }
  /// The kind of every rank's hop, an index into kinds().
  [[nodiscard]] const std::vector<std::uint32_t>& kind_of() const { return kind_of_; }
  /// How many hops there are of each kind.
  [[nodiscard]] std::vector<std::int64_t> counts() const;

  void reserve(std::int64_t ranks);
  void push_back(std::int64_t from_gpu, std::int64_t to_gpu, const Route& route);
  /// A hop like another one, between other GPUs; without links.
  void push_back(const RingHop& like, std::int64_t from_gpu, std::int64_t to_gpu);
  /// Lets `change(hop, links)` alter what kinds differ in, hop by hop in ring order, and sorts them into kinds again.
  template <class Change>
  void change(const Change& change) {
    const std::vector<RingHop> before = std::exchange(kinds_, {});
    for (std::size_t r = 0; r < size(); ++r) {
      RingHop hop = before[kind_of_[r]];
      hop.from_gpu = from_gpu_[r];
      hop.to_gpu = to_gpu_[r];
      change(hop, links(r));
      kind_of_[r] = kind_like(hop);
    }
  }

  class Iterator {
   public:
    Iterator(const RingHops& hops, std::size_t at) : hops_(&hops), at_(at) {}
    RingHop operator*() const { return (*hops_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const RingHops* hops_;
    std::size_t at_;
  };
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size()}; }

 private:
  [[nodiscard]] std::uint32_t kind_like(const RingHop& hop);

  std::vector<RingHop> kinds_;
  std::vector<std::uint32_t> kind_of_;
  std::vector<std::int64_t> from_gpu_, to_gpu_;
  std::vector<std::uint32_t> links_;   // of rank 0's hop, of rank 1's, ...
  std::vector<std::size_t> end_link_;  // where those of each rank end
};

/// What all rings of a job have in common beside the ways of their blocks.
struct JobPaths {
  std::vector<RingHop> sends;                     // models/pipeline_hops.hpp
  std::shared_ptr<const GroupPlacements> groups;  // models/group_placement.hpp
};

/// The ring of one coordinate.
struct PlacedRing {
  std::int64_t tensor = 0, ulysses = 0, pipeline = 0, data = 0;
  std::vector<std::int64_t> gpus;         // of rank 0, 1, ...
  RingHops hops;                          // empty for a ring of one
  RingHops second_hops{};                 // empty where the exchange has one set
  std::shared_ptr<const JobPaths> job{};  // the same one for all rings
};

/// A link that more flows use than it can serve at once.
struct ContendedLink {
  LinkIndex link = 0;
  std::int64_t flows = 0;
  Bandwidth demand;  // Σ alone
};

struct JobNetwork {
  LinkTable links;                // those that hops are given, with what slow links (from the start on) have left
  std::vector<PlacedRing> rings;  // by data, pipeline, ulysses, tensor coordinate; tensor changes fastest
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

/// Which hops of a job are given their links.
enum class Routes {
  where_needed,  // none where all nodes are used alike and no link is contended (models/alike_nodes.hpp)
  all,
};

/// Throws Error where the cluster has no way between two ranks of a ring, noise names a link that does not exist, or no inner rings
/// fit (inner_ranks).
[[nodiscard]] JobNetwork job_network(const Parallel& parallel, const Cluster& cluster, const Noise& noise = {},
                                     const RingOptions& ring = {}, Routes routes = Routes::where_needed);
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
