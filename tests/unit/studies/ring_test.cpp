// Studies of the ring itself: layouts, blocks that are too small, gathering, slow links, orders.

#include "tests/unit/studies/study.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ringsim::studies {
namespace {

// Eight ranks, a causal mask, one run of tokens each: the last rank computes 7.5 of the blocks that 4 would be its share, so no
// network makes more than 8/15 of it: (S + 1)/(2S - B + 1) with S = 65,536 and B = 8,192. A hop of 33.6 MB takes 0.17 ms at
// 200 GB/s, half a block 0.56 ms: nothing of it shows, and twice the bandwidth changes nothing.
TEST(RingAgainstFlashAttention, HalfIsAllThatAContiguousRingCanDo) {
  const auto contiguous = predicted("ring-against-flash-attention");
  EXPECT_NEAR(contiguous.ring_efficiency, 65537.0 / 122881.0, 1e-9);
  EXPECT_EQ(contiguous.bottleneck.kind, "imbalance");
  EXPECT_EQ(predicted("ring-against-flash-attention", {"cluster.intra_node.bandwidth=400 GB/s"}).makespan_s,
            contiguous.makespan_s);
  // Zigzag gives every rank the same half block a step: all of the hops hide, nothing is lost.
  EXPECT_NEAR(predicted("ring-against-flash-attention", {"ring.layout=zigzag"}).ring_efficiency, 1.0, 1e-9);
}

// The same zigzag ring as measured: flash attention makes 591.5 passes over 8,192 tokens a second on one H800, the ring 63.0 over
// eight times as many, 85.2 % of 591.5/8. What is missing is no transfer but what every step costs beside its kernel: the merge of
// fp32 outputs and the launches, about 0.29 of 1.98 ms. A planner of FLOP and bytes says 100 %.
TEST(RingAgainstFlashAttention, WhatZigzagLacksIsTheCostOfMerging) {
  // Costs of merge and launch as measured on an H100, the rate that makes one GPU as fast as was measured.
  const std::vector<std::string> measured = {
      "profile=h100-sxm", "profile.links={nvlink4-h800: {latency: 7 us, efficiency: 80%}}",
      "profile.forward.saturated.value=352 TFLOP/s", "profile.forward.sustained.value=100%"};
  std::vector<std::string> zigzag = measured;
  zigzag.emplace_back("ring.layout=zigzag");
  std::vector<std::string> alone = measured;
  alone.insert(alone.end(), {"workload.tokens=8Ki", "parallel.ring=1"});
  const double single = predicted("ring-against-flash-attention", alone).makespan_s;
  EXPECT_NEAR(1 / single, 591.5, 0.02 * 591.5);
  const auto ring = predicted("ring-against-flash-attention", zigzag);
  EXPECT_NEAR(8 * single / ring.makespan_s, 0.852, 0.06);
}

// All-gather on zigzag shards: one kernel of N/2 blocks of 1.1117 ms (4·8192²·4096 FLOP at 989 TFLOP/s), and before it a gather
// of 7 · 33.6 MB at 200 GB/s = 1.1744 ms that nothing hides. The ring hides all: 1.264 times as fast. On contiguous shards both
// are bound by the last rank, 7.5 blocks, and the gather comes on top.
TEST(AllGatherAgainstRing, LosesTheGatherThatNothingHides) {
  const double block = 4.0 * 8192 * 8192 * 4096 / 989e12;
  const double gather = 7.0 * 2 * 8192 * 8 * 128 * 2 / 200e9;
  const auto gathered = predicted("all-gather-against-ring");
  const auto ring = predicted("all-gather-against-ring", {"ring.exchange=one-way"});
  EXPECT_NEAR(gathered.makespan_s, 4 * block + gather, 0.001 * 4 * block);
  EXPECT_NEAR(ring.makespan_s, 4 * block, 0.001 * 4 * block);
  EXPECT_NEAR(gathered.exposed_communication_s, gather, 1e-6);
  const auto uneven = predicted("all-gather-against-ring", {"ring.layout=contiguous"});
  EXPECT_NEAR(uneven.makespan_s, 7.5 * block + gather, 0.001 * 7.5 * block);
  // What it costs beside: every rank holds K and V of the layer whole, 2 · 65,536 · 8 · 128 · 2 B.
  EXPECT_EQ(in_bytes(gathered.memory.of("ring_buffers")), 2.0 * 65536 * 8 * 128 * 2);
}

// A causal zigzag ring of a model without grouped queries hides its hops from B = 2 · F/W tokens on: 2 · 240e12 / 100e9 = 4,800.
// Here a rank has 2,048: a step computes 0.143 ms and sends 0.336 ms. The first step starts with its block: 15 hops and a half
// block in all, 44 % of the ring's rate.
TEST(BlocksTooSmall, SaysHowLargeTheyWouldHaveToBe) {
  const auto p = predicted("blocks-too-small");
  EXPECT_NEAR(p.b_min_forward.datasheet_tokens, 4800, 0.5);
  EXPECT_EQ(p.tokens_per_rank, 2048);
  const double half = 2.0 * 2048 * 2048 * 4096 / 240e12;
  const double hop = 2.0 * 2048 * 32 * 128 * 2 / 100e9;
  EXPECT_NEAR(p.layer_makespan_s, 15 * hop + half, 0.002 * 15 * hop);
  EXPECT_NEAR(p.ring_efficiency, 16 * half / (15 * hop + half), 0.002);
  EXPECT_EQ(p.bottleneck.kind, "transfer");
  // The shortest sequence for this ring: 16 · 4,800 = 76,800 tokens; the widest ring for this sequence: 6 (32,768 / 4,800), so 4.
  EXPECT_GT(predicted("blocks-too-small", {"workload.tokens=76800"}).ring_efficiency, 0.99);
  EXPECT_GT(predicted("blocks-too-small", {"parallel.ring=4"}).ring_efficiency, 0.99);
  EXPECT_LT(predicted("blocks-too-small", {"parallel.ring=8"}).ring_efficiency, 0.9);
}

// 8,192 tokens a rank: a zigzag step computes 1.69 ms at 325 TFLOP/s and sends 33.6 MB, hidden above 19.9 GB/s = 159 Gb/s. At
// 100 Gb/s a hop between nodes takes 2.68 ms, and since blocks go round, 0.99 ms of it shows in every step of every rank.
TEST(CostOfCrossingNodes, IsPaidByAllRanksInEveryStep) {
  const double half = 2.0 * 8192 * 8192 * 4096 / 325e12;
  const double hop = 2.0 * 8192 * 8 * 128 * 2 / 12.5e9;
  const auto slow = predicted("cost-of-crossing-nodes");
  ASSERT_TRUE(slow.deciding_hop);
  EXPECT_TRUE(slow.deciding_hop->inter_node);
  EXPECT_EQ(slow.inter_hops, 2);
  EXPECT_NEAR(hop - half, 0.99e-3, 0.01e-3);
  EXPECT_NEAR(slow.makespan_s, 15 * hop + half, 0.01 * 15 * hop);
  // Not the two ranks at the border alone: whoever waits, for a hop or for a neighbour that waits, loses the same.
  for (const auto& rank : slow.per_rank) {
    EXPECT_NEAR(rank.exposed_communication_s + rank.bubble_s, slow.makespan_s - 16 * half, 0.02 * 15 * hop)
        << rank.rank;
  }
  const auto fast = predicted("cost-of-crossing-nodes", {"cluster.inter_node.bandwidth=160 Gb/s"});
  EXPECT_NEAR(fast.makespan_s, 16 * half, 0.01 * 16 * half);
}

// Four rings of eight on four nodes of eight GPUs. Counted data first, the ranks of a ring stand four apart: each ring has two
// ranks a node. Counted ring first, none leaves its node.
TEST(RingAcrossNodesByOrder, IsSeenAndTheOrderThatHelpsIsNamed) {
  const auto p = predicted("ring-across-nodes-by-order");
  EXPECT_EQ(p.rings, 4);
  EXPECT_EQ(p.inter_hops, 4);
  const bool named = std::any_of(p.warnings.begin(), p.warnings.end(), [](const std::string& w) {
    return w.find("order") != std::string::npos && w.find("node") != std::string::npos;
  });
  EXPECT_TRUE(named);
  const auto inside = predicted("ring-across-nodes-by-order", {"parallel.order=tp-cp-dp-pp"});
  EXPECT_EQ(inside.inter_hops, 0);
  EXPECT_LT(inside.makespan_s, p.makespan_s);
}

// Windows of 128 in blocks of 16,384: gathering sends a rank 7 · 16,384 = 114,688 tokens a layer; of the block before its own it
// needs 127, 903 times less. Each rank has 128 keys a query but for the very first ones, so gathering is all that it does.
TEST(SlidingWindowsGathered, MovesNineHundredTimesWhatIsNeeded) {
  const auto p = predicted("sliding-windows-gathered");
  ASSERT_EQ(p.traffic.size(), 1U);
  const double token = 2.0 * 8 * 64 * 2;  // K and V, 8 heads of 64, bf16
  EXPECT_NEAR(p.traffic[0].bytes_per_rank, 24 * 114688 * token, 1.0);
  EXPECT_NEAR(114688.0 / 127, 903, 0.5);
  EXPECT_GT(p.exposed_communication_s, 0.8 * p.makespan_s);
}

}  // namespace
}  // namespace ringsim::studies
