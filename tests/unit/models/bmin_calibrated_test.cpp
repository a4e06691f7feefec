// The calibrated B_min where it can be solved by hand: with a launch cost τ and a latency α, 4bB²HD/F + τ >= α +
// 2bBGDe/W.
#include "models/bmin.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ringsim {
namespace {

// One head of one element: 4 FLOP a pair and 4 bytes a token. At F = 4 FLOP/s and W = 4/slope B/s the condition reads
// B² + τ >= α + slope · B, so the roots are those of B² - slope · B + (τ - α).
struct Quadratic {
  double slope;
  double launch;
  double latency;

  [[nodiscard]] RingShape shape() const { return {{1, 1, 1, 1, 1}}; }
  [[nodiscard]] CostModel costs() const {
    Profile p;
    p.calibrated = true;
    p.forward.saturated.value = flop_per_second(4);
    p.backward = p.forward;
    p.launch.value = seconds(launch);
    return {p, shape()};
  }
  [[nodiscard]] HopCost hop() const { return {seconds(latency), bytes_per_second(4 / slope), false, "link", true}; }
  [[nodiscard]] BlockMinimum minimum() const {
    return block_minimum_calibrated(shape(), Pass::forward, 1.0, costs(), hop());
  }
  [[nodiscard]] double slack(double block) const { return block * block + launch - latency - slope * block; }
};

void expect_hidden_from(const Quadratic& q, double root) {
  const BlockMinimum m = q.minimum();
  ASSERT_TRUE(m.tokens.has_value()) << m.reason;
  EXPECT_NEAR(*m.tokens, root, 1e-9 * root);
  // Every larger block hides, a slightly smaller one does not.
  for (double block = root * (1 + 1e-9); block < 67108864.0; block *= 1.1) EXPECT_GE(q.slack(block), 0.0) << block;
  EXPECT_LT(q.slack(root * (1 - 1e-6)), 0.0);
}

TEST(CalibratedBlockMinimum, WithoutFixedCostsIsTheClosedForm) {
  // B² >= 10 B.
  expect_hidden_from({10, 0, 0}, 10.0);
}

TEST(CalibratedBlockMinimum, OfTwoPositiveRootsIsTheLarger) {
  // B² - 10 B + 21 = (B - 3)(B - 7): blocks below 3 hide behind the launch alone, which is no reason to stop there.
  expect_hidden_from({10, 22, 1}, 7.0);
  expect_hidden_from({10, 9, 0}, 9.0);  // (B - 1)(B - 9)
}

TEST(CalibratedBlockMinimum, LatencyBeyondTheLaunchRaisesIt) {
  // B² - 10 B - 11 = (B - 11)(B + 1): one root.
  expect_hidden_from({10, 1, 12}, 11.0);
  // B² - 2000 B - 5000: a root that is no whole number, 1000 + sqrt(1000² + 5000).
  expect_hidden_from({2000, 0, 5000}, 1000 + std::sqrt(1e6 + 5000));
}

TEST(CalibratedBlockMinimum, WhereTheLaunchAlwaysOutlastsTheHopIsZero) {
  // B² - 10 B + 26 has its least value 1 at B = 5: every block hides.
  const BlockMinimum m = Quadratic{10, 27, 1}.minimum();
  ASSERT_TRUE(m.tokens.has_value());
  EXPECT_EQ(*m.tokens, 0.0);
  EXPECT_FALSE(m.reason.empty());
}

TEST(CalibratedBlockMinimum, IsAbsentWhereNothingUpToTheLimitHides) {
  // B² >= 2^27 · B needs 2^27 tokens, more than the 2^26 that are searched.
  const BlockMinimum m = Quadratic{134217728.0, 0, 0}.minimum();
  EXPECT_FALSE(m.tokens.has_value());
  EXPECT_FALSE(m.reason.empty());
}

TEST(CalibratedBlockMinimum, CountsHalfABlockUnderABalancedCausalMask) {
  // B²/2 >= 10 B.
  const Quadratic q{10, 0, 0};
  const BlockMinimum m = block_minimum_calibrated(q.shape(), Pass::forward, 0.5, q.costs(), q.hop());
  EXPECT_NEAR(m.tokens.value(), 20.0, 1e-8);
}

TEST(CalibratedBlockMinimum, OfTheBackwardPassTakesItsFlopAndItsBytes) {
  // 10 FLOP a pair at 4 FLOP/s: 2.5 B²; K, V in bf16 and dK, dV in fp32: 12 bytes a token at 0.4 B/s: 30 B. 2.5 B² >=
  // 30 B.
  const Quadratic q{10, 0, 0};
  const BlockMinimum m = block_minimum_calibrated(q.shape(), Pass::backward, 1.0, q.costs(), q.hop());
  EXPECT_NEAR(m.tokens.value(), 12.0, 1e-8);
}

TEST(CalibratedBlockMinimum, MergingHelpsToHideTheHop) {
  // A forward merge of one element a row moves 10 B and 12 B of statistics: at 2.2 B/s 10 s a token. B² + 10 B >= 20 B.
  const Quadratic q{20, 0, 0};
  Profile p = q.costs().profile();
  p.merge_traffic.value = 1;
  p.merge_bandwidth.value = bytes_per_second(2.2);
  const BlockMinimum m = block_minimum_calibrated(q.shape(), Pass::forward, 1.0, CostModel(p, q.shape()), q.hop());
  EXPECT_NEAR(m.tokens.value(), 10.0, 1e-8);
}

// Thread blocks that fill 132 multiprocessors in whole waves: at the end of a stair the hop outlasts the kernel on a stretch of less
// than a hundredth of the block. A random test found it, a hundred times finer than the search for it was then.
TEST(CalibratedBlockMinimum, SeesShortDipsAtTheEndOfAStair) {
  const RingShape shape{{1, 8, 8, 128, 128}};
  Profile p;
  p.calibrated = true;
  p.forward.saturated.value = teraflop_per_second(524.2);
  p.forward.half_depth.value = 834;
  p.launch.value = microseconds(14.46);
  p.multiprocessors = 132;
  const CostModel costs(p, shape);
  const HopCost hop{microseconds(7.15), gigabytes_per_second(154.52), false, "link", true};
  const BlockMinimum m = block_minimum_calibrated(shape, Pass::forward, 1.0, costs, hop);
  const auto hidden = [&](double block) {
    return costs.attention(Pass::forward, {block, block, block * block, 0}) >=
           CostModel::hop(hop, shape.kv_per_token() * block);
  };
  int dips = 0;
  for (double block = m.tokens.value(); block < 1e6; block *= 1.0001) dips += hidden(block) ? 0 : 1;
  EXPECT_EQ(dips, 0);
  EXPECT_FALSE(hidden(m.tokens.value() * (1 - 1e-6)));
}

}  // namespace
}  // namespace ringsim
