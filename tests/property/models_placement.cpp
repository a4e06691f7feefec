// Placements of random degrees in random orders: every rank has a GPU of its own, rings close, and orders survive being
// written.
#include "models/job_network.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <set>
#include <tuple>

namespace ringsim {
namespace {

Parallel any_plan() {
  const auto degree = [] { return *rc::gen::inRange<std::int64_t>(1, 5); };
  Parallel p{degree(), degree(), degree(), degree(), degree(), all_axes};
  for (std::size_t i = 4; i > 0; --i) std::swap(p.order[i], p.order[*rc::gen::inRange<std::size_t>(0, i + 1)]);
  return p;
}

RC_GTEST_PROP(Order, ReadsBackAsItself, ()) {
  const Parallel p = any_plan();
  RC_ASSERT(parse_order(format_order(p.order)) == p.order);
}

RC_GTEST_PROP(Placement, GivesEveryRankAGpuOfItsOwn, ()) {
  const Parallel p = any_plan();
  std::set<std::int64_t> gpus;
  for (std::int64_t t = 0; t < p.tensor; ++t) {
    for (std::int64_t u = 0; u < p.ulysses; ++u) {
      for (std::int64_t r = 0; r < p.ring; ++r) {
        for (std::int64_t s = 0; s < p.pipeline; ++s) {
          for (std::int64_t d = 0; d < p.data; ++d) gpus.insert(gpu_of(p, t, u, r, s, d));
        }
      }
    }
  }
  RC_ASSERT(static_cast<std::int64_t>(gpus.size()) == p.product());
  RC_ASSERT(*gpus.begin() == 0 && *gpus.rbegin() == p.product() - 1);
}

RC_GTEST_PROP(Placement, RingsCloseAndKnowTheirNodes, ()) {
  const Parallel p = any_plan();
  Cluster cluster;
  cluster.gpus_per_node = *rc::gen::element<std::int64_t>(1, 2, 4, 8);
  cluster.nics_per_node = *rc::gen::inRange<std::int64_t>(1, 9);
  cluster.intra_node.bandwidth = gigabytes_per_second(450);
  cluster.inter_node = Link{"ib-ndr", gigabytes_per_second(50), std::nullopt};
  const JobNetwork job = job_network(p, cluster);
  RC_ASSERT(static_cast<std::int64_t>(job.rings.size()) == p.tensor * p.ulysses * p.pipeline * p.data);
  const RingHops& hops = job.rings[job.slowest].hops;
  RC_ASSERT(static_cast<std::int64_t>(hops.size()) == (p.ring > 1 ? p.ring : 0));
  std::int64_t most = 0;  // hops between nodes of any ring
  for (const PlacedRing& ring : job.rings) {
    std::int64_t outside = 0;
    for (const RingHop& h : ring.hops) outside += h.inter_node ? 1 : 0;
    most = std::max(most, outside);
  }
  std::int64_t outside = 0;
  for (std::size_t r = 0; r < hops.size(); ++r) {
    const RingHop& hop = hops[r];
    RC_ASSERT(hop.to_gpu == hops[(r + 1) % hops.size()].from_gpu);
    RC_ASSERT(hop.inter_node == (hop.from_gpu / cluster.gpus_per_node != hop.to_gpu / cluster.gpus_per_node));
    // Not more flows a NIC than a node has GPUs, each of which sends one.
    RC_ASSERT(hop.sharing >= 1 && hop.sharing <= cluster.gpus_per_node);
    if (!hop.inter_node) RC_ASSERT(hop.sharing == 1);
    outside += hop.inter_node ? 1 : 0;
  }
  RC_ASSERT((outside > 0) == (most > 0));
}

// Kinds of hops: each hop is like its kind in all that kinds are about, and no two kinds are alike.
RC_GTEST_PROP(Placement, KindsOfHopsDifferAndStandForTheirHops, ()) {
  const Parallel p = any_plan();
  Cluster cluster;
  cluster.gpus_per_node = *rc::gen::element<std::int64_t>(1, 2, 4, 8);
  cluster.nodes = (p.product() + cluster.gpus_per_node - 1) / cluster.gpus_per_node;
  cluster.nics_per_node = *rc::gen::inRange<std::int64_t>(1, 9);
  cluster.intra_node.bandwidth = gigabytes_per_second(450);
  cluster.inter_node = Link{"ib-ndr", gigabytes_per_second(50), std::nullopt};
  const auto facts = [](const RingHop& hop) {
    return std::tuple(hop.inter_node, hop.only_leaving, hop.sharing, hop.alone, hop.shared, hop.route.reach);
  };
  const JobNetwork job = job_network(p, cluster);
  for (const PlacedRing& ring : job.rings) {
    const RingHops& hops = ring.hops;
    std::set<std::uint32_t> used(hops.kind_of().begin(), hops.kind_of().end());
    RC_ASSERT(used.size() == hops.kinds().size());
    for (std::size_t a = 0; a < hops.kinds().size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) RC_ASSERT(facts(hops.kinds()[a]) != facts(hops.kinds()[b]));
    }
    for (std::size_t r = 0; r < hops.size(); ++r) {
      RC_ASSERT(facts(hops[r]) == facts(hops.kinds()[hops.kind_of()[r]]));
      RC_ASSERT(hops[r].from_gpu == ring.gpus[r]);
      Network network(cluster);
      RC_ASSERT(hops[r].route.links.size() == network.route(hops[r].from_gpu, hops[r].to_gpu).links.size());
    }
  }
}

}  // namespace
}  // namespace ringsim
