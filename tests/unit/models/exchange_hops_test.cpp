// The hops of rings that have two sets of them, what they share, and the hops between pipeline stages.
#include "models/group_placement.hpp"
#include "models/inner_ring.hpp"
#include "models/pipeline_hops.hpp"
#include "tests/unit/models/topology_support.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

using topology::error_of;
using topology::plan;

RingOptions exchanging(Exchange exchange, std::int64_t inner = 0) {
  RingOptions options;
  options.exchange = exchange;
  options.inner = inner;
  return options;
}

TEST(BothWays, OnASwitchAPortServesBothHopsOfItsRank) {
  // Eight GPUs on an NVSwitch: up and down leave through the same port of 450 GB/s and enter through the same.
  const JobNetwork job = job_network(plan(1, 8), shapes::dgx_h100(1), {}, exchanging(Exchange::both_ways));
  const PlacedRing& ring = job.rings[0];
  ASSERT_EQ(ring.second_hops.size(), 8U);
  EXPECT_EQ(ring.second_hops[0].to_gpu, 7);
  EXPECT_EQ(ring.second_hops[5].to_gpu, 4);
  EXPECT_EQ(job.contended.size(), 16U);
  for (const auto* hops : {&ring.hops, &ring.second_hops}) {
    for (const RingHop& hop : *hops) {
      EXPECT_EQ(hop.sharing, 2);
      EXPECT_NEAR(in_gigabytes_per_second(hop.shared), 225, 1e-9);
      EXPECT_NEAR(in_gigabytes_per_second(hop.alone), 450, 1e-9);
    }
  }
}

TEST(BothWays, OnATorusEachDirectionHasLinksOfItsOwn) {
  Cluster torus = shapes::dgx_h100(1);
  torus.nics_per_node = 0;
  torus.inter_node.reset();
  torus.fabric = Torus{{8}};
  const JobNetwork job = job_network(plan(1, 8), torus, {}, exchanging(Exchange::both_ways));
  EXPECT_TRUE(job.contended.empty());
  EXPECT_NEAR(in_gigabytes_per_second(job.rings[0].second_hops[3].shared), 450, 1e-9);
}

TEST(TwoLevel, InnerRingsStayInTheirNodesAndOuterHopsHaveANicEach) {
  // 16 ranks on two nodes: inner rings 0-7 and 8-15 close in their node; rank 3 and rank 11 are places of the outer ring. Each
  // GPU has a NIC, and inner hops take none: nothing is shared.
  const JobNetwork job = job_network(plan(1, 16), shapes::dgx_h100(2), {}, exchanging(Exchange::two_level));
  EXPECT_EQ(job.inner, 8);
  const PlacedRing& ring = job.rings[0];
  EXPECT_EQ(ring.hops[7].to_gpu, 0);
  EXPECT_EQ(ring.hops[15].to_gpu, 8);
  EXPECT_EQ(ring.second_hops[3].to_gpu, 11);
  EXPECT_EQ(ring.second_hops[11].to_gpu, 3);
  for (const RingHop& hop : ring.hops) EXPECT_FALSE(hop.inter_node);
  for (const RingHop& hop : ring.second_hops) EXPECT_TRUE(hop.inter_node);
  EXPECT_TRUE(job.contended.empty());
  // Both sets count: 16 hops of NVLink, 16 out of the node.
  const std::vector<ReachCount> reaches = hops_by_reach(ring);
  ASSERT_EQ(reaches.size(), 2U);
  EXPECT_EQ(reaches[0].hops, 16);
  EXPECT_EQ(reaches[1].hops, 16);
}

TEST(TwoLevel, EightOuterHopsShareTheFewNicsOfANode) {
  Cluster cluster = shapes::dgx_h100(2);
  cluster.nics_per_node = 2;
  const JobNetwork job = job_network(plan(1, 16), cluster, {}, exchanging(Exchange::two_level));
  EXPECT_EQ(job.contended.size(), 8U);  // two NICs, out and in, of two nodes
  EXPECT_NEAR(in_gigabytes_per_second(job.rings[0].second_hops[0].shared), 12.5, 1e-9);
  EXPECT_EQ(job.rings[0].hops[0].sharing, 1);
}

TEST(TwoLevel, InnerRingsCanBeSmallerThanANode) {
  // Pairs below a PCIe switch.
  EXPECT_EQ(inner_ranks(plan(1, 8), topology::box(), exchanging(Exchange::two_level, 2)), 2);
  EXPECT_EQ(inner_ranks(plan(1, 8), topology::box(), exchanging(Exchange::one_way, 3)), 1);
}

TEST(TwoLevel, SaysWhichInnerRingsThereCanBe) {
  const auto error = [](const Parallel& p, std::int64_t nodes, std::int64_t inner) {
    return error_of([&] {
      static_cast<void>(job_network(p, shapes::dgx_h100(nodes), {}, exchanging(Exchange::two_level, inner)));
    });
  };
  const auto odd = error(plan(1, 16), 2, 3);
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->where(), "ring.inner");
  EXPECT_NE(odd->hint().find("2, 4 or 8"), std::string::npos) << odd->hint();
  // All ranks in one node; one rank a node (tensor 8); nodes of eight that hold 8 and 4 of twelve ranks.
  EXPECT_NE(error(plan(1, 8), 1, 0)->message().find("no outer ring"), std::string::npos);
  EXPECT_NE(error(plan(8, 4), 4, 0)->message().find("no inner ring"), std::string::npos);
  EXPECT_NE(error(plan(1, 12), 2, 0)->message().find("hold 4 neighbours of a ring and others 8"), std::string::npos);
  // A ring of one has nothing to divide.
  EXPECT_FALSE(error(plan(8, 1), 1, 0));
}

TEST(AllGather, HasNeighboursButNoHopsThatShareLinks) {
  // Two rings through the one NIC of each of two nodes would contend, did blocks go from rank to rank.
  Cluster cluster = shapes::dgx_h100(2);
  cluster.gpus_per_node = 2;
  cluster.nics_per_node = 1;
  const Parallel p = plan(2, 2);
  EXPECT_FALSE(job_network(p, cluster).contended.empty());
  const JobNetwork job = job_network(p, cluster, {}, exchanging(Exchange::all_gather));
  EXPECT_TRUE(job.contended.empty());
  EXPECT_NEAR(in_gigabytes_per_second(job.rings[0].hops[0].shared), 50, 1e-9);
}

Parallel staged(std::int64_t tensor, std::int64_t pipeline, std::int64_t data) {
  Parallel p = plan(tensor, 1, data);
  p.pipeline = pipeline;
  return p;
}

TEST(PipelineHops, AreTheSlowestOfEveryStage) {
  // Tensor 4 and four stages on two nodes: 0 -> 1 and 2 -> 3 stay inside, 1 -> 2 and 3 -> 0 leave, a NIC each.
  const std::vector<RingHop> hops = pipeline_hops(staged(4, 4, 1), shapes::dgx_h100(2));
  ASSERT_EQ(hops.size(), 4U);
  for (const std::size_t stage : {0U, 2U}) EXPECT_NEAR(in_gigabytes_per_second(hops[stage].shared), 450, 1e-9);
  for (const std::size_t stage : {1U, 3U}) {
    EXPECT_TRUE(hops[stage].inter_node);
    EXPECT_NEAR(in_gigabytes_per_second(hops[stage].shared), 50, 1e-9);
  }
  // One NIC a node: the four ranks of a stage go through it together.
  Cluster one_nic = shapes::dgx_h100(2);
  one_nic.nics_per_node = 1;
  const RingHop shared = pipeline_hops(staged(4, 4, 1), one_nic)[1];
  EXPECT_EQ(shared.sharing, 4);
  EXPECT_NEAR(in_gigabytes_per_second(shared.shared), 12.5, 1e-9);
  EXPECT_TRUE(pipeline_hops(staged(8, 1, 2), shapes::dgx_h100(2)).empty());
}

TEST(PipelineHops, OfALargeJobFollowFromAPartOfIt) {
  // 8 tensor ranks a node, 16 stages, 128 replicas of it: every rank sends through a NIC of its own.
  const std::vector<RingHop> hops = pipeline_hops(staged(8, 16, 128), shapes::dgx_h100(2048));
  ASSERT_EQ(hops.size(), 16U);
  for (const RingHop& hop : hops) EXPECT_NEAR(in_gigabytes_per_second(hop.shared), 50, 1e-9);
}

TEST(PipelineHops, NeedANetworkBetweenNodes) {
  Cluster cluster = shapes::dgx_h100(2);
  cluster.inter_node.reset();
  const auto error = error_of([&] { static_cast<void>(pipeline_hops(staged(8, 2, 1), cluster)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "cluster.inter_node");
}

}  // namespace
}  // namespace ringsim
