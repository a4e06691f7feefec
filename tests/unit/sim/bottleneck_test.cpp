// What decides the makespan, and what a planner is warned of: the statement must follow from the numbers.

#include "scenarios/reader.hpp"
#include "sim/predict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ringsim::sim {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A small multi-head model on one or more nodes of eight ideal GPUs: 100 TFLOP/s, 100 GB/s inside and 10 GB/s between nodes.
Prediction predict_text(const std::string& rest) {
  const std::string text =
      "name: probe\nmodel: {layers: 2, hidden: 1024, heads: 8, kv_heads: 8, head_dim: 128}\n" + rest;
  return predict(scenarios::read_scenario_text(text, "probe.yaml", ".", {}), {}).prediction;
}

std::string cluster(int nodes) {
  return "cluster: {gpu: {name: ideal, bf16: 100 TFLOP/s, memory: 80 GB, memory_bandwidth: 2000 GB/s}, nodes: " +
         std::to_string(nodes) +
         ", gpus_per_node: 8, nics_per_node: 8, intra_node: {class: fast, bandwidth: 100 GB/s}, "
         "inter_node: {class: slow, bandwidth: 10 GB/s}}\nprofile: datasheet\n";
}

TEST(Bottleneck, LargeBlocksAreComputeBound) {
  // B_min = F/W = 1,000 tokens; 8,192 a rank hide their hops eight times over.
  const Prediction p = predict_text("workload: {tokens: 64Ki, causal: false}\nparallel: {ring: 8}\n" + cluster(1));
  EXPECT_EQ(p.bottleneck.kind, "compute");
  EXPECT_DOUBLE_EQ(p.bottleneck.share, 1.0);
  EXPECT_THAT(p.bottleneck.sentence, HasSubstr("8.19 times as long as its hop"));
}

TEST(Bottleneck, ASlowHopBetweenNodesIsNamedWithWhatWouldHideIt) {
  // Two nodes, 2,048 tokens a rank: a step computes 4·2048²·8·128/1e14 = 0.172 ms, moves 2·2048·8·128·2 B = 8.39 MB, which
  // takes 0.839 ms at 10 GB/s. It would hide at 8.39 MB / 0.1718 ms = 48.83 GB/s, which is
  // rounded up, or from F/W = 10,000 tokens on.
  const Prediction p = predict_text("workload: {tokens: 32Ki, causal: false}\nparallel: {ring: 16}\n" + cluster(2));
  EXPECT_EQ(p.bottleneck.kind, "transfer");
  EXPECT_THAT(p.bottleneck.name, HasSubstr("slow, between nodes"));
  EXPECT_THAT(p.bottleneck.sentence, HasSubstr("48.9 GB/s instead of 10 GB/s"));
  EXPECT_THAT(p.bottleneck.sentence, HasSubstr("at least 10,000 tokens a rank instead of 2,048"));
  EXPECT_THAT(p.warnings, Contains(HasSubstr("2,048 tokens a rank are fewer than the 10,000 that hide a forward hop")));
}

TEST(Bottleneck, BandwidthsAreThoseReachedAtTheMessagesSize) {
  // The same ring, but messages of 8.39 MB reach half of the 10 GB/s: the hop takes 1.68 ms, and hides at the same
  // 48.83 GB/s as before.
  Scenario s = scenarios::read_scenario_text(
      "name: probe\nmodel: {layers: 2, hidden: 1024, heads: 8, kv_heads: 8, head_dim: 128}\n"
      "workload: {tokens: 32Ki, causal: false}\nparallel: {ring: 16}\n" +
          cluster(2),
      "probe.yaml", ".", {});
  s.profile.links["slow"] = {{}, {1.0}, {{bytes(8388608), 0.5}, {bytes(83886080), 1.0}}, {}};
  const Prediction p = predict(s, {}).prediction;
  EXPECT_NEAR(p.step_hop_s, 8388608 / 5e9, 1e-12);
  EXPECT_THAT(p.bottleneck.sentence, HasSubstr("48.9 GB/s instead of 5 GB/s"));
  EXPECT_NEAR(p.deciding_hop.value().bandwidth_bytes_per_s, 5e9, 1);
}

TEST(Bottleneck, CausalContiguousIsAnImbalance) {
  // Rank 7 computes 7.5 blocks, the mean rank 4: (7.5 - 4)/7.5 = 46.7 % of the time is lost to the others' idling.
  const Prediction p =
      predict_text("workload: {tokens: 256Ki}\nparallel: {ring: 8}\nring: {layout: contiguous}\n" + cluster(1));
  EXPECT_EQ(p.bottleneck.kind, "imbalance");
  EXPECT_NEAR(p.bottleneck.share, 3.5 / 7.5, 1e-3);
  EXPECT_THAT(p.bottleneck.sentence, HasSubstr("Zigzag"));
  EXPECT_THAT(p.warnings, Contains(HasSubstr("reaches 53.3 % at best")));
}

TEST(Bottleneck, ASlowRankIsNamedWithWhatItCosts) {
  // One rank of eight takes twice as long, and computation paces the ring: without it the run would take half, while the
  // other seven wait half of the time.
  const Prediction p = predict_text(
      "workload: {tokens: 64Ki, causal: false}\nparallel: {ring: 8}\nnoise: {stragglers: [{rank: 3, slowdown: 2}]}\n" +
      cluster(1));
  EXPECT_EQ(p.bottleneck.kind, "imbalance");
  EXPECT_EQ(p.slowest_rank, 3);
  EXPECT_NEAR(p.bottleneck.share, 0.5, 1e-3);
  EXPECT_EQ(p.bottleneck.name, "slow rank 3");
  EXPECT_THAT(p.bottleneck.sentence, HasSubstr("2 times as long"));
  ASSERT_EQ(p.stragglers.size(), 1U);
  EXPECT_NEAR(p.stragglers[0].others_wait_s, p.makespan_s / 2, 1e-3 * p.makespan_s);
}

TEST(Bottleneck, ARankThatIsTenPercentSlowCostsAsMuchWhereComputationPacesTheRing) {
  // Every step takes 1.1 instead of 1, on all ranks: 0.1/1.1 = 9.1 % of the makespan, and that long the others wait.
  const Prediction p = predict_text(
      "workload: {tokens: 64Ki, causal: false}\nparallel: {ring: 8}\nnoise: {stragglers: [{rank: 5, slowdown: "
      "1.1}]}\n" +
      cluster(1));
  EXPECT_NEAR(p.stragglers.at(0).makespan_s / p.makespan_s, 0.1 / 1.1, 1e-3);
  EXPECT_NEAR(p.stragglers.at(0).others_wait_s / p.makespan_s, 0.1 / 1.1, 1e-3);
  EXPECT_EQ(p.bottleneck.name, "slow rank 5");
  EXPECT_THAT(p.bottleneck.sentence, HasSubstr("9.1 %"));
}

TEST(Bottleneck, ARankThatIsTenPercentSlowCostsNothingWhereHopsPaceTheRing) {
  // 500 tokens a rank against F/W = 1,000: a hop takes twice a step's computation, so that 1.1 of that still ends before
  // the hop does. Only the last step, which has no hop, is longer: 0.05 of 7.5 hops, 0.7 %.
  const Prediction p = predict_text(
      "workload: {tokens: 4000, causal: false}\nparallel: {ring: 8}\nnoise: {stragglers: [{rank: 5, slowdown: "
      "1.1}]}\n" +
      cluster(1));
  EXPECT_LT(p.stragglers.at(0).makespan_s / p.makespan_s, 0.01);
  EXPECT_EQ(p.bottleneck.kind, "transfer");
}

TEST(Bottleneck, MergingCanDecide) {
  // A profile whose merges are a hundred times slower than the memory allows.
  const std::string slow_merge =
      "profile: {gpu: ideal, forward: {saturated: 100 TFLOP/s, half_depth: 0}, backward: {saturated: 100 TFLOP/s, "
      "half_depth: 0}, "
      "launch: 0 s, merge_traffic: 1, merge_bandwidth: 20 GB/s, event_latency: 0 s, contest_for_multiprocessors: "
      "false, links: {}}\n";
  std::string fast = cluster(1);
  fast.erase(fast.find("profile:"));
  const Prediction p =
      predict_text("workload: {tokens: 16Ki, causal: false}\nparallel: {ring: 8}\n" + fast + slow_merge);
  EXPECT_EQ(p.bottleneck.kind, "overhead");
  EXPECT_THAT(p.bottleneck.sentence, HasSubstr("Merging"));
}

TEST(Bottleneck, AHopLongerThanTheComputationPacesTheRing) {
  // The seeds' ring in small: 8 ranks of 900 tokens, F/W = 1,000. A step computes 0.9 of its hop, so the hop repeats at
  // every step, though only a tenth of it is exposed.
  const Prediction p = predict_text(
      "workload: {tokens: 7200, causal: false}\nparallel: {ring: 8}\nring: {layout: striped}\n" + cluster(1));
  EXPECT_LT(p.exposed_communication_s, 0.1 * p.makespan_s);
  EXPECT_EQ(p.bottleneck.kind, "transfer");
  // Seven hops of the makespan's seven hops and one computation: 7/(7 + 0.9) = 88.6 %.
  EXPECT_NEAR(p.bottleneck.share, 7.0 / 7.9, 1e-9);
  EXPECT_THAT(p.bottleneck.sentence, HasSubstr("at least 1,000 tokens a rank instead of 900"));
}

TEST(Bottleneck, WhatTheWindowEmptiesIsNoTransferToSpeedUp) {
  // A window of 64 tokens in blocks of 8,192: a rank needs its own block and 63 tokens of the one before; the other six
  // steps only pass blocks on.
  const Prediction p =
      predict(scenarios::read_scenario_text(
                  "name: probe\nmodel: {layers: 2, hidden: 1024, heads: 8, kv_heads: 8, head_dim: 128, "
                  "sliding_window: 64, layer_types: [sliding, sliding]}\n"
                  "workload: {tokens: 64Ki}\nparallel: {ring: 8}\nring: {layout: contiguous}\n" +
                      cluster(1),
                  "probe.yaml", ".", {}),
              {})
          .prediction;
  EXPECT_EQ(p.bottleneck.name, "steps that the mask empties");
  EXPECT_GT(p.bottleneck.share, 0.5);
  EXPECT_THAT(p.b_min_note, HasSubstr("in all layers a window of 64 tokens"));
  EXPECT_THAT(p.warnings, Contains(HasSubstr("2 of 2 layers slide")));
  EXPECT_THAT(p.warnings, Not(Contains(HasSubstr("at best"))));
}

TEST(Utilisation, ModelFlopCountTheBackwardPassTwiceHardwareFlopTwoAndAHalfTimes) {
  // Forward 1, backward 2.5: 3.5 computed of which 3 are the model's.
  const Prediction p =
      predict_text("workload: {phase: train, tokens: 64Ki, causal: false}\nparallel: {ring: 8}\n" + cluster(1));
  EXPECT_NEAR(p.mfu / p.hfu, 3.0 / 3.5, 1e-12);
  const Prediction forward =
      predict_text("workload: {tokens: 64Ki, causal: false}\nparallel: {ring: 8}\n" + cluster(1));
  EXPECT_EQ(forward.mfu, forward.hfu);
}

TEST(Memory, WithoutAFeedForwardTheWeightsAreSaidToBeMissing) {
  const Prediction p = predict_text("workload: {tokens: 64Ki, causal: false}\nparallel: {ring: 8}\n" + cluster(1));
  ASSERT_EQ(p.memory.missing.size(), 1U);
  EXPECT_THAT(p.warnings, Contains(HasSubstr("memory does not count weights")));
}

TEST(Warnings, NothingToWarnOfButTheProfileAndTheWeights) {
  const Prediction p = predict_text("workload: {tokens: 64Ki, causal: false}\nparallel: {ring: 8}\n" + cluster(1));
  ASSERT_EQ(p.warnings.size(), 2U);
  EXPECT_THAT(p.warnings[0], HasSubstr("datasheet is not calibrated"));
}

TEST(Warnings, SayWhatIsExtrapolated) {
  Scenario s = scenarios::read_scenario_text(
      "name: probe\nmodel: {layers: 2, hidden: 1024, heads: 8, kv_heads: 8, head_dim: 128}\n"
      "workload: {tokens: 64Ki, causal: false}\nparallel: {ring: 8}\n" +
          cluster(1),
      "probe.yaml", ".", {});
  s.profile.calibrated = true;
  s.profile.measured = AttentionRange{{64, 2048}, {64, 8192}, {8, 8}, {128, 128}};
  EXPECT_THAT(
      predict(s, {}).prediction.warnings,
      Contains(HasSubstr("attention of 8,192 rows is beyond what profile datasheet was fitted on (64 to 2,048)")));
}

TEST(Warnings, SayWhatIsIdleSharedReplicatedAndTooLarge) {
  // tensor 16 > 8 K/V heads is illegal for 8 query heads, so the model gets 32; two of four nodes stay idle; one NIC a node
  // carries the rings of 8 tensor ranks.
  const Prediction p =
      predict(scenarios::read_scenario_text(
                  "name: probe\nmodel: {layers: 2, hidden: 1024, heads: 32, kv_heads: 4, head_dim: 128}\n"
                  "workload: {tokens: 1Gi, causal: false}\nparallel: {tensor: 8, ring: 2}\n" +
                      cluster(4),
                  "probe.yaml", ".", {"cluster.nics_per_node=1"}),
              {})
          .prediction;
  EXPECT_THAT(p.warnings, Contains(HasSubstr("16 of 32 GPUs stay idle")));
  EXPECT_THAT(p.warnings, Contains(HasSubstr("8 flows meet on node0.nic0.out (3 more links are shared), with 8 times "
                                             "what it can carry; each flow is given")));
  EXPECT_THAT(p.warnings, Contains(HasSubstr("tensor 8 exceeds 4 key/value heads: each is held by 2 ranks")));
  EXPECT_THAT(p.warnings, Contains(HasSubstr("does not fit")));
  EXPECT_THAT(p.warnings, Not(IsEmpty()));
}

}  // namespace
}  // namespace ringsim::sim
