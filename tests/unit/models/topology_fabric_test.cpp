// Ways between nodes, by hand: rails, spines, cores, torus dimensions and dragonfly groups, and what they share.
#include "tests/unit/models/topology_support.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ringsim {
namespace {

using topology::links;
using topology::plan;
using topology::way;
using Names = std::vector<std::string>;

Cluster on_fat_tree(std::int64_t nodes, const FatTree& tree) {
  Cluster c = shapes::dgx_h100(nodes);
  c.fabric = tree;
  return c;
}

FatTree pairs_of_nodes() {
  FatTree tree;
  tree.nodes_per_leaf = 2;
  return tree;
}

std::int64_t uplink_of(const std::vector<std::string>& route) {
  return std::stoll(route[1].substr(route[1].rfind("up") + 2));
}

TEST(FlatSwitchFabric, TwoRingsThroughOneNicHalveIt) {
  Cluster c = shapes::dgx_h100(2);
  c.nics_per_node = 1;
  const JobNetwork job = job_network(plan(2, 8), c);
  // Ranks 0 to 3 of either ring are on the first node: both leave it with hop 3 and come back with hop 7.
  for (const PlacedRing& ring : job.rings) {
    for (std::size_t r = 0; r < 8; ++r) {
      EXPECT_EQ(in_gigabytes_per_second(ring.hops[r].shared), r % 4 == 3 ? 25 : 450) << r;
    }
  }
  ASSERT_EQ(job.contended.size(), 4U);  // out and in of two NICs
  EXPECT_EQ(job.contended[0].flows, 2);
  EXPECT_EQ(in_gigabytes_per_second(job.contended[0].demand), 100);
}

TEST(FatTreeFabric, EightTensorRanksWithANicEachShareNothingOnRails) {
  // Ring rank r is node r; the hop of tensor rank t stays on rail t. Two nodes a leaf, so every second hop goes over a spine,
  // and a non-blocking leaf has an uplink for each of its two NICs: one flow leaves each leaf.
  const JobNetwork job = job_network(plan(8, 8), on_fat_tree(8, pairs_of_nodes()));
  EXPECT_TRUE(job.contended.empty());
  for (const PlacedRing& ring : job.rings) {
    for (std::size_t r = 0; r < 8; ++r) {
      EXPECT_EQ(ring.hops[r].route.reach, r % 2 == 0 ? Reach::leaf : Reach::spine);
      EXPECT_EQ(in_gigabytes_per_second(ring.hops[r].shared), 50);
    }
  }
}

TEST(FatTreeFabric, GoesUpAndDownOverOneSpine) {
  const Cluster c = on_fat_tree(4, pairs_of_nodes());
  // GPU 11 is GPU 3 of node 1, GPU 19 that of node 2: rail 3 of groups 0 and 1.
  EXPECT_EQ(links(c, 3, 11), (Names{"node0.nic3.out", "node1.nic3.in"}));
  const Names route = links(c, 11, 19);
  ASSERT_EQ(route.size(), 4U);
  const std::string spine = std::to_string(uplink_of(route));
  EXPECT_EQ(route, (Names{"node1.nic3.out", "group0.rail3.up" + spine, "group1.rail3.down" + spine, "node2.nic3.in"}));
  // Another rail is another leaf, even in the same group: rails meet at the spines.
  EXPECT_EQ(way(c, 3, 12).reach, Reach::spine);
  // Without rails a leaf has all NICs of its nodes.
  FatTree plain = pairs_of_nodes();
  plain.rails = false;
  EXPECT_EQ(links(on_fat_tree(4, plain), 3, 12), (Names{"node0.nic3.out", "node1.nic4.in"}));
  EXPECT_EQ(links(on_fat_tree(4, plain), 3, 16)[1].rfind("group0.up", 0), 0U);
}

TEST(FatTreeFabric, TwoToOneOversubscribedSpinesHalveWhatCrossesThem) {
  // Ring of 4 over 4 nodes, two nodes of 8 NICs (800 GB/s) below a leaf without rails. Only hops 1 and 3 cross, 8 flows each,
  // which ask for 400 GB/s: as much as a 2:1 leaf has upwards, on one uplink (one spine) without any collision.
  FatTree tree = pairs_of_nodes();
  tree.rails = false;
  tree.spines = 1;
  tree.oversubscription = 2;
  EXPECT_TRUE(job_network(plan(8, 4), on_fat_tree(4, tree)).contended.empty());
  // 4:1 leaves 200 GB/s for the 400 that the flows ask for: 25 each instead of 50.
  tree.oversubscription = 4;
  const JobNetwork job = job_network(plan(8, 4), on_fat_tree(4, tree));
  for (const PlacedRing& ring : job.rings) {
    EXPECT_EQ(in_gigabytes_per_second(ring.hops[0].shared), 50);
    EXPECT_EQ(in_gigabytes_per_second(ring.hops[1].shared), 25);
    EXPECT_EQ(ring.hops[1].sharing, 8);
  }
  // 2:1 halves the flows of a ring whose every hop crosses: nodes 0, 2, 1, 3.
  tree.oversubscription = 2;
  Parallel crossing = plan(8, 4);
  for (const std::int64_t node : {0, 2, 1, 3}) {
    for (std::int64_t gpu = 0; gpu < 8; ++gpu) crossing.gpus.push_back(8 * node + gpu);
  }
  const JobNetwork all_cross = job_network(crossing, on_fat_tree(4, tree));
  for (const RingHop& hop : all_cross.rings[0].hops) EXPECT_EQ(in_gigabytes_per_second(hop.shared), 25);
}

TEST(FatTreeFabric, HashingCollidesAndAnotherSeedCollidesElsewhere) {
  // 32 nodes below 2 leaves, no rails, one NIC a node: 16 uplinks for 16 flows that cross, placed at random by the hash. All
  // on uplinks of their own has the probability 16! / 16^16 = 1e-6: some share.
  FatTree tree;
  tree.nodes_per_leaf = 16;
  tree.rails = false;
  Cluster c = on_fat_tree(32, tree);
  c.nics_per_node = 1;
  const auto uplinks = [&](std::uint64_t seed) {
    FatTree seeded = tree;
    seeded.hash_seed = seed;
    c.fabric = seeded;
    std::vector<std::int64_t> used;
    for (std::int64_t node = 0; node < 16; ++node) used.push_back(uplink_of(links(c, 8 * node, 8 * (node + 16))));
    return used;
  };
  const std::vector<std::int64_t> first = uplinks(0);
  EXPECT_LT(std::set<std::int64_t>(first.begin(), first.end()).size(), 16U);
  for (const std::int64_t uplink : first) EXPECT_TRUE(uplink >= 0 && uplink < 16);
  EXPECT_EQ(uplinks(0), first);  // static: the same every time
  EXPECT_NE(uplinks(1), first);
}

TEST(FatTreeFabric, OfThreeLevelsCrossesACoreBetweenPods) {
  // Two nodes a leaf, two groups a pod: nodes 0 to 3 are pod 0, 4 to 7 pod 1. A leaf on a rail has two uplinks (2 NICs of 50
  // GB/s, non-blocking), so a pod two spines. A spine has 2 groups · 8 rails = 16 leaves below it; 4:1 leaves 4 uplinks.
  FatTree tree = pairs_of_nodes();
  tree.levels = 3;
  tree.groups_per_pod = 2;
  tree.spine_oversubscription = 4;
  const Cluster c = on_fat_tree(8, tree);
  EXPECT_EQ(way(c, 0, 8).reach, Reach::leaf);
  EXPECT_EQ(way(c, 0, 16).reach, Reach::spine);
  EXPECT_EQ(way(c, 0, 32).reach, Reach::core);
  const Names route = links(c, 0, 32);
  ASSERT_EQ(route.size(), 6U);
  const std::string spine = std::to_string(uplink_of(route));
  const std::string core = route[2].substr(route[2].rfind("up") + 2);
  EXPECT_EQ(route, (Names{"node0.nic0.out", "group0.rail0.up" + spine, "pod0.spine" + spine + ".up" + core,
                          "pod1.spine" + spine + ".down" + core, "group2.rail0.down" + spine, "node4.nic0.in"}));
  EXPECT_LT(std::stoll(core), 4);
  EXPECT_EQ(way(c, 0, 32).gigabytes_per_second, 50);
  // Of one core each spine's uplink takes all: 16 · 50 / 4 = 200 GB/s.
  tree.cores = 1;
  Network network(on_fat_tree(8, tree));
  const Route over_core = network.route(0, 32);
  EXPECT_EQ(in_gigabytes_per_second(network.links()[over_core.links[2]].bandwidth), 200);
}

TEST(TorusFabric, TakesDimensionsInOrderAndTheShorterWay) {
  Cluster c = shapes::dgx_h100(3);
  c.fabric = Torus{{4, 3, 2}};
  // GPU 6 is (2, 1, 0): x twice (two ways of two, upwards), then y once.
  EXPECT_EQ(links(c, 0, 6), (Names{"gpu0.x+", "gpu1.x+", "gpu2.y+"}));
  // GPU 23 is (3, 2, 1): round the back in x and in y, and z of two upwards.
  EXPECT_EQ(links(c, 0, 23), (Names{"gpu0.x-", "gpu3.y-", "gpu11.z+"}));
  EXPECT_EQ(links(c, 23, 0), (Names{"gpu23.x+", "gpu20.y+", "gpu12.z+"}));
  EXPECT_EQ(way(c, 0, 23).reach, Reach::torus);
  EXPECT_FALSE(way(c, 0, 23).inter_node);
  EXPECT_EQ(way(c, 0, 23).gigabytes_per_second, 450);
  c.fabric = Torus{{2, 2, 3, 2, 1}};
  EXPECT_EQ(links(c, 0, 13), (Names{"gpu0.d0+", "gpu1.d3+"}));
}

TEST(TorusFabric, ARingAlongADimensionSharesNothing) {
  Cluster c = shapes::dgx_h100(2);
  c.fabric = Torus{{4, 4}};
  // Tensor ranks along x, ring ranks along y, every hop one link of its own; a ring of all 16 in plain order jumps back at
  // the end of each row, over one wrap-around link and one of y, which no other hop uses either.
  EXPECT_TRUE(job_network(plan(4, 4), c).contended.empty());
  EXPECT_TRUE(job_network(plan(1, 16), c).contended.empty());
}

Cluster on_dragonfly() {
  // A node a router, 3 routers a group, 4 groups.
  Cluster c = shapes::dgx_h100(12);
  c.fabric = Dragonfly{1, 3, gigabytes_per_second(40), gigabytes_per_second(30)};
  return c;
}

TEST(DragonflyFabric, GoesLocalGlobalLocal) {
  const Cluster c = on_dragonfly();
  // Node 1 is router 1 of group 0, node 2 its router 2.
  EXPECT_EQ(links(c, 8, 16), (Names{"node1.nic0.out", "group0.router1.to2", "node2.nic0.in"}));
  EXPECT_EQ(way(c, 8, 16).reach, Reach::group);
  // Group 0 counts the others 1, 2, 3 as 0, 1, 2: its link to group 3 is on router 2. Group 3 counts 0, 1, 2: its link to
  // group 0 is on router 0. From node 1 (router 1 of group 0) to node 11 (router 2 of group 3): a local hop at each end.
  EXPECT_EQ(links(c, 8, 88),
            (Names{"node1.nic0.out", "group0.router1.to2", "group0.to3", "group3.router0.to2", "node11.nic0.in"}));
  EXPECT_EQ(way(c, 8, 88).reach, Reach::dragonfly);
  EXPECT_EQ(way(c, 8, 88).gigabytes_per_second, 30);
  // From node 2, at the gateway itself, to node 9, at the other: the global link alone.
  EXPECT_EQ(links(c, 16, 72), (Names{"node2.nic0.out", "group0.to3", "node9.nic0.in"}));
  // Two nodes at one router.
  Cluster two = c;
  two.fabric = Dragonfly{2, 3, gigabytes_per_second(40), gigabytes_per_second(30)};
  EXPECT_EQ(way(two, 0, 8).reach, Reach::router);
}

TEST(DragonflyFabric, PairsOfGroupsHaveOneLink) {
  // Three rings (tensor 1, data 3) from group 0 to group 1 and back: nodes r of group 0 and r of group 1, a hop each way:
  // 3 · 30 GB/s asked of the one link.
  Parallel p = plan(1, 2, 3, "ring-tensor-ulysses-pipeline-data");
  p.gpus = {0, 24, 8, 32, 16, 40};
  const JobNetwork job = job_network(p, on_dragonfly());
  for (const PlacedRing& ring : job.rings) {
    for (const RingHop& hop : ring.hops) {
      EXPECT_EQ(in_gigabytes_per_second(hop.shared), 10);
      EXPECT_EQ(hop.sharing, 3);
    }
  }
}

}  // namespace
}  // namespace ringsim
