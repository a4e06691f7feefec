// Inverse questions against scans of every value.
#include "sim/planner/solve.hpp"

#include "models/error.hpp"
#include "models/memory.hpp"
#include "scenarios/reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::sim {
namespace {

/// A ring of four over two nodes; by the data sheet, so that nothing but kernels and bytes takes time.
const std::string two_nodes =
    "name: two nodes\n"
    "model: {name: one layer, layers: 1, hidden: 4096, heads: 32, kv_heads: 8, head_dim: 128}\n"
    "workload: {phase: prefill, tokens: 32Ki, causal: true}\n"
    "cluster: {use: dgx-h100, nodes: 2, gpus_per_node: 2, gpu: {bf16: 325 TFLOP/s}}\n"
    "parallel: {ring: 4}\n"
    "profile: datasheet\n";

Scenario scenario(const std::string& text = two_nodes, const std::vector<std::string>& sets = {}) {
  return scenarios::read_scenario_text(text, "test.yaml", {}, sets);
}

// Zigzag blocks of B = 8,192 tokens: a steady step computes B²/2 entries at 4·D·H FLOP each, (8192² / 2) · 4 · 128 · 32 / 325e12 =
// 1.69 ms, and moves 8192 · 8 · 2 · 128 · 2 B = 33.6 MB: hidden from 19.8 GB/s on, far below the 50 GB/s of a NIC. (The first step,
// of the own block, computes as much.)
TEST(PlannerSolve, BandwidthOfAStepThatIsDerivedByHand) {
  SolveOptions options;
  options.most_exposed = 1e-6;
  const BandwidthAnswer a = solve_bandwidth(scenario(), options);
  ASSERT_TRUE(a.answer_bytes_per_s && a.fails_bytes_per_s);
  EXPECT_NEAR(*a.answer_bytes_per_s, 33554432.0 / (8192.0 * 8192.0 / 2 * 4 * 128 * 32 / 325e12), 2e-4 * 20e9);
  EXPECT_TRUE(a.monotone);
  EXPECT_LE(*a.answer_bytes_per_s / *a.fails_bytes_per_s, 1.0001);
  EXPECT_LE(a.at_answer.exposed_share, 1e-6);
}

TEST(PlannerSolve, BandwidthIsTheFirstOfADenseScanThatHolds) {
  SolveOptions options;
  options.most_exposed = 0.2;
  const Scenario s = scenario();
  const BandwidthAnswer a = solve_bandwidth(s, options);
  ASSERT_TRUE(a.answer_bytes_per_s);
  for (double bandwidth = 2e9; bandwidth < 60e9; bandwidth *= 1.03) {
    Scenario at = s;
    at.cluster.inter_node->bandwidth = bytes_per_second(bandwidth);
    const bool holds = predict_point(at, bandwidth, 0).exposed_share <= 0.2;
    EXPECT_EQ(holds, bandwidth >= *a.answer_bytes_per_s) << bandwidth;
  }
}

TEST(PlannerSolve, BandwidthNeedsMessagesBetweenNodes) {
  SolveOptions options;
  options.most_exposed = 0.01;
  EXPECT_THROW(solve_bandwidth(scenario(two_nodes, {"parallel.ring=2"}), options), Error);
}

// Memory: K/V of a token are 8 · 2 · 128 · 2 B = 4 KiB a layer. The longest length that fits is the one for which the next does not.
TEST(PlannerSolve, TheLongestContextIsTheLastThatFits) {
  const std::string text =
      "name: whole\n"
      "model: {name: whole, layers: 4, hidden: 1024, heads: 8, kv_heads: 4, head_dim: 128, feed_forward: "
      "{intermediate: "
      "4096}, vocabulary: 32000}\n"
      "workload: {phase: prefill, tokens: 4Ki, scope: model}\n"
      "cluster: {use: dgx-h100, nodes: 1, gpu: {memory: 1 GB}}\n"
      "parallel: {ring: 4}\n";
  const Scenario s = scenario(text);
  const ContextAnswer memory = solve_tokens(s, {});
  ASSERT_TRUE(memory.longest);
  const auto fits = [&](std::int64_t tokens) {
    Scenario at = s;
    at.workload.tokens = tokens;
    return memory_of_rank(at).fits();
  };
  EXPECT_EQ(memory.unit, 8);  // zigzag: 2 · 4
  EXPECT_TRUE(fits(*memory.longest));
  EXPECT_FALSE(fits(*memory.longest + 8));
  EXPECT_EQ(memory.limited_by, "memory");
  // A limit of half the time that it takes: the last length in time, and every eighth around it.
  SolveOptions options;
  options.most_time_s = memory.at_longest.time_s / 2;
  const ContextAnswer time = solve_tokens(s, options);
  ASSERT_TRUE(time.longest);
  EXPECT_EQ(time.limited_by, "time");
  EXPECT_TRUE(time.monotone);
  for (std::int64_t tokens = *time.longest - 80; tokens <= *time.longest + 80; tokens += 8) {
    Scenario at = s;
    at.workload.tokens = tokens;
    EXPECT_EQ(predict_point(at, 0, 0).time_s <= *options.most_time_s, tokens <= *time.longest) << tokens;
  }
}

// At 5 GB/s a quarter of what a block of 8,192 needs, blocks must be four times as long.
TEST(PlannerSolve, CommunicationIsHiddenFromALengthOn) {
  SolveOptions options;
  options.most_exposed = 0.01;
  const Scenario s = scenario(two_nodes, {"cluster.inter_node.bandwidth=5 GB/s"});
  const ContextAnswer a = solve_tokens(s, options);
  ASSERT_TRUE(a.hidden_from && a.exposed_at);
  EXPECT_EQ(*a.hidden_from - *a.exposed_at, a.unit);
  EXPECT_GT(*a.hidden_from, 65536);
  EXPECT_LT(*a.hidden_from, 4 * 32768 + 8192);
  EXPECT_LE(a.at_hidden.exposed_share, 0.01);
}

TEST(PlannerSolve, RingsAreTheOnesOfALoopOverAllSizes) {
  SolveOptions options;
  options.most_exposed = 0.05;
  const Scenario s = scenario(two_nodes, {"cluster.inter_node.bandwidth=15 GB/s"});
  options.most_time_s = 1.1 * predict_point(s, 4, 0).time_s;
  const RingAnswer a = solve_ring(s, options);
  ASSERT_EQ(a.points.size(), 4U);
  std::int64_t largest_hidden = 0;
  std::int64_t smallest = 0;
  for (const std::int64_t ring : {1, 2, 4}) {  // of 3 zigzag has no multiple
    const SolvePoint point = predict_point(
        scenario(two_nodes, {"cluster.inter_node.bandwidth=15 GB/s", "parallel.ring=" + std::to_string(ring)}),
        static_cast<double>(ring), 0);
    if (point.exposed_share <= 0.05) largest_hidden = ring;
    if (smallest == 0 && point.time_s <= *options.most_time_s) smallest = ring;
    EXPECT_EQ(a.points[static_cast<std::size_t>(ring - 1)].time_s, point.time_s);
  }
  EXPECT_FALSE(a.points[2].why_not.empty());
  EXPECT_EQ(a.largest_hidden, largest_hidden);
  EXPECT_EQ(largest_hidden, 2);  // inside a node
  EXPECT_EQ(a.smallest_meeting, smallest);
  EXPECT_EQ(smallest, 4);
}

// All-gather sends as many bytes at once and hides nothing; a ring hides what is shorter than its kernels, but pays for many small
// steps. With 4 µs a launch short sequences favour the one, long ones the other.
TEST(PlannerSolve, BreakEvenIsWhereTheFasterPlanChanges) {
  const std::string text =
      "name: calibrated\n"
      "model: {name: one layer, layers: 1, hidden: 4096, heads: 32, kv_heads: 8, head_dim: 128}\n"
      "workload: {phase: prefill, tokens: 32Ki, causal: true}\n"
      "cluster: {use: dgx-h100, nodes: 1}\n"
      "parallel: {ring: 8}\n"
      "profile: h100-sxm\n";
  const Scenario ring = scenario(text);
  const Scenario gather = scenario(text, {"ring.exchange=all-gather"});
  const BreakEven a = break_even(ring, gather, {});
  const auto ring_is_faster = [&](std::int64_t tokens) {
    Scenario first = ring;
    Scenario second = gather;
    first.workload.tokens = second.workload.tokens = tokens;
    return predict_point(first, 0, 0).time_s < predict_point(second, 0, 0).time_s;
  };
  for (const BreakEven::Crossing& crossing : a.crossings) {
    EXPECT_EQ(crossing.from - crossing.before, a.unit);
    EXPECT_EQ(ring_is_faster(crossing.from), crossing.first_is_faster);
    EXPECT_NE(ring_is_faster(crossing.before), crossing.first_is_faster);
  }
  bool before = ring_is_faster(a.points.front().tokens);
  std::size_t changes = 0;
  for (const BreakEven::Point& point : a.points) {
    const bool now = ring_is_faster(point.tokens);
    changes += now != before ? 1 : 0;
    before = now;
  }
  EXPECT_EQ(a.crossings.size(), changes);
}

}  // namespace
}  // namespace ringsim::sim
