// Which rings are the same under a shift, and that one period of them gives all ranks their bits.
#include "sim/recurrence/folding.hpp"

#include "scenarios/reader.hpp"
#include "sim/schedules/model_program.hpp"
#include "tests/unit/sim/rings.hpp"
#include "tests/unit/sim/shortened.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

/// Nodes of `gpus` ranks; the hop that leaves a node takes three times as long as one inside.
Ring nodes(std::int64_t ranks, std::int64_t gpus) {
  Ring ring{.ranks = ranks, .tokens = 2 * ranks, .layers = 3, .pair_s = 0.7, .token_s = 0.9, .latency_s = 0.1};
  for (std::int64_t r = 0; r < ranks; ++r) ring.hop_factor.push_back((r + 1) % gpus == 0 ? 3.0 : 1.0);
  return ring;
}

std::int64_t period(const Ring& ring, Passes passes = Passes::forward) {
  return period_of(rings::program_of(ring, passes), ring.machine());
}

TEST(Folding, OneRankStandsForIdenticalOnes) { EXPECT_EQ(period({.ranks = 48, .tokens = 48}), 1); }

TEST(Folding, ANodeStandsForIdenticalNodes) {
  EXPECT_EQ(period(nodes(48, 8)), 8);
  EXPECT_EQ(period(nodes(8, 8)), 8);  // of one node all ranks are needed: its last hop is another one
  EXPECT_EQ(period(nodes(48, 8), Passes::both), 8);
}

// Five nodes of 8 and one of 4 more ranks: 44 is no multiple of 8.
TEST(Folding, APeriodDividesTheRing) { EXPECT_EQ(period(nodes(44, 8)), 44); }

TEST(Folding, ASlowRankBreaksIt) {
  Ring ring = nodes(48, 8);
  ring.slowdown.assign(48, 1.0);
  EXPECT_EQ(period(ring), 8);
  ring.slowdown[17] = 1.01;
  EXPECT_EQ(period(ring), 48);
  // Every fourth rank is slow: that is the same under a shift by a node.
  for (std::size_t r = 0; r < ring.slowdown.size(); ++r) ring.slowdown[r] = r % 4 == 1 ? 1.01 : 1.0;
  EXPECT_EQ(period(ring), 8);
  ring.hop_factor.clear();
  EXPECT_EQ(period(ring), 4);
}

TEST(Folding, RanksThatStartApartBreakIt) {
  Ring ring = nodes(48, 8);
  ring.start_s.assign(48, 2.0);
  EXPECT_EQ(period(ring), 8);
  ring.start_s[3] = 2.5;
  EXPECT_EQ(period(ring), 48);
}

// Under a causal mask a contiguous rank has nothing to do with later blocks, a striped one a diagonal less; zigzag has half of every
// block, the queries' or the keys' half, which cost the same where only pairs count.
TEST(Folding, OfCausalLayoutsOnlyZigzagIsTheSameOnAllRanks) {
  Ring ring = nodes(48, 8);
  ring.causal = true;
  ring.tokens = 48 * 4;
  EXPECT_EQ(period(ring), 48);
  ring.layout = Layout::striped;
  EXPECT_EQ(period(ring), 48);
  ring.layout = Layout::zigzag;
  EXPECT_EQ(period(ring), 8);
  // Where the depth of a kernel counts, few queries against many keys take another time than many against few.
  ring.half_depth = 3;
  EXPECT_EQ(period(ring), 48);
}

TEST(Folding, BlocksOfTwoSizesBreakIt) {
  Ring ring = nodes(48, 8);
  ring.tokens += 1;
  EXPECT_EQ(period(ring), 48);
}

// The inner rings of two-level rings are kept whole: 4 nodes of 4 whose hops are all alike still need a node.
TEST(Folding, AnInnerRingStaysWhole) {
  const Scenario s = scenarios::read_scenario_text(
      "name: two-level\n"
      "model: {name: m, layers: 2, hidden: 512, heads: 16, kv_heads: 4, head_dim: 64, feed_forward: {intermediate: "
      "2048}, "
      "vocabulary: 32000}\n"
      "workload: {phase: prefill, tokens: 16Ki, causal: false}\n"
      "cluster: {use: dgx-h100, nodes: 4, gpus_per_node: 4}\n"
      "profile: datasheet\n"
      "parallel: {ring: 16}\n"
      "ring: {exchange: two-level}\n",
      "two-level.yaml");
  const std::vector<PhaseProgram> phases = programs_of(s);
  EXPECT_EQ(phases.front().program.inner, 4);
  EXPECT_EQ(period_of(phases.front().program, machine_for(phases.front().program, machine_of(s))), 4);
}

struct Case {
  std::int64_t ranks = 8;
  std::int64_t gpus = 8;  // a node
  std::int64_t layers = 2;
  bool zigzag = false;   // under a causal mask
  bool contest = false;  // transfers wait for SMs
  std::int64_t buffers = 2;
};

class ShiftSymmetric : public testing::TestWithParam<Case> {};

// Folded, extrapolated and in full, forward and backward: the first to the bit, the second to 1e-9. Compute takes less than a hop between
// nodes and more than one inside, so that neither hides for all.
TEST_P(ShiftSymmetric, AgreesHoweverItIsRun) {
  const Case& c = GetParam();
  Ring ring = nodes(c.ranks, c.gpus);
  ring.layers = c.layers;
  ring.buffers = c.buffers;
  ring.contest = c.contest;
  ring.event_latency_s = c.contest ? 0.01 : 0.0;
  if (c.zigzag) {
    ring.layout = Layout::zigzag;
    ring.causal = true;
  }
  const Program program = rings::program_of(ring, Passes::both);
  const Machine machine = ring.machine();
  const shortened::Outcome full = shortened::run(program, machine, run_in_full());
  const shortened::Outcome folded = shortened::run(program, machine, shortened::folded());
  EXPECT_EQ(folded.result.economy.folded_ranks, std::min(c.gpus, c.ranks));
  EXPECT_EQ(folded.result.end_s, full.result.end_s);
  for (std::size_t r = 0; r < full.ranks.size(); ++r) {
    ASSERT_EQ(shortened::figures(folded.ranks[r]), shortened::figures(full.ranks[r])) << r;
  }
  const shortened::Outcome jumped = shortened::run(program, machine, shortened::both());
  EXPECT_LT(shortened::difference(jumped, full), 1e-9);
  if (c.ranks >= 64) {
    EXPECT_GT(jumped.result.economy.jumped_rank_steps, 0);
  }
  EXPECT_EQ(jumped.result.economy.rank_steps, full.result.economy.rank_steps);
}

INSTANTIATE_TEST_SUITE_P(Rings, ShiftSymmetric,
                         testing::Values(Case{2, 1}, Case{8, 8}, Case{8, 8, 40, true}, Case{64, 1, 5},
                                         Case{64, 8, 5, true}, Case{64, 8, 5, false, true}, Case{64, 8, 5, true, true},
                                         Case{96, 8, 5, false, false, 3}, Case{512, 8, 4}, Case{512, 8, 4, true, true},
                                         Case{1024, 1, 1, true}, Case{1024, 8, 1, false, true}, Case{4096, 8, 1}),
                         [](const testing::TestParamInfo<Case>& one) {
                           const Case& c = one.param;
                           return fmt::format("{}In{}s{}Layers{}{}{}", c.ranks, c.gpus, c.layers,
                                              c.zigzag ? "Zigzag" : "Full", c.contest ? "Contest" : "Free", c.buffers);
                         });

}  // namespace
}  // namespace ringsim::sim
