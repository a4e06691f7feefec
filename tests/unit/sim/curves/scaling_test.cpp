// Time against the size of the ring, against what a ring by the data sheet takes by hand.
#include "sim/curves/scaling.hpp"

#include "models/memory.hpp"
#include "scenarios/reader.hpp"
#include "sim/curves/too_large.hpp"
#include "sim/predict.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::sim {
namespace {

/// One layer without a mask, by the data sheet: S = 64Ki tokens, 32 heads of D = 128, 8 K/V heads, F = 1000 TFLOP/s; a ring of 4 on a
/// node of 8.
const std::string one_layer =
    "name: one layer\n"
    "model: {name: one layer, layers: 1, hidden: 4096, heads: 32, kv_heads: 8, head_dim: 128}\n"
    "workload: {phase: prefill, tokens: 64Ki, causal: false}\n"
    "cluster: {use: dgx-h100, nodes: 1, gpu: {bf16: 1000 TFLOP/s}}\n"
    "parallel: {ring: 4}\n"
    "ring: {layout: contiguous}\n"
    "profile: datasheet\n";

Scenario scenario(const std::vector<std::string>& sets = {}) {
  return scenarios::read_scenario_text(one_layer, "test.yaml", {}, sets);
}

const ScalingPoint& at(const ScalingCurve& curve, std::int64_t ring) {
  return *std::find_if(curve.points.begin(), curve.points.end(), [&](const auto& p) { return p.ring == ring; });
}

TEST(ScalingCurve, RingsArePowersOfTwoAndTheScenariosOwnDoubled) {
  EXPECT_EQ(scaling_rings(6, 2), (std::vector<std::int64_t>{1, 2, 4, 6, 8, 12, 16, 24}));
  EXPECT_EQ(scaling_rings(4, 1), (std::vector<std::int64_t>{1, 2, 4, 8}));
}

// Blocks of B = S/N tokens: a step computes 4·D·H·B² / F and its hop moves 2·D·8·2 B a token at 450 GB/s inside the node. One GPU needs
// C = 4·128·32·65536² / 1e15 = 70.4 ms. Of 8 ranks a step computes 1.10 ms and a hop takes 0.0746 ms: hidden, and since every step
// computes as long as any other the N steps take C/N. Two nodes: the hops over NICs at 50 GB/s take B · 4096 / 50e9: 0.336 ms of 16 ranks
// against a step of 0.275 ms, so that each of the 15 hops shows.
TEST(ScalingCurve, HalvesWithEachDoublingUntilHopsShow) {
  const ScalingCurve curve = scaling_curve(scenario());
  const double one = 4.0 * 128 * 32 * 65536.0 * 65536.0 / 1e15;
  EXPECT_EQ(curve.time_name, "attention time");
  EXPECT_EQ(curve.ideal_from, 1);
  ASSERT_EQ(curve.points.size(), 5U);  // 1, 2, 4 and two doublings: 8, 16
  for (const std::int64_t ring : {1, 2, 4, 8}) {
    const ScalingPoint& point = at(curve, ring);
    EXPECT_NEAR(*point.time_s / (one / static_cast<double>(ring)), 1, 1e-12) << ring;
    EXPECT_NEAR(*point.efficiency, 1, 1e-12);
    EXPECT_EQ(point.nodes, 1);
    EXPECT_EQ(point.own, ring == 4);
  }
  const ScalingPoint& two_nodes = at(curve, 16);
  const double step = one / 256;
  const double hop = 4096.0 * 4096 / 50e9;
  EXPECT_NEAR(*two_nodes.time_s, 15 * hop + step, 1e-12);
  EXPECT_NEAR(two_nodes.compute_s, 16 * step, 1e-12);
  EXPECT_NEAR(two_nodes.exposed_communication_s + two_nodes.bubble_s, 15 * (hop - step), 1e-12);
  EXPECT_EQ(two_nodes.nodes, 2);
  EXPECT_NEAR(*two_nodes.ideal_s, one / 16, 1e-12);
  EXPECT_NEAR(*two_nodes.efficiency, one / 16 / (15 * hop + step), 1e-12);
}

// What the scenario itself is predicted to take is the point of its own ring.
TEST(ScalingCurve, OwnRingIsTheScenariosPrediction) {
  const Scenario s = scenarios::read_scenario_text(
      "name: decode\nmodel: llama3-8b\nworkload: {phase: decode, tokens: 64Ki, output_tokens: 16, scope: model}\n"
      "cluster: {use: dgx-h100, nodes: 1}\nparallel: {tensor: 2, ring: 4}\n",
      "test.yaml");
  const ScalingCurve curve = scaling_curve(s);
  const Prediction p = predict_by_recurrence(s, 0);
  const ScalingPoint& own = at(curve, 4);
  EXPECT_EQ(curve.time_name, "TPOT");
  EXPECT_DOUBLE_EQ(*own.time_s, p.makespan_s / 16);  // a token's part of 16
  EXPECT_NEAR(own.compute_s + own.exposed_communication_s + own.bubble_s, *own.time_s, 1e-12 * *own.time_s);
  EXPECT_DOUBLE_EQ(own.exposed_communication_s, p.exposed_communication_s / 16);
  EXPECT_EQ(own.gpus, 8);
  EXPECT_EQ(own.memory_bytes, in_bytes(p.memory.total));
}

// A ring too small for memory is drawn with its time and marked; the ideal line starts at the first that fits.
TEST(ScalingCurve, IdealStartsAtTheSmallestRingThatFits) {
  const Bytes of_four = memory_of_rank(with_ring(scenario(), 4)).total;
  const Bytes of_two = memory_of_rank(with_ring(scenario(), 2)).total;
  ASSERT_LT(of_four, of_two);
  const double between = (in_bytes(of_four) + in_bytes(of_two)) / 2;
  const ScalingCurve curve =
      scaling_curve(scenario({fmt::format("cluster.gpu.memory={} B", static_cast<std::int64_t>(between))}));
  const ScalingPoint& two = at(curve, 2);
  EXPECT_EQ(two.verdict, ScalingVerdict::too_large);
  EXPECT_EQ(two.reason, needs_text(of_two, bytes(std::floor(between))));
  ASSERT_TRUE(two.time_s);
  EXPECT_EQ(at(curve, 4).verdict, ScalingVerdict::runs);
  EXPECT_EQ(curve.ideal_from, 4);
  // The line passes through the first ring that fits, and goes on to the left of it.
  EXPECT_DOUBLE_EQ(*at(curve, 4).ideal_s, *at(curve, 4).time_s);
  EXPECT_DOUBLE_EQ(*two.ideal_s, 2 * *at(curve, 4).time_s);
}

TEST(ScalingCurve, WhatIsNeededIsTold) {
  EXPECT_EQ(needs_text(gigabytes(95.31), gigabytes(80)), "needs 95.3 GB of 80.0 GB");
  // 80.04 would round to what there is.
  EXPECT_EQ(needs_text(gigabytes(80.04), gigabytes(80)), "needs 80.04 GB of 80.00 GB");
}

// 1000 tokens do not make 2·16 equal chunks; a straggler of rank 3 is on no ring below 4; ranks placed by hand are as many as the
// scenario's own plan has.
TEST(ScalingCurve, WhatDoesNotGoWithAnotherRingIsAReason) {
  const ScalingCurve tokens = scaling_curve(scenario({"ring.layout=zigzag", "workload.tokens=1000"}));
  EXPECT_EQ(at(tokens, 4).verdict, ScalingVerdict::runs);
  EXPECT_EQ(at(tokens, 16).verdict, ScalingVerdict::illegal);
  EXPECT_FALSE(at(tokens, 16).time_s);
  EXPECT_FALSE(at(tokens, 16).reason.empty());

  const ScalingCurve straggler = scaling_curve(scenario({"noise={stragglers: [{rank: 3, slowdown: 2}]}"}));
  EXPECT_EQ(at(straggler, 2).reason, "straggler 3 is not a rank of the ring");
  EXPECT_EQ(straggler.ideal_from, 4);

  const ScalingCurve placed = scaling_curve(scenario({"parallel.placement={gpus: [0, 2, 4, 6]}"}));
  EXPECT_EQ(at(placed, 8).reason, "4 GPUs are named for 8 ranks");
  EXPECT_EQ(at(placed, 4).verdict, ScalingVerdict::runs);
}

TEST(ScalingCurve, RingsBeyondWhatIsAllowedAreLeftOutAndNamed) {
  ScalingOptions options;
  options.most_gpus = 8;
  const ScalingCurve gpus = scaling_curve(scenario(), options);
  EXPECT_EQ(gpus.points.back().ring, 8);
  EXPECT_EQ(gpus.left_out, "rings from 16 on, which need more than 8 GPUs");
  options = {};
  options.most_rank_steps = 64;  // 8 ranks · 8 steps · 1 layer
  const ScalingCurve steps = scaling_curve(scenario(), options);
  EXPECT_EQ(steps.points.back().ring, 8);
  EXPECT_NE(steps.left_out.find("from 16 on"), std::string::npos);
}

}  // namespace
}  // namespace ringsim::sim
