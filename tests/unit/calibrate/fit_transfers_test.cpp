// Fits of merges, links and interference: known parameters come back from points made with them.
#include "calibrate/fit/interference.hpp"
#include "calibrate/fit/isotonic.hpp"
#include "calibrate/fit/links.hpp"
#include "calibrate/fit/merge.hpp"
#include "models/cost.hpp"
#include "models/error.hpp"
#include "models/profile_parameters.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ringsim::calibrate {
namespace {

Timing exactly(double time_s) { return {time_s, time_s, time_s, 10}; }

TEST(Isotonic, PoolsWhatFalls) {
  // 4 and 1 fall: their geometric mean 2 replaces both. Then 8 and 2 with weights 1 and 3: 2^((3 + 3·1)/4) = 2^1.5.
  const std::vector<double> fitted = isotonic({1, 4, 1, 8, 2, 16}, {1, 1, 1, 1, 3, 1});
  const std::vector<double> expected{1, 2, 2, std::pow(2, 1.5), std::pow(2, 1.5), 16};
  ASSERT_EQ(fitted.size(), expected.size());
  for (std::size_t i = 0; i < fitted.size(); ++i) EXPECT_NEAR(fitted[i], expected[i], 1e-12);
}

TEST(Isotonic, PoolsBackwardsAsFarAsNeeded) {
  // The last value is below all: one pool, geometric mean of 2, 4 and 1.
  for (const double value : isotonic({2, 4, 1}, {1, 1, 1})) EXPECT_NEAR(value, 2, 1e-12);
}

TEST(FitMerge, FindsTheRate) {
  // 7 GB/s behind a launch of 2 µs, on outputs and gradients of several sizes.
  std::vector<MergePoint> points;
  const RingShape shape{{1, 4, 2, 64, 64}, Dtype::fp32};
  for (const Accumulator what : {Accumulator::output, Accumulator::q_gradient, Accumulator::kv_gradient}) {
    for (const double tokens : {16., 256., 4096.}) {
      MergePoint p{what, what == Accumulator::kv_gradient, tokens, shape, {}, fmt::format("{} tokens", tokens)};
      p.time = exactly(2e-6 + in_bytes(merge_bytes(shape, what, p.travelling, tokens)) / 7e9);
      points.push_back(p);
    }
  }
  const MergeFit fit = fit_merge(points, microseconds(2), Origin::measured, "made up");
  EXPECT_NEAR(in_bytes_per_second(fit.bandwidth.value) / 7e9, 1, 1e-6);
  EXPECT_EQ(fit.traffic.value, 1);
  EXPECT_LT(fit.bandwidth.relative_uncertainty, 1e-6);
  // The cost model with these values gives the points back.
  Profile p;
  p.launch = {microseconds(2)};
  p.merge_traffic = fit.traffic;
  p.merge_bandwidth = fit.bandwidth;
  for (const MergePoint& point : points) {
    const Duration time = CostModel(p, shape).merge(point.accumulator, point.travelling, point.tokens);
    EXPECT_NEAR(in_seconds(time) / point.time.median_s, 1, 1e-6);
  }
}

TEST(FitMerge, OfTwoThatDisagreeLiesBetweenThemAndSaysSo) {
  // Rates of 4 and 9 GB/s without a launch: in logarithms the middle is 6 GB/s; predictions are 4/6 and 9/6 of measured.
  const RingShape shape{{1, 1, 1, 64, 64}, Dtype::fp32};
  std::vector<MergePoint> points;
  for (const double rate : {4e9, 9e9}) {
    MergePoint p{Accumulator::output, false, 100, shape, {}, fmt::format("{}", rate)};
    p.time = exactly(in_bytes(merge_bytes(shape, Accumulator::output, false, 100)) / rate);
    points.push_back(p);
  }
  const MergeFit fit = fit_merge(points, {}, Origin::measured, "");
  EXPECT_NEAR(in_bytes_per_second(fit.bandwidth.value) / 6e9, 1, 1e-9);
  EXPECT_NEAR(fit.report.residuals[0].relative, 4.0 / 6 - 1, 1e-9);
  EXPECT_NEAR(fit.report.residuals[1].relative, 9.0 / 6 - 1, 1e-9);
  EXPECT_EQ(fit.report.worst_point, fmt::format("{}", 9e9));
  EXPECT_GE(fit.bandwidth.relative_uncertainty, 0.5);
}

TEST(FitMerge, SaysWhereOutputsAndGradientsDiffer) {
  // Outputs at 30 GB/s, gradients at 90: the one rate lies at their geometric mean, 52 GB/s.
  const RingShape shape{{1, 4, 4, 64, 64}, Dtype::fp32};
  std::vector<MergePoint> points;
  for (const Accumulator what : {Accumulator::output, Accumulator::kv_gradient}) {
    MergePoint p{what, false, 100, shape, {}, "merge"};
    p.time = exactly(in_bytes(merge_bytes(shape, what, false, 100)) / (what == Accumulator::output ? 30e9 : 90e9));
    points.push_back(p);
  }
  const MergeFit fit = fit_merge(points, {}, Origin::measured, "");
  EXPECT_NEAR(in_bytes_per_second(fit.bandwidth.value), std::sqrt(30e9 * 90e9), 1e3);
  ASSERT_FALSE(fit.notes.empty());
  EXPECT_EQ(fit.notes.back(), "merge: outputs at 30 GB/s, gradients at 90 GB/s; a profile has one rate for both");
}

TEST(FitMerge, StatesNoMoreThanAProfileCan) {
  // Rates a hundred times apart: ±900 % about their middle in logarithms, of which 90 % is stated, with a note.
  const RingShape shape{{1, 1, 1, 64, 64}, Dtype::fp32};
  std::vector<MergePoint> points;
  for (const double rate : {1e9, 1e11}) {
    MergePoint p{Accumulator::output, false, 100, shape, {}, "merge"};
    p.time = exactly(in_bytes(merge_bytes(shape, Accumulator::output, false, 100)) / rate);
    points.push_back(p);
  }
  const MergeFit fit = fit_merge(points, {}, Origin::measured, "");
  EXPECT_EQ(fit.bandwidth.relative_uncertainty, 0.9);
  ASSERT_EQ(fit.notes.size(), 1U);
  EXPECT_NE(fit.notes[0].find("±90 % is stated"), std::string::npos);
  Profile p;
  p.merge_bandwidth = fit.bandwidth;
  EXPECT_GT(moved(p, uncertain_parameters(p).at(0), -1).merge_bandwidth.value,
            fit.bandwidth.value);  // still a rate, and a faster one
}

TransferPoint hop(double size, double time_s) { return {"l", size, 2, exactly(time_s), fmt::format("{} B", size)}; }

// 256 B and 1 KiB that were disturbed for 100 us make α 100 us; of 16 KiB in 100.1 us then 0.1 us are left, 164 GB/s over a link of
// 96 GB/s. The message as a whole was not faster than the wire: its share ends at 100 %.
TEST(FitLink, ALatencyThatIsTooLargeMakesNoLinkFasterThanItIs) {
  std::vector<TransferPoint> points;
  for (const auto& [size, time_s] :
       {std::pair{256.0, 100e-6}, std::pair{1024.0, 100e-6}, std::pair{16384.0, 100.1e-6}}) {
    TransferPoint p;
    p.link_class = "l";
    p.bytes = size;
    p.time = exactly(time_s);
    points.push_back(p);
  }
  const LinkFit fit = fit_link(points, gigabytes_per_second(96), Origin::measured, "");
  for (const LinkKnot& knot : fit.cost.by_size) EXPECT_LE(knot.efficiency, 1.0);
}

TEST(FitLink, FindsLatencyAndBandwidth) {
  // 5 µs + bytes / 2 GB/s against a nominal 4 GB/s: half of it at all sizes.
  std::vector<TransferPoint> points;
  for (const double size : {1e3, 1e4, 1e6, 1e8}) points.push_back(hop(size, 5e-6 + size / 2e9));
  const LinkFit fit = fit_link(points, gigabytes_per_second(4), Origin::measured, "made up");
  EXPECT_NEAR(in_microseconds(fit.cost.latency.value), 5, 1e-9);
  EXPECT_NEAR(fit.cost.efficiency.value, 0.5, 1e-9);
  // The sizes between the ends lie on the line between them and need no knots.
  ASSERT_EQ(fit.cost.by_size.size(), 2U);
  for (const LinkKnot& knot : fit.cost.by_size) EXPECT_NEAR(knot.efficiency, 0.5, 1e-6);
  // Against a nominal 1 GB/s it is twice as fast, which is said.
  const LinkFit fast = fit_link(points, gigabytes_per_second(1), Origin::measured, "made up");
  EXPECT_NEAR(fast.cost.efficiency.value, 2, 1e-9);
  ASSERT_EQ(fast.notes.size(), 1U);
  EXPECT_EQ(fast.notes[0], "link l: hops reach up to 200 % of the nominal bandwidth given; state at least 2 GB/s");
  EXPECT_EQ(fit.cost.measured_bytes->low, 1e3);
  EXPECT_EQ(fit.cost.measured_bytes->high, 1e8);
  EXPECT_LT(fit.report.worst_residual, 1e-9);
  EXPECT_TRUE(fit.notes.empty());
}

TEST(FitLink, FollowsABandwidthThatFallsOutOfACache) {
  // 8 GB/s up to 1 MB and 2 GB/s from 100 MB on: both are reproduced, relative to the best seen.
  const LinkFit fit = fit_link({hop(1e4, 3e-6 + 1e4 / 8e9), hop(1e6, 3e-6 + 1e6 / 8e9), hop(1e8, 3e-6 + 1e8 / 2e9)},
                               std::nullopt, Origin::measured, "");
  EXPECT_NEAR(in_bytes_per_second(fit.nominal) / 8e9, 1, 1e-9);
  EXPECT_NEAR(fit.cost.by_size[1].efficiency, 1, 1e-9);
  EXPECT_NEAR(fit.cost.efficiency.value, 0.25, 1e-9);
  EXPECT_LT(fit.report.worst_residual, 1e-9);
  ASSERT_EQ(fit.notes.size(), 1U);
  EXPECT_EQ(fit.notes[0],
            "link l: efficiencies refer to the best rate seen, 8 GB/s; give the link this bandwidth in the cluster");
}

TEST(FitLink, TimesNeverFallWithSizeAndScatterIsCounted) {
  // 4 KB seems faster than 2 KB: both get the geometric mean of 8 and 6.125 µs, 7 µs. No knot's time is below another's.
  const LinkFit fit = fit_link({hop(1e3, 5e-6), hop(2e3, 8e-6), hop(4e3, 6.125e-6), hop(1e6, 1e-3)}, std::nullopt,
                               Origin::measured, "");
  double last_s = 0;
  for (const LinkKnot& knot : fit.cost.by_size) {
    const double time_s = in_seconds(knot.size / (fit.nominal * knot.efficiency));
    EXPECT_GE(time_s, last_s - 1e-15);
    last_s = time_s;
  }
  EXPECT_NEAR(fit.report.worst_residual, 7 / 6.125 - 1, 1e-9);
  // Isotonic regression moved the 4 KB by 14 %, which is among the larger half of the sizes.
  EXPECT_NEAR(fit.cost.efficiency.relative_uncertainty, 7 / 6.125 - 1, 1e-9);
}

TEST(FitLink, OfOneSizeHasNoLatency) {
  const LinkFit fit = fit_link({hop(1e6, 1e-3), hop(1e6, 1.2e-3)}, std::nullopt, Origin::measured, "");
  EXPECT_EQ(in_seconds(fit.cost.latency.value), 0);
  EXPECT_TRUE(fit.cost.by_size.empty());
  EXPECT_NEAR(in_bytes_per_second(fit.nominal), 1e6 / 1.1e-3, 1);
  // 1.1 ms is 10 % above the one and 8.3 % below the other; 95 % of such lie below 0.95 of the way from 8.3 % to 10 %.
  EXPECT_NEAR(fit.cost.efficiency.relative_uncertainty, 0.1 / 1.2 + 0.95 * (0.1 - 0.1 / 1.2), 1e-9);
  EXPECT_EQ(fit.notes.size(), 2U);
}

// A kernel of `kernel_s` and a hop of `hop_s` that keep φ and ψ of their speed together, by the definition.
InterferencePoint pair_of(double kernel_s, double hop_s, double phi, double psi) {
  const double beside_s = hop_s / psi;
  return {TransferEngine::sm_kernel,
          "l",
          hop_s * 1e9,
          exactly(kernel_s),
          exactly(kernel_s + (1 - phi) * beside_s),
          exactly(hop_s),
          exactly(beside_s),
          fmt::format("{} s beside {} s", kernel_s, hop_s)};
}

TEST(FitInterference, FindsTheShares) {
  // A kernel of 10 ms and a hop of 2 ms at 0.7 and 0.4: the hop takes 5 ms, and the kernel, which loses 30 % of these,
  // 11.5 ms.
  const InterferencePoint p = pair_of(10e-3, 2e-3, 0.7, 0.4);
  EXPECT_NEAR(p.kernel_beside.median_s, 11.5e-3, 1e-12);
  const InterferenceFit fit = fit_interference({p, pair_of(20e-3, 3e-3, 0.7, 0.4)}, Origin::measured, "made up");
  EXPECT_NEAR(fit.shares->compute_share.value, 0.7, 1e-9);
  EXPECT_NEAR(fit.shares->transfer_share.value, 0.4, 1e-9);
  EXPECT_LT(fit.report.worst_residual, 1e-9);
  EXPECT_LT(fit.shares->compute_share.relative_uncertainty, 1e-9);
}

TEST(FitInterference, TakesTheSlopeOfWhatKernelsLoseOverWhatHopsTake) {
  // Hops of 0.1 at ψ = 0.8 take 0.125. Kernels lose 0.5, 0.1 and 0.4 of it: the slope is 1/3, φ is 2/3. Around the slope the
  // three are off by 1/6, −7/30 and 1/15, whose squares add up to 0.08667: standard error √(0.08667/2/3) = 0.1202, and
  // 1.96 times it is 35.3 % of φ.
  const InterferenceFit fit = fit_interference(
      {pair_of(1, 0.1, 0.5, 0.8), pair_of(1, 0.1, 0.9, 0.8), pair_of(1, 0.1, 0.6, 0.8)}, Origin::measured, "");
  EXPECT_NEAR(fit.shares->compute_share.value, 2.0 / 3.0, 1e-9);
  EXPECT_NEAR(fit.shares->compute_share.relative_uncertainty, 0.3534, 1e-3);
  EXPECT_NEAR(fit.shares->transfer_share.value, 0.8, 1e-9);
}

// A hop that is a thousandth of its kernel says nothing against one that is half of it, whatever the kernel's scatter makes
// of it: a kernel of 1 that took 1.004 beside a hop of 0.001 has "lost" four times the hop.
TEST(FitInterference, ShortHopsDoNotOutweighLongOnes) {
  InterferencePoint noisy = pair_of(1, 0.001, 0.5, 1);
  noisy.kernel_beside = exactly(1.004);
  const InterferenceFit fit = fit_interference({noisy, pair_of(1, 0.5, 0.5, 1)}, Origin::measured, "");
  EXPECT_NEAR(fit.shares->compute_share.value, 0.5, 1e-4);
}

TEST(FitInterference, FasterInCompanyIsScatter) {
  InterferencePoint p = pair_of(1, 0.1, 1, 1);
  p.kernel_beside = exactly(0.98);
  p.transfer_beside = exactly(0.09);
  const InterferenceFit fit = fit_interference({p}, Origin::measured, "");
  EXPECT_EQ(fit.shares->compute_share.value, 1);
  EXPECT_EQ(fit.shares->transfer_share.value, 1);
}

TEST(FitInterference, LeavesOutHopsThatOutlastTheKernel) {
  const InterferenceFit fit = fit_interference({pair_of(0.01, 1, 0.5, 0.5)}, Origin::measured, "");
  EXPECT_FALSE(fit.shares.has_value());
  ASSERT_EQ(fit.notes.size(), 1U);
  EXPECT_NE(fit.notes[0].find("0.01 s beside 1 s is left out"), std::string::npos);
}

}  // namespace
}  // namespace ringsim::calibrate
