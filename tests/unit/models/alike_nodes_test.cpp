// One node that stands for all gives the network that routing every hop does; where it cannot, it does not.
#include "models/alike_nodes.hpp"

#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>

namespace ringsim {
namespace {

Parallel plan(std::int64_t tensor, std::int64_t ring, std::int64_t data, const char* order) {
  Parallel p;
  p.tensor = tensor;
  p.ring = ring;
  p.data = data;
  p.order = parse_order(order);
  return p;
}

constexpr const char* usual = "tensor-ulysses-ring-pipeline-data";

auto facts(const RingHop& hop) {
  return std::tuple(hop.from_gpu, hop.to_gpu, hop.inter_node, hop.only_leaving, hop.sharing, hop.alone, hop.shared,
                    hop.route.reach, hop.route.inter_node);
}

void expect_same(const RingHops& folded, const RingHops& routed, const std::string& what) {
  ASSERT_EQ(folded.size(), routed.size()) << what;
  std::size_t different = 0;
  for (std::size_t r = 0; r < folded.size(); ++r) different += facts(folded[r]) == facts(routed[r]) ? 0U : 1U;
  EXPECT_EQ(different, 0U) << what;
  ASSERT_EQ(folded.kinds().size(), routed.kinds().size()) << what;
  for (std::size_t k = 0; k < folded.kinds().size(); ++k) {
    EXPECT_EQ(facts(folded.kinds()[k]), facts(routed.kinds()[k])) << what;
  }
}

void expect_same(const JobNetwork& folded, const JobNetwork& routed, const std::string& what) {
  ASSERT_EQ(folded.rings.size(), routed.rings.size()) << what;
  for (std::size_t i = 0; i < folded.rings.size(); ++i) {
    expect_same(folded.rings[i].hops, routed.rings[i].hops, what);
    expect_same(folded.rings[i].second_hops, routed.rings[i].second_hops, what);
    EXPECT_EQ(folded.rings[i].gpus, routed.rings[i].gpus) << what;
  }
  EXPECT_EQ(folded.contended.size(), routed.contended.size()) << what;
  EXPECT_EQ(folded.slowest, routed.slowest) << what;
  EXPECT_EQ(folded.kinds, routed.kinds) << what;
  EXPECT_EQ(folded.kind_of_ring, routed.kind_of_ring) << what;
}

// Rings that fill nodes, that cross them at every hop, and of which several share a node, one way and both ways round, all
// with more than 2,048 ranks.
TEST(AlikeNodes, GiveTheNetworkOfAllRoutes) {
  int folded_cases = 0;
  for (const Exchange exchange : {Exchange::one_way, Exchange::both_ways, Exchange::all_gather}) {
    for (const std::int64_t node : {1, 2, 4, 8}) {
      for (const auto& [tensor, ring, data, order] :
           {std::tuple(1, 2056, 1, usual), std::tuple(8, 300, 1, usual), std::tuple(2, 8, 160, usual),
            std::tuple(1, 12, 200, usual), std::tuple(2, 1040, 1, "ring-tensor-ulysses-pipeline-data"),
            std::tuple(1, 4, 520, "data-tensor-ring-ulysses-pipeline")}) {
        const Parallel p = plan(tensor, ring, data, order);
        Cluster cluster = shapes::dgx_h100((p.product() + node - 1) / node);
        cluster.gpus_per_node = cluster.nics_per_node = node;
        RingOptions options;
        options.exchange = exchange;
        const std::string what = std::string(name_of(exchange)) + " node of " + std::to_string(node) + " tensor " +
                                 std::to_string(tensor) + " ring " + std::to_string(ring) + " " + order;
        const JobNetwork folded = job_network(p, cluster, {}, options);
        expect_same(folded, job_network(p, cluster, {}, options, Routes::all), what);
        folded_cases += alike_nodes(p, cluster, {}, options) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(folded_cases, 36) << "most of the 72 are folded";
}

// Four tensor ranks a node leave it over one NIC: 4 hops of 50 GB/s each ask 200 of 50 in each direction of every node.
TEST(AlikeNodes, AreNotTakenForAllWhereALinkIsContended) {
  Cluster cluster = shapes::dgx_h100(600);
  cluster.gpus_per_node = 4;
  cluster.nics_per_node = 1;
  const Parallel p = plan(4, 600, 1, usual);
  EXPECT_FALSE(alike_nodes(p, cluster, {}, {}));
  const JobNetwork job = job_network(p, cluster);
  EXPECT_EQ(job.contended.size(), 1200U);
  EXPECT_EQ(job.rings[0].hops[0].sharing, 4);
  EXPECT_EQ(job.links.name(job.contended[0].link), "node0.nic0.out");
}

TEST(AlikeNodes, AreRefusedWhereNodesDiffer) {
  const Cluster cluster = shapes::dgx_h100(300);
  const Parallel p = plan(1, 2400, 1, usual);
  EXPECT_TRUE(alike_nodes(p, cluster, {}, {}));
  Noise slow;
  slow.slow_links = {{"node3.nic7.out", 0.5, {}}};
  EXPECT_FALSE(alike_nodes(p, cluster, slow, {}));
  slow.slow_links[0].from = seconds(1);  // what comes later is not part of the network
  EXPECT_TRUE(alike_nodes(p, cluster, slow, {}));
  Noise traffic;
  traffic.background.push_back({7, 9, std::nullopt, {}, {}});
  EXPECT_FALSE(alike_nodes(p, cluster, traffic, {}));
  EXPECT_FALSE(alike_nodes(plan(1, 2399, 1, usual), cluster, {}, {})) << "the last node has a rank less";
  EXPECT_FALSE(alike_nodes(plan(1, 2048, 1, usual), cluster, {}, {})) << "few enough to be routed in full";
  Parallel by_hand = p;
  for (std::int64_t gpu = 0; gpu < 2400; ++gpu) by_hand.gpus.push_back(gpu);
  EXPECT_FALSE(alike_nodes(by_hand, cluster, {}, {}));
  Cluster tree = cluster;
  tree.fabric = FatTree{};
  EXPECT_FALSE(alike_nodes(p, tree, {}, {})) << "its routes are a hash of their ends";
}

}  // namespace
}  // namespace ringsim
