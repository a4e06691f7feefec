// Where the ranks of a ring end up, which of its hops leave the node, and how many flows share a NIC.
#include "models/placement.hpp"

#include "models/job_network.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace ringsim {
namespace {

Parallel degrees(std::int64_t tensor, std::int64_t ring, std::int64_t data,
                 const char* order = "tensor-ulysses-ring-pipeline-data") {
  Parallel p;
  p.tensor = tensor;
  p.ring = ring;
  p.data = data;
  p.order = parse_order(order);
  return p;
}

/// The slowest ring of the job.
RingHops slowest(const JobNetwork& job) { return job.rings[job.slowest].hops; }

std::int64_t outside(const RingHops& hops) {
  std::int64_t n = 0;
  for (const RingHop& h : hops) n += h.inter_node ? 1 : 0;
  return n;
}

TEST(Placement, PutsEveryRankOnAGpuOfItsOwn) {
  Parallel p = degrees(2, 3, 2, "data-ring-pipeline-tensor-ulysses");
  p.ulysses = 2;
  p.pipeline = 2;
  std::set<std::int64_t> used;
  for (std::int64_t t = 0; t < 2; ++t) {
    for (std::int64_t u = 0; u < 2; ++u) {
      for (std::int64_t r = 0; r < 3; ++r) {
        for (std::int64_t s = 0; s < 2; ++s) {
          for (std::int64_t d = 0; d < 2; ++d) used.insert(gpu_of(p, t, u, r, s, d));
        }
      }
    }
  }
  EXPECT_EQ(used.size(), 48U);  // 2 · 2 · 3 · 2 · 2 of them, 0 to 47
  EXPECT_EQ(*used.begin(), 0);
  EXPECT_EQ(*used.rbegin(), 47);
  // Innermost first: the next data rank is the next GPU, the next ring rank two further, the next stage 2 · 3 further.
  EXPECT_EQ(gpu_of(p, 0, 0, 0, 0, 1), 1);
  EXPECT_EQ(gpu_of(p, 0, 0, 1, 0, 0), 2);
  EXPECT_EQ(gpu_of(p, 0, 0, 0, 1, 0), 6);
}

TEST(Placement, TensorInsideTheNodeSendsEveryHopOfTheRingOutside) {
  // Eight tensor ranks fill a node, so ring rank r is on node r: 8 hops between nodes. All eight rings leave each node
  // at once, over eight NICs: one each.
  const JobNetwork job = job_network(degrees(8, 8, 1), shapes::dgx_h100(8));
  ASSERT_EQ(slowest(job).size(), 8U);
  EXPECT_EQ(outside(slowest(job)), 8);
  EXPECT_TRUE(job.all_alike());
  for (const RingHop& h : slowest(job)) EXPECT_EQ(h.sharing, 1);
  EXPECT_EQ(slowest(job)[7].from_gpu, 56);
  EXPECT_EQ(slowest(job)[7].to_gpu, 0);
}

TEST(Placement, FlowsShareTheNicsOfTheirNode) {
  // Eight flows over four, three and one NIC: 2, 3 (rounded up: one NIC has three) and 8 on the fullest.
  for (const auto& [nics, sharing] : {std::pair(4, 2), std::pair(3, 3), std::pair(1, 8), std::pair(16, 1)}) {
    Cluster cluster = shapes::dgx_h100(8);
    cluster.nics_per_node = nics;
    for (const RingHop& h : slowest(job_network(degrees(8, 8, 1), cluster))) EXPECT_EQ(h.sharing, sharing) << nics;
  }
}

TEST(Placement, ARingOverWholeNodesCrossesOncePerNode) {
  // 16 neighbours on two nodes: 7 -> 8 and 15 -> 0 cross, the other 14 stay inside.
  const JobNetwork job = job_network(degrees(1, 16, 1, "ring-tensor-ulysses-pipeline-data"), shapes::dgx_h100(2));
  ASSERT_EQ(slowest(job).size(), 16U);
  for (std::size_t r = 0; r < 16; ++r) {
    EXPECT_EQ(slowest(job)[r].inter_node, r == 7 || r == 15) << r;
    EXPECT_EQ(slowest(job)[r].from_gpu, static_cast<std::int64_t>(r));
    EXPECT_EQ(slowest(job)[r].to_gpu, static_cast<std::int64_t>((r + 1) % 16));
    EXPECT_EQ(slowest(job)[r].sharing, 1);
  }
}

TEST(Placement, ARingInsideANodeHasNoHopOutside) {
  const JobNetwork job = job_network(degrees(1, 8, 2), shapes::dgx_h100(2));
  EXPECT_EQ(outside(slowest(job)), 0);
  EXPECT_TRUE(job.all_alike());
}

TEST(Placement, OfHalfANodeEachTensorGroupCrossesWithItsOwnFlow) {
  // tensor 4, ring 4 on two nodes: ranks 0, 1 on the first, 2, 3 on the second; hops 1 and 3 cross. Four tensor ranks
  // do so at once, all out of GPUs 4 to 7 and in to GPUs 0 to 3. A GPU uses the NIC beside it: of two, GPUs 4 to 7 have the
  // second and GPUs 0 to 3 the first, so that all four share one NIC; of four, two each share one.
  for (const auto& [nics, sharing] : {std::pair(2, 4), std::pair(4, 2), std::pair(8, 1)}) {
    Cluster cluster = shapes::dgx_h100(2);
    cluster.nics_per_node = nics;
    const JobNetwork job = job_network(degrees(4, 4, 1), cluster);
    for (std::size_t r = 0; r < 4; ++r) {
      EXPECT_EQ(slowest(job)[r].inter_node, r % 2 == 1);
      EXPECT_EQ(slowest(job)[r].sharing, r % 2 == 1 ? sharing : 1) << nics;
    }
  }
}

TEST(Placement, TheRingThatLeavesTheNodeRepresentsAllAndIsSaidToDiffer) {
  // Rings of 3 on nodes of 4: GPUs 0-2 stay on the first node, 3-5 straddle two.
  Cluster cluster = shapes::dgx_h100(3);
  cluster.gpus_per_node = 4;
  const JobNetwork job = job_network(degrees(1, 3, 4), cluster);
  EXPECT_FALSE(job.all_alike());
  EXPECT_EQ(outside(slowest(job)), 2);
}

TEST(Placement, ARingOfOneHasNoHop) {
  EXPECT_TRUE(slowest(job_network(degrees(8, 1, 2), shapes::dgx_h100(2))).empty());
}

TEST(Placement, ARingOfTwoHasAHopEachWay) {
  const RingHops hops = slowest(job_network(degrees(1, 2, 1), shapes::dgx_h100(1)));
  ASSERT_EQ(hops.size(), 2U);
  EXPECT_EQ(hops[0].to_gpu, hops[1].from_gpu);
  EXPECT_EQ(hops[1].to_gpu, hops[0].from_gpu);
}

TEST(Placement, ByHandPutsRanksWhereTheyAreNamed) {
  Parallel p = degrees(1, 4, 1);
  p.gpus = {0, 8, 1, 9};
  const JobNetwork job = job_network(p, shapes::dgx_h100(2));
  // 0 -> 8 -> 1 -> 9 -> 0: every hop changes the node.
  EXPECT_EQ(outside(slowest(job)), 4);
  EXPECT_EQ(slowest(job)[1].from_gpu, 8);
  EXPECT_EQ(slowest(job)[1].to_gpu, 1);
}

TEST(Placement, AMillionRanksHaveTwoKindsOfHops) {
  // 131,072 nodes of 8: of every eight hops seven stay on NVLink, the eighth leaves, alone of its node. No port has two flows:
  // GPU r sends to r + 1 and hears of r - 1.
  constexpr std::int64_t ranks = 1048576;
  const JobNetwork job = job_network(degrees(1, ranks, 1), shapes::dgx_h100(ranks / 8));
  const RingHops& hops = job.rings[0].hops;
  ASSERT_EQ(hops.size(), 1048576U);
  ASSERT_EQ(hops.kinds().size(), 2U);
  EXPECT_EQ(hops.counts(), (std::vector<std::int64_t>{917504, 131072}));
  EXPECT_FALSE(hops.kinds()[0].inter_node);
  EXPECT_NEAR(in_gigabytes_per_second(hops.kinds()[0].shared), 450, 1e-9);
  EXPECT_TRUE(hops.kinds()[1].inter_node && hops.kinds()[1].only_leaving);
  EXPECT_NEAR(in_gigabytes_per_second(hops.kinds()[1].shared), 50, 1e-9);
  EXPECT_TRUE(job.contended.empty());
  EXPECT_EQ(hops[1048575].from_gpu, 1048575);
  EXPECT_EQ(hops[1048575].to_gpu, 0);
  EXPECT_EQ(job.links.size(), 0U) << "one node stands for all";
}

// Ranks counted by turns of the axis against ranks counted one by one, on nodes that degrees fill, straddle or leave half empty.
TEST(HopsBetweenNodes, AreTheSameByFormulaAsRankByRank) {
  Cluster cluster = shapes::dgx_h100(1000);
  for (const std::int64_t node : {1, 2, 3, 4, 6, 8, 16, 72}) {
    cluster.gpus_per_node = node;
    for (const auto& [tensor, ring, data] :
         {std::tuple(1, 16, 1), std::tuple(2, 3, 5), std::tuple(4, 7, 3), std::tuple(8, 2, 9), std::tuple(3, 48, 2)}) {
      for (const char* order : {"tensor-ulysses-ring-pipeline-data", "ring-tensor-ulysses-pipeline-data",
                                "data-tensor-ring-ulysses-pipeline"}) {
        Parallel p = degrees(tensor, ring, data, order);
        Parallel by_hand = p;  // the same GPUs, named one by one, are counted one by one
        for (std::int64_t rank = 0; rank < p.product(); ++rank) by_hand.gpus.push_back(rank);
        for (const Axis axis : all_axes) {
          EXPECT_EQ(hops_between_nodes(p, cluster, axis), hops_between_nodes(by_hand, cluster, axis))
              << name_of(axis) << " of " << order << ", tensor " << tensor << " ring " << ring << " data " << data
              << ", nodes of " << node;
        }
      }
    }
  }
}

TEST(BetterOrder, KeepsRingsInsideTheirNodesWhereTensorGroupsAllowIt) {
  // tensor 2, ring 4, data 4 on nodes of 8, data innermost of ring: tensor pairs stay together, a ring rank is 8 GPUs away.
  // With the ring inside data, a node holds a whole ring of tensor pairs: no hop leaves.
  const auto better = better_order(degrees(2, 4, 4, "tensor-data-ring-ulysses-pipeline"), shapes::dgx_h100(4));
  ASSERT_TRUE(better);
  EXPECT_EQ(better->hops_between_nodes, 0);
  EXPECT_EQ(format_order(better->order), "tensor-ulysses-ring-pipeline-data");
}

TEST(BetterOrder, DoesNotSendTensorGroupsOut) {
  // tensor 8 fills a node: keeping the ring inside would spread every tensor group over eight nodes.
  EXPECT_FALSE(better_order(degrees(8, 8, 1), shapes::dgx_h100(8)));
  // A ring of 16 cannot stay in a node of 8, and its 2 hops between two nodes are the fewest.
  EXPECT_FALSE(better_order(degrees(1, 16, 1), shapes::dgx_h100(2)));
  // Ranks placed by hand have no order to change.
  Parallel p = degrees(1, 2, 2, "data-ring-tensor-ulysses-pipeline");
  p.gpus = {0, 1, 8, 9};
  EXPECT_FALSE(better_order(p, shapes::dgx_h100(2)));
}

TEST(Contention, IsWhereFlowsAskForMoreThanALinkHas) {
  // Two rings of two nodes through the one NIC of each node: its two flows could use 50 GB/s each, it has 50 in all. In
  // both directions of both nodes: four links, two flows on each.
  Cluster cluster = shapes::dgx_h100(2);
  cluster.nics_per_node = 1;
  const JobNetwork job = job_network(degrees(2, 2, 1, "tensor-data-pipeline-ulysses-ring"), [&] {
    cluster.gpus_per_node = 2;
    return cluster;
  }());
  ASSERT_EQ(job.contended.size(), 4U);
  for (const ContendedLink& link : job.contended) {
    EXPECT_EQ(link.flows, 2);
    EXPECT_NEAR(in_gigabytes_per_second(link.demand), 100, 1e-9);
  }
  EXPECT_NEAR(in_gigabytes_per_second(slowest(job)[0].alone), 50, 1e-9);
  EXPECT_NEAR(in_gigabytes_per_second(slowest(job)[0].shared), 25, 1e-9);
}

TEST(Contention, EightTensorRanksWithANicEachShareNothing) {
  EXPECT_TRUE(job_network(degrees(8, 8, 1), shapes::dgx_h100(8)).contended.empty());
}

TEST(Contention, BackgroundTrafficCountsWithItsRate) {
  // GPU 7's NIC carries the ring's hop 7 -> 8 (up to 50 GB/s) and the background flow's part of it.
  const Parallel p = degrees(1, 16, 1);
  Noise noise;
  noise.background.push_back({7, 9, std::nullopt, {}, {}});
  const JobNetwork all = job_network(p, shapes::dgx_h100(2), noise);
  ASSERT_EQ(all.contended.size(), 1U);
  EXPECT_EQ(all.links[all.contended[0].link].name, "node0.nic7.out");
  EXPECT_NEAR(in_gigabytes_per_second(all.contended[0].demand), 100, 1e-9);
  noise.background[0].rate = gigabytes_per_second(20);
  const JobNetwork some = job_network(p, shapes::dgx_h100(2), noise);
  EXPECT_NEAR(in_gigabytes_per_second(some.contended.at(0).demand), 70, 1e-9);
}

TEST(Contention, ASlowLinkIsSlowFromTheStartOrLater) {
  const Parallel p = degrees(1, 16, 1);
  Noise noise;
  noise.slow_links.push_back({"node0.nic7.out", 0.5, {}});
  const JobNetwork now = job_network(p, shapes::dgx_h100(2), noise);
  EXPECT_NEAR(in_gigabytes_per_second(now.rings[0].hops[7].alone), 25, 1e-9);
  EXPECT_NEAR(in_gigabytes_per_second(now.rings[0].hops[15].alone), 50, 1e-9);
  noise.slow_links[0].from = seconds(1);
  const JobNetwork later = job_network(p, shapes::dgx_h100(2), noise);
  EXPECT_NEAR(in_gigabytes_per_second(later.rings[0].hops[7].alone), 50, 1e-9);
}

}  // namespace
}  // namespace ringsim
