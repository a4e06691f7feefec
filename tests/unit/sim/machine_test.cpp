// The machine of a scenario: hops of its representative ring, slow ranks, and which hop decides.
#include "sim/machine.hpp"

#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

TEST(Machine, HasOneHopARankWithTheLinkItRunsOver) {
  // 16 ranks on two nodes of 8: hops 7 and 15 go over InfiniBand at 50 GB/s, the others over NVLink at 450.
  Scenario s = shapes::scenario(shapes::llama2_7b(), 16384, 16, Layout::zigzag);
  const Machine m = machine_of(s);
  ASSERT_EQ(m.hops.size(), 16U);
  for (std::size_t r = 0; r < 16; ++r) {
    EXPECT_EQ(m.hops[r].inter_node, r % 8 == 7);
    EXPECT_NEAR(in_gigabytes_per_second(m.hops[r].bandwidth), r % 8 == 7 ? 50 : 450, 1e-9);
  }
  EXPECT_TRUE(m.slowdown.empty());
  EXPECT_EQ(slowest_hop(m.hops, bytes(1e6)), 7U) << "the first of two alike";
}

TEST(Machine, SlowestHopDependsOnTheMessage) {
  // Hop 0 has the latency, hop 1 the low bandwidth: 1 MB takes 1 ms + 1 ms against 4 ms, 1 kB 1.001 ms against 4 µs.
  const std::vector<HopCost> hops = {{seconds(1e-3), gigabytes_per_second(1), false, "a", true},
                                     {seconds(0), gigabytes_per_second(0.25), false, "b", true}};
  EXPECT_EQ(slowest_hop(hops, bytes(1e6)), 1U);
  EXPECT_EQ(slowest_hop(hops, bytes(1e3)), 0U);
}

TEST(Machine, KeepsEachKindOfHopOnceInTheOrderOfTheRing) {
  // Ranks 0 and 2 are alike, rank 1 has a latency: two kinds, 0 1 0. Built rank by rank or from a list, they are the same.
  const HopCost plain{{}, gigabytes_per_second(1), false, "a", true};
  const HopCost late{seconds(1e-3), gigabytes_per_second(1), false, "a", true};
  const HopCosts hops = std::vector<HopCost>{plain, late, plain};
  EXPECT_EQ(hops.kinds(), (std::vector<HopCost>{plain, late}));
  EXPECT_EQ(hops.kind_of(), (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(hops.first_of(1), 1U);
  EXPECT_EQ(hops[2], plain);
  EXPECT_EQ(hops.of_ranks(), (std::vector<HopCost>{plain, late, plain}));
  HopCosts one_by_one;
  for (const HopCost& hop : {plain, late}) one_by_one.push_back(hop);
  EXPECT_FALSE(one_by_one == hops);
  one_by_one.push_back(plain);
  EXPECT_TRUE(one_by_one == hops);
}

TEST(Machine, HopsThatDifferInTheirWaysAndCostTheSameAreOneKind) {
  // Four nodes of a GPU, two nodes a leaf: hops 0 and 2 pass one switch, 1 and 3 a spine too. No uplink has two flows, so all four
  // get what a NIC has.
  Scenario s = shapes::scenario(shapes::llama2_7b(), 8192, 4, Layout::zigzag);
  s.cluster.nodes = 4;
  s.cluster.gpus_per_node = s.cluster.nics_per_node = 1;
  FatTree tree;
  tree.nodes_per_leaf = 2;
  s.cluster.fabric = tree;
  const JobNetwork network = job_network(s.parallel, s.cluster, s.noise, s.ring);
  EXPECT_EQ(network.rings[0].hops.kinds().size(), 2U);
  EXPECT_EQ(machine_of(s, network).hops.kind_of(), (std::vector<std::uint32_t>{0, 0, 0, 0}));
  // Half of node 2's way out: hop 2 is of a kind of its own.
  s.noise.slow_links = {{"node2.nic0.out", 0.5, {}}};
  EXPECT_EQ(machine_of(s).hops.kind_of(), (std::vector<std::uint32_t>{0, 0, 1, 0}));
}

TEST(Machine, StragglersMultiply) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 8192, 4, Layout::zigzag);
  s.noise.stragglers = {{2, 1.5}, {2, 2.0}, {0, 1.1}};
  EXPECT_EQ(machine_of(s).slowdown, (std::vector<double>{1.1, 1.0, 3.0, 1.0}));
}

TEST(Machine, SharesRatesAsTheProfileSaysOfTheTransfersInUse) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 8192, 4, Layout::zigzag);
  s.profile.sm_kernel = Interference{{0.5}, {0.6}};
  s.profile.copy_engine = Interference{{0.9}, {1.0}};
  s.ring.transfer = TransferEngine::sm_kernel;
  EXPECT_EQ(machine_of(s).sharing.value().other.compute, 0.5);
  EXPECT_EQ(machine_of(s).sharing.value().other.transfer, 0.6);
  s.ring.transfer = TransferEngine::copy_engine;
  EXPECT_EQ(machine_of(s).sharing.value().other.compute, 0.9);
  s.profile.copy_engine = Interference{{1.0}, {1.0}};
  EXPECT_FALSE(machine_of(s).sharing.has_value()) << "full speed beside each other is no interference";
  s.profile.copy_engine.reset();
  EXPECT_FALSE(machine_of(s).sharing.has_value());
}

TEST(Machine, RefusesToShareSmsThatTransfersWaitFor) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 8192, 4, Layout::zigzag);
  s.ring.transfer = TransferEngine::sm_kernel;
  s.profile.sm_kernel = Interference{{0.5}, {0.6}};
  s.profile.contest_for_multiprocessors = true;
  EXPECT_THROW(machine_of(s), Error);
  s.ring.transfer = TransferEngine::copy_engine;  // neither concerns it
  EXPECT_NO_THROW(machine_of(s));
  s.profile.copy_engine = Interference{{0.0}, {1.0}};
  EXPECT_THROW(machine_of(s), Error);
  s.profile.copy_engine = Interference{{1.0}, {1.1}};
  EXPECT_THROW(machine_of(s), Error);
}

// Interference pairs a rank's kernels with its one incoming hop; exchanges with two at a time are refused.
TEST(Machine, RefusesInterferenceWithTwoHopsAtATime) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 8192, 4, Layout::zigzag);
  s.ring.transfer = TransferEngine::sm_kernel;
  s.profile.sm_kernel = Interference{{0.5}, {0.6}};
  s.ring.exchange = Exchange::both_ways;
  EXPECT_THROW(machine_of(s), Error);
  s.ring.exchange = Exchange::all_gather;
  EXPECT_NO_THROW(machine_of(s));
}

TEST(Machine, OfARingOfOneHasNoHop) {
  EXPECT_TRUE(machine_of(shapes::scenario(shapes::llama2_7b(), 8192, 1, Layout::zigzag)).hops.empty());
}

}  // namespace
}  // namespace ringsim::sim
