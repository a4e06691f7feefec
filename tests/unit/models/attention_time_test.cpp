// The time of an attention kernel: what each factor of the cost means, at points where it is known without the formula.
#include "models/cost.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ringsim {
namespace {

constexpr double launch_s = 3e-6;

// A profile with everything that an attention kernel can cost: 600 TFLOP/s, half of it at a depth of 512 keys.
Profile calibrated() {
  Profile p;
  p.calibrated = true;
  p.forward.saturated.value = teraflop_per_second(600);
  p.forward.half_depth.value = 512;
  p.backward.saturated.value = teraflop_per_second(400);
  p.backward.half_depth.value = 512;
  p.launch.value = seconds(launch_s);
  p.multiprocessors = 132;
  return p;
}

const RingShape wide{{1, 256, 32, 128, 128}};  // heads enough to fill every SM

double time_of(const Profile& p, const RingShape& shape, const AttendShape& kernel, Pass pass = Pass::forward) {
  return in_seconds(CostModel(p, shape).attention(pass, kernel));
}

AttendShape square(double block) { return {block, block, block * block, 0}; }

TEST(AttentionTime, ByDatasheetIsFlopOverPeak) {
  // 4 · 1024² · 256 · 128 FLOP at 989 TFLOP/s.
  const Profile p = datasheet_profile(shapes::h100(), Dtype::bf16);
  EXPECT_DOUBLE_EQ(time_of(p, wide, square(1024)), 4.0 * 1024 * 1024 * 256 * 128 / 989e12);
  EXPECT_DOUBLE_EQ(time_of(p, wide, square(1024), Pass::backward), 10.0 * 1024 * 1024 * 256 * 128 / 989e12);
  // A causal triangle costs what it holds: 1024 · 1025 / 2 pairs.
  EXPECT_DOUBLE_EQ(time_of(p, wide, {1024, 1024, 1024 * 1025 / 2.0, 1}), 4.0 * 1024 * 1025 / 2 * 256 * 128 / 989e12);
}

TEST(AttentionTime, OfFp8TakesTheFp8Rate) {
  const Profile p = datasheet_profile(shapes::h100(), Dtype::fp8);
  EXPECT_DOUBLE_EQ(time_of(p, wide, square(1024)), 4.0 * 1024 * 1024 * 256 * 128 / 1979e12);
  Gpu old = shapes::h100();
  old.fp8.reset();
  EXPECT_THROW(static_cast<void>(datasheet_profile(old, Dtype::fp8)), Error);
}

TEST(AttentionTime, OfAMaskedStepIsZeroNotEvenALaunch) {
  EXPECT_EQ(time_of(calibrated(), wide, {1024, 1024, 0, 0}), 0.0);
  EXPECT_EQ(time_of(calibrated(), wide, {0, 0, 0, 0}), 0.0);
}

TEST(AttentionTime, NeverFallsBelowTheLaunch) {
  EXPECT_GT(time_of(calibrated(), wide, square(1)), launch_s);
  EXPECT_LT(time_of(calibrated(), wide, square(1)), 1.1 * launch_s) << "one pair a head is next to nothing";
}

TEST(AttentionTime, ReachesHalfTheRateAtTheHalfDepth) {
  // half_depth is the depth at which half of the saturated rate is reached: twice the ideal time, whatever the rows
  // are.
  const double ideal = 4.0 * 4096 * 512 * 256 * 128 / 600e12;
  EXPECT_NEAR(time_of(calibrated(), wide, {4096, 512, 4096.0 * 512, 0}) - launch_s, 2 * ideal, 1e-12 * ideal);
  // And nearly all of it for a very deep loop.
  const double deep = 4.0 * 4096 * 1e8 * 256 * 128 / 600e12;
  EXPECT_NEAR(time_of(calibrated(), wide, {4096, 1e8, 4096e8, 0}), deep, 1e-4 * deep);
}

TEST(AttentionTime, ThreadBlocksThatDoNotFillTheChipLeaveSmsIdle) {
  // 33 heads of one tile of 128 rows: 33 thread blocks on 132 SMs, a quarter of the chip, four times the time. Two
  // tiles: half.
  Profile p = calibrated();
  p.launch.value = {};
  p.forward.half_depth.value = 0;
  const RingShape narrow{{1, 33, 33, 128, 128}};
  const auto ideal = [](double rows) { return 4.0 * rows * 8192 * 33 * 128 / 600e12; };
  EXPECT_NEAR(time_of(p, narrow, {128, 8192, 128.0 * 8192, 0}), 4 * ideal(128), 1e-9 * ideal(128));
  EXPECT_NEAR(time_of(p, narrow, {256, 8192, 256.0 * 8192, 0}), 2 * ideal(256), 1e-9 * ideal(256));
  EXPECT_NEAR(time_of(p, narrow, {512, 8192, 512.0 * 8192, 0}), ideal(512), 1e-9 * ideal(512));
  EXPECT_NEAR(time_of(p, narrow, {4096, 8192, 4096.0 * 8192, 0}), ideal(4096), 1e-9 * ideal(4096));
  p.multiprocessors.reset();
  EXPECT_NEAR(time_of(p, narrow, {128, 8192, 128.0 * 8192, 0}), ideal(128), 1e-9 * ideal(128))
      << "the fill is not modelled";
}

TEST(AttentionTime, ACausalEdgeComputesTheWholeTilesItCrosses) {
  // Row q of a causal block needs keys 0 ... q and computes whole tiles of 128: 128 · ceil((q + 1)/128) of them.
  constexpr std::int64_t block = 4096;
  double computed = 0;
  for (std::int64_t q = 0; q < block; ++q) computed += static_cast<double>((q + 1 + 127) / 128 * 128);
  Profile p = calibrated();
  p.launch.value = {};
  p.forward.half_depth.value = 0;
  const double expected = 4.0 * computed * 256 * 128 / 600e12;
  const AttendWork work = Shards(Layout::contiguous, block, 1).work(0, 0, Mask{true, std::nullopt});
  EXPECT_NEAR(time_of(p, wide, shape_of(work)), expected, 1e-3 * expected);
}

TEST(AttentionTime, NeverComputesMoreThanTheRectangle) {
  // A small causal block lies in one tile: all of it is computed, no more.
  Profile p = calibrated();
  p.launch.value = {};
  p.forward.half_depth.value = 0;
  EXPECT_LE(time_of(p, wide, {64, 64, 64 * 65 / 2.0, 1}), time_of(p, wide, square(64)));
}

TEST(AttentionTime, GrowsWithTheEntriesThatTheMaskLetsThrough) {
  // The same rectangle under ever wider windows never gets cheaper, and the whole rectangle is the dearest.
  const CostModel costs(calibrated(), wide);
  for (const double block : {256.0, 1024.0, 8192.0}) {
    double before = 0;
    for (double depth = 1; depth <= block; depth *= 2) {
      const double time =
          in_seconds(costs.attention(Pass::forward, {block, block, block * depth, depth < block ? 2 : 0}));
      EXPECT_GE(time, before) << "block " << block << ": " << depth << " keys a row cost less than " << depth / 2;
      before = time;
    }
  }
}

TEST(AttentionTime, GrowsWithRowsAndColumns) {
  const CostModel costs(calibrated(), wide);
  double before = 0;
  for (double block = 1; block < 1e6; block *= 1.3) {
    const double time = in_seconds(costs.attention(Pass::forward, square(block)));
    EXPECT_GT(time, before);
    EXPECT_GT(in_seconds(costs.attention(Pass::backward, square(block))), time)
        << "backward does more, at a lower rate";
    before = time;
  }
}

TEST(AttentionTime, EdgesAreThoseThatCrossTheRectangle) {
  // Blocks of 8 of 16 tokens. The causal edge crosses the diagonal block only; a window of 3 crosses it too, and leaves of
  // the block before it a corner that its own edge cuts; a window as long as the sequence crosses nothing.
  const Shards shards(Layout::contiguous, 16, 2);
  const auto edges = [&](std::int64_t queries, std::int64_t keys, const Mask& mask) {
    return shape_of(shards.work(queries, keys, mask)).edges;
  };
  const Mask causal{true, std::nullopt};
  EXPECT_EQ(edges(1, 1, causal), 1);
  EXPECT_EQ(edges(1, 0, causal), 0);
  EXPECT_EQ(edges(1, 1, Mask{true, 3}), 2);
  EXPECT_EQ(edges(1, 0, Mask{true, 3}), 1);
  EXPECT_EQ(edges(1, 1, Mask{true, 16}), 1);
  EXPECT_EQ(edges(1, 0, Mask{true, 16}), 0);
  EXPECT_EQ(edges(1, 1, Mask{false, std::nullopt}), 0);
}

TEST(BlockRate, IsWhatAnUnmaskedBlockReaches) {
  // By datasheet the peak. With the launch and half a rate at 512: less, and rising with the block.
  EXPECT_NEAR(in_teraflop_per_second(
                  CostModel(datasheet_profile(shapes::h100(), Dtype::bf16), wide).block_rate(Pass::forward, 4096)),
              989, 1e-9);
  const CostModel costs(calibrated(), wide);
  EXPECT_LT(in_teraflop_per_second(costs.block_rate(Pass::forward, 512)), 300);
  EXPECT_GT(in_teraflop_per_second(costs.block_rate(Pass::forward, 1 << 20)), 599);
}

}  // namespace
}  // namespace ringsim
