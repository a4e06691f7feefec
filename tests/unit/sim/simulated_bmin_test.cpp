// The simulated B_min: the data sheet's number where nothing but compute and bandwidth counts, and nothing where steps
// alternate.
#include "sim/bmin.hpp"
#include "tests/unit/models/shapes.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ringsim::sim {
namespace {

using rings::Ring;

BlockProbe probe_of(const Scenario& s, Layout layout, bool causal, Pass pass) {
  return {ring_spec(s).shape, layout, causal, s.ring.buffers, pass};
}

Scenario h100(std::int64_t ring) { return shapes::scenario(shapes::llama2_7b(), 4096 * ring, ring, Layout::zigzag); }

TEST(SimulatedBlockMinimum, IsTheDataSheetsRoundedUpToAWholeBlock) {
  // F/W = 2197.8: without a mask 2198; a balanced causal mask doubles it, 4395.6, and zigzag needs an even block: 4396.
  // Backward with fp32 gradients 1.2 times: 2637.3 and 5274.7.
  const Scenario s = h100(8);
  const Machine machine = machine_of(s);
  EXPECT_EQ(block_minimum_simulated(probe_of(s, Layout::contiguous, false, Pass::forward), machine).tokens, 2198.0);
  EXPECT_EQ(block_minimum_simulated(probe_of(s, Layout::zigzag, true, Pass::forward), machine).tokens, 4396.0);
  EXPECT_EQ(block_minimum_simulated(probe_of(s, Layout::contiguous, false, Pass::backward), machine).tokens, 2638.0);
  EXPECT_EQ(block_minimum_simulated(probe_of(s, Layout::zigzag, true, Pass::backward), machine).tokens, 5276.0);
}

TEST(SimulatedBlockMinimum, OfACausalContiguousRingIsThatOfItsSlowestRank) {
  // Rank N - 1 computes whole blocks: 2198 as without a mask.
  const Scenario s = h100(8);
  EXPECT_EQ(block_minimum_simulated(probe_of(s, Layout::contiguous, true, Pass::forward), machine_of(s)).tokens,
            2198.0);
}

TEST(SimulatedBlockMinimum, DoesNotDependOnTheLengthOfTheRing) {
  for (const std::int64_t ring : {2, 3, 8}) {
    const Scenario s = h100(ring);
    EXPECT_EQ(block_minimum_simulated(probe_of(s, Layout::contiguous, false, Pass::forward), machine_of(s)).tokens,
              2198.0)
        << ring;
  }
}

TEST(SimulatedBlockMinimum, IsDecidedByTheSlowestHopHoweverFewThereAre) {
  // 80 ranks on ten nodes: one hop in eight leaves its node, with a NIC of its own at 50 GB/s: 989e12 / 50e9 = 19,780.
  const Scenario s = h100(80);
  EXPECT_EQ(block_minimum_simulated(probe_of(s, Layout::contiguous, false, Pass::forward), machine_of(s)).tokens,
            19780.0);
}

TEST(SimulatedBlockMinimum, IsAbsentWhereACalibratedContestAlternates) {
  // Compute-bound steps alternate between sum and maximum: the mean stays above compute by half a hop. A hop of a token
  // takes as long as 2^26 pairs, so that even the largest block tried, 2^24 tokens, is over by more than a per cent.
  // (An event that late is nothing beside kernels of 2^48 s, but still a moment of its own.)
  Ring ring{.ranks = 8, .tokens = 8, .pair_s = 1, .token_s = 67108864.0 / 16};
  ring.contest = true;
  ring.event_latency_s = 1000;
  const BlockMinimum m =
      block_minimum_simulated({ring.spec().shape, Layout::contiguous, false, 2, Pass::forward}, ring.machine());
  EXPECT_FALSE(m.tokens.has_value());
  EXPECT_NE(m.reason.find("contest"), std::string::npos) << m.reason;
}

TEST(SimulatedBlockMinimum, UnderAContestIsWhereHalfAHopIsAPerCentOfTheKernel) {
  // Mean steady step: compute + (hop + event)/2, and at most 1 % above compute: B² / 100 >= 10 B / 2, so B >= 500.
  // (Without the contest 10 less a per cent.) The event is too short to count.
  Ring ring{.ranks = 8, .tokens = 8, .pair_s = 1, .token_s = 10};
  ring.contest = true;
  ring.event_latency_s = 1e-6;
  const BlockMinimum m =
      block_minimum_simulated({ring.spec().shape, Layout::contiguous, false, 2, Pass::forward}, ring.machine());
  ASSERT_TRUE(m.tokens.has_value()) << m.reason;
  EXPECT_NEAR(*m.tokens, 500.0, 1.0);
}

TEST(SimulatedBlockMinimum, OfACalibratedProfileAllowsAPerCent) {
  // Steps of max(B², 10 B) against 1.01 · B²: B >= 10 / 1.01 = 9.9, so 10.
  // With token_s 1000: 1000 / 1.01 = 990.1, so 991.
  const Ring ring{.ranks = 8, .tokens = 8, .pair_s = 1, .token_s = 1000};
  EXPECT_EQ(
      block_minimum_simulated({ring.spec().shape, Layout::contiguous, false, 2, Pass::forward}, ring.machine()).tokens,
      991.0);
}

TEST(SteadyStep, IsTheMeanIncrementAndItsCompute) {
  // Blocks of 4 tokens: kernels of 16, hops of 4 · 7 = 28.
  const Ring ring{.ranks = 8, .tokens = 8, .pair_s = 1, .token_s = 7};
  const SteadyStep s = steady_step({ring.spec().shape, Layout::contiguous, false, 2, Pass::forward}, ring.machine(), 4);
  EXPECT_NEAR(s.step_s, 28, 1e-12);
  EXPECT_NEAR(s.compute_s, 16, 1e-12);
}

TEST(LayoutMinima, ListTheLayoutsOfTheTable) {
  const std::vector<LayoutMinima> table = layout_minima(h100(8));
  ASSERT_EQ(table.size(), 4U);
  // Datasheet, calibrated and simulated agree for a profile without overheads: 2197.8 unmasked and contiguous, twice
  // that balanced.
  for (const LayoutMinima& row : table) {
    const double expected = (row.causal && row.layout != Layout::contiguous ? 2.0 : 1.0) * 989e12 / 450e9;
    EXPECT_NEAR(row.forward.datasheet_tokens, expected, 1e-6);
    EXPECT_NEAR(row.forward.calibrated_tokens.value(), expected, 1e-6);
    EXPECT_NEAR(row.backward.datasheet_tokens, 1.2 * expected, 1e-6);
    ASSERT_TRUE(row.forward.simulated_tokens.has_value()) << row.forward.simulated_reason;
    EXPECT_GE(*row.forward.simulated_tokens, std::floor(expected));
    EXPECT_LE(*row.forward.simulated_tokens, std::ceil(expected) + 1);
  }
}

TEST(BlockMinima, OfARingOfOneHaveNothingToHide) {
  const Scenario s = h100(1);
  const BlockMinima m = block_minima(probe_of(s, Layout::zigzag, true, Pass::forward), machine_of(s), s, true);
  EXPECT_EQ(m.datasheet_tokens, 0.0);
  EXPECT_FALSE(m.simulated_reason.empty());
}

}  // namespace
}  // namespace ringsim::sim
