// What measured rings ask of the costs beside kernels, merges and hops alone: rates that last, thread blocks that are few, merges into
// some rows, and the only flow that leaves a node.
#include "models/cost.hpp"
#include "models/job_network.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

// One sequence, one head of 64: 256 FLOP a pair forward.
Profile of_100_multiprocessors() {
  Profile p;
  p.forward.saturated.value = p.backward.saturated.value = teraflop_per_second(1);
  p.query_tile = 128;
  p.key_tile = 64;
  p.multiprocessors = 100;
  return p;
}
const RingShape one_head{{1, 1, 1, 64, 64}};
AttendShape block(double rows, double columns) { return {rows, columns, rows * columns}; }

TEST(SustainedRate, DividesTheTimeOfAKernelButNotItsLaunch) {
  Profile p = of_100_multiprocessors();
  p.launch.value = microseconds(5);
  const Duration alone = CostModel(p, one_head).attention(Pass::forward, block(25600, 25600));
  p.forward.sustained.value = 0.8;
  const Duration lasting = CostModel(p, one_head).attention(Pass::forward, block(25600, 25600));
  EXPECT_NEAR(in_seconds(lasting - microseconds(5)) / in_seconds(alone - microseconds(5)), 1 / 0.8, 1e-12);
}

// 1,280 rows and 3,200 keys are 10 query tiles of 128 and 50 key tiles of 64: of 100 SMs a kernel that divides queries keeps 10 busy,
// one that divides keys 50, one that splits keys all.
TEST(ThreadBlocks, LeaveSmsIdleByWhatTheyDivide) {
  Profile p = of_100_multiprocessors();
  const double work_s = 256.0 * 1280 * 3200 / 1e12;
  const auto time_s = [&](Blocks blocks) {
    p.forward.blocks = blocks;
    return in_seconds(CostModel(p, one_head).attention(Pass::forward, block(1280, 3200)));
  };
  EXPECT_NEAR(time_s(Blocks::queries), 10 * work_s, 1e-12);
  EXPECT_NEAR(time_s(Blocks::keys), 2 * work_s, 1e-12);
  EXPECT_NEAR(time_s(Blocks::split), work_s, 1e-12);
}

// 100 key tiles are 6,400 keys: with one less an SM is free.
TEST(ThreadBlocks, FillTheChipFromAsManyAsItHasSms) {
  Profile p = of_100_multiprocessors();
  p.backward.blocks = Blocks::keys;
  const CostModel costs(p, one_head);
  EXPECT_TRUE(costs.fills(Pass::backward, block(128, 6400)));
  EXPECT_FALSE(costs.fills(Pass::backward, block(128, 6399)));
  EXPECT_TRUE(costs.fills(Pass::forward, block(12800, 64)));
  p.multiprocessors.reset();
  EXPECT_TRUE(CostModel(p, one_head).fills(Pass::forward, block(1, 1))) << "nothing is known of SMs";
}

// 100 rows of one head of 64 in bf16 with fp32 statistics: 100 · (640 + 12) B at least. 1.5 times that, 4 times of a part; gradients are
// added in place.
TEST(PartialMerge, HasATrafficOfItsOwnForOutputsAlone) {
  Profile p;
  p.merge_traffic.value = 1.5;
  p.merge_bandwidth.value = gigabytes_per_second(1);
  const auto time_s = [&](Accumulator what, bool partial) {
    return in_seconds(CostModel(p, one_head).merge(what, false, 100, partial));
  };
  EXPECT_NEAR(time_s(Accumulator::output, true), 1.5 * 65200e-9, 1e-15) << "as of all rows where nothing else is known";
  p.partial_merge_traffic = {4.0, 0, Origin::assumed, ""};
  EXPECT_NEAR(time_s(Accumulator::output, true), 4 * 65200e-9, 1e-15);
  EXPECT_NEAR(time_s(Accumulator::output, false), 1.5 * 65200e-9, 1e-15);
  EXPECT_EQ(time_s(Accumulator::q_gradient, true), time_s(Accumulator::q_gradient, false));
}

// Of a later block zigzag's early half of the queries sees nothing; of a striped one the first query, below whose diagonal the others
// lie; of its own block every query sees itself.
TEST(PartialMerge, IsOfBlocksInWhichSomeQueriesSeeNothing) {
  const Mask causal{true, std::nullopt};
  const Shards zigzag(Layout::zigzag, 64, 4);
  EXPECT_TRUE(zigzag.work(1, 2, causal).leaves_rows_out());
  EXPECT_FALSE(zigzag.work(2, 1, causal).leaves_rows_out());
  EXPECT_FALSE(zigzag.work(1, 1, causal).leaves_rows_out());
  const Shards striped(Layout::striped, 64, 4);
  EXPECT_TRUE(striped.work(1, 2, causal).leaves_rows_out());
  EXPECT_FALSE(striped.work(2, 1, causal).leaves_rows_out());
  EXPECT_FALSE(striped.work(1, 1, causal).leaves_rows_out());
}

// A ring over two nodes of eight leaves each once; with two tensor ranks a ring's GPUs are every other, and two rings leave.
TEST(OnlyLeavingHop, IsTheOneThatNoOtherLeavesTheNodeWith) {
  const auto leaving = [](std::int64_t tensor) {
    Parallel p;
    p.ring = 16 / tensor;
    p.tensor = tensor;
    std::int64_t only = 0;
    std::int64_t outside = 0;
    const JobNetwork network = job_network(p, shapes::dgx_h100(2));
    for (const PlacedRing& ring : network.rings) {
      for (const RingHop& hop : ring.hops) {
        only += hop.only_leaving ? 1 : 0;
        outside += hop.inter_node ? 1 : 0;
      }
    }
    return std::pair(only, outside);
  };
  EXPECT_EQ(leaving(1), std::pair(std::int64_t{2}, std::int64_t{2}));
  EXPECT_EQ(leaving(2), std::pair(std::int64_t{0}, std::int64_t{4}));
}

// 90 % of 50 GB/s with all GPUs' flows at once, 1.1 times that for one alone: 49.5 GB/s; a knot at 45 % becomes 24.75 GB/s.
TEST(OnlyLeavingHop, HasTheBandwidthOfASingleFlow) {
  const Cluster cluster = shapes::dgx_h100(2);
  Profile p;
  LinkCost& link = p.links["ib-ndr"];
  link.efficiency.value = 0.9;
  link.by_size = {{bytes(1e6), 0.45}};
  link.single_flow = {1.1, 0, Origin::assumed, ""};
  RingHop hop{.from_gpu = 7, .to_gpu = 8, .inter_node = true};
  hop.alone = hop.shared = gigabytes_per_second(50);
  EXPECT_NEAR(in_gigabytes_per_second(hop_cost(hop, cluster, p).bandwidth), 45, 1e-9);
  hop.only_leaving = true;
  const HopCost cost = hop_cost(hop, cluster, p);
  EXPECT_NEAR(in_gigabytes_per_second(cost.bandwidth), 49.5, 1e-9);
  EXPECT_NEAR(in_seconds(cost.by_size[0].second), 1e6 / 24.75e9, 1e-15);
}

}  // namespace
}  // namespace ringsim
