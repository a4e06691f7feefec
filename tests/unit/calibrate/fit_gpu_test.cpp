// Fits of what a calibration of a GPU measures: a synthetic GPU with known parameters is recovered. No time here is a GPU's.
#include "calibrate/fit/by_pass.hpp"
#include "calibrate/fit/gpu_reports.hpp"
#include "calibrate/fit/profile.hpp"
#include "calibrate/paced_links.hpp"
#include "models/cost.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace ringsim::calibrate {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const HeadShape heads{1, 32, 8, 128, 128};
const RingShape ring_shape{heads, Dtype::bf16};

// Parameters of no GPU.
Profile truth() {
  Profile p;
  p.gpu = "synthetic-gpu";
  p.multiprocessors = 100;
  p.forward = {{teraflop_per_second(500)}, {150.0}, {0.0}};
  p.backward = {{teraflop_per_second(400)}, {200.0}, {0.0}};
  p.backward.blocks = Blocks::keys;
  p.launch = {microseconds(2)};
  p.merge_traffic = {1.0};
  p.merge_bandwidth = {gigabytes_per_second(3000)};
  return p;
}
constexpr double latency_s = 3e-6;
constexpr double noise = 0.004;

// Deterministic scatter of ±noise, the median of many of them next to 1.
double scattered(double time_s, std::size_t index) {
  const double part = std::fmod(0.6180339887498949 * static_cast<double>(index + 1), 1.0);
  return time_s * (1 + noise * (2 * part - 1));
}

Timing timing(double time_s) { return {time_s, 0.998 * time_s, 1.002 * time_s, 30}; }

InterferencePoint pair_of(double kernel_s, double hop_s, double phi, double psi) {
  InterferencePoint p;
  p.link_class = "paced-450-gb";
  p.bytes = 450e9 * hop_s;
  p.blocks = 8;
  p.source = "both";
  const double beside_s = hop_s / psi;
  p.kernel_alone = timing(kernel_s);
  p.kernel_beside = timing(kernel_s + (1 - phi) * beside_s);
  p.transfer_alone = timing(hop_s);
  p.transfer_beside = timing(beside_s);
  return p;
}

InterferencePoint of_pass(InterferencePoint p, Pass pass) {
  p.pass = pass;
  return p;
}

Points synthetic() {
  const CostModel costs(truth(), ring_shape);
  Points points;
  points.provenance = {"cuda", "synthetic-gpu, 100 SMs", 1, "none", "2026-01-02T03:04:05Z", "", {}, 100};
  std::size_t index = 0;
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    for (double s = 1024; s <= 32768; s *= 2) {
      for (const AttendShape& shape : {AttendShape{s, s, s * s, 0}, AttendShape{s, s, s * (s + 1) / 2, 1},
                                       AttendShape{s, s / 2, s * s / 2, 0}, AttendShape{s / 2, s, s * s / 2, 0}}) {
        const double exact_s = in_seconds(costs.attention(pass, shape));
        points.attention.push_back({pass, shape, heads, Dtype::bf16, timing(scattered(exact_s, index++)), "attention"});
      }
    }
  }
  for (double tokens = 1024; tokens <= 32768; tokens *= 2) {
    const double exact_s = in_seconds(costs.merge(Accumulator::output, false, tokens));
    points.merge.push_back(
        {Accumulator::output, false, tokens, ring_shape, timing(scattered(exact_s, index++)), "merge"});
  }
  for (const double rate : {450e9, 50e9}) {
    for (const TransferEngine engine : {TransferEngine::sm_kernel, TransferEngine::copy_engine}) {
      for (double bytes = 1 << 18; bytes <= 1 << 28; bytes *= 4) {
        points.transfer.push_back(
            {paced_link_class(rate, engine), bytes, 1, timing(latency_s + bytes / (0.97 * rate)), "copy"});
      }
    }
  }
  points.transfer.push_back({std::string(nccl_to_itself), 1e6, 1, timing(2e-6), "NCCL"});
  points.launch.push_back({timing(2e-6), "launch"});
  points.overhead = {{Overhead::event, timing(5.5e-6), "event"},
                     {Overhead::issue, timing(4e-6), "issue"},
                     {Overhead::eager, timing(3e-6), "eager"},
                     {Overhead::graph, timing(1.5e-6), "graph"}};
  return points;
}

FitOptions options() {
  FitOptions o;
  o.name = "synthetic";
  o.gpu = "synthetic-gpu";
  return o;
}

TEST(FitOfAGpu, RecoversTheSyntheticDeviceWithinItsNoise) {
  const FitResult result = fit_profile(synthetic(), options());
  const Profile& p = result.profile;
  // Times scatter by ±0.4 %, so rates and the depth, which follows from small kernels alone, are known about as well.
  EXPECT_NEAR(in_flop_per_second(p.forward.saturated.value), 500e12, 0.01 * 500e12);
  EXPECT_NEAR(in_flop_per_second(p.backward.saturated.value), 400e12, 0.01 * 400e12);
  EXPECT_NEAR(p.forward.half_depth.value, 150, 15);
  EXPECT_NEAR(p.backward.half_depth.value, 200, 20);
  EXPECT_NEAR(in_bytes_per_second(p.merge_bandwidth.value), 3000e9, 0.01 * 3000e9);
  EXPECT_EQ(p.multiprocessors, 100);
  EXPECT_EQ(p.forward.saturated.origin, Origin::measured);
  EXPECT_THAT(p.forward.saturated.source, HasSubstr("synthetic-gpu"));
}

TEST(FitOfAGpu, MeasuredSharesTakeThePlaceOfABasesContestForSms) {
  Points points = synthetic();
  points.interference.push_back(of_pass(pair_of(4e-4, 1.5e-4, 0.9, 0.8), Pass::forward));
  FitOptions with_base = options();
  with_base.base = truth();
  with_base.base->contest_for_multiprocessors = true;
  const FitResult result = fit_profile(points, with_base);
  EXPECT_FALSE(result.profile.contest_for_multiprocessors);
  ASSERT_TRUE(result.profile.sm_kernel && result.profile.sm_kernel->forward);
  EXPECT_NEAR(result.profile.sm_kernel->forward->compute_share.value, 0.9, 1e-9);
  EXPECT_THAT(result.notes, Contains(HasSubstr("exclude each other")));
  // Without shares the base's contest stays.
  points.interference.clear();
  EXPECT_TRUE(fit_profile(points, with_base).profile.contest_for_multiprocessors);
}

TEST(FitOfAGpu, OverheadsBecomeLaunchEventLatencyAndIssue) {
  const Profile p = fit_profile(synthetic(), options()).profile;
  EXPECT_DOUBLE_EQ(in_seconds(p.launch.value), 2e-6);
  // 5.5 µs from kernel to kernel across streams, of which 2 µs are any kernel's on the critical path.
  EXPECT_NEAR(in_seconds(p.event_latency.value), 3.5e-6, 1e-12);
  EXPECT_DOUBLE_EQ(in_seconds(p.issue.value), 4e-6);
}

TEST(FitOfAGpu, PacedCopiesAreLinksOfTheRateInTheirName) {
  const FitResult result = fit_profile(synthetic(), options());
  for (const char* name : {"paced-450-gb", "paced-450-gb-copy-engine", "paced-50-gb", "paced-50-gb-copy-engine"}) {
    ASSERT_TRUE(result.profile.links.contains(name)) << name;
    const LinkCost& link = result.profile.links.at(name);
    // Efficiency against the rate of the link that is played, and not against the best that was seen.
    EXPECT_NEAR(link.efficiency.value, 0.97, 1e-6) << name;
    EXPECT_NEAR(in_seconds(link.latency.value), latency_s, 1e-9) << name;
    EXPECT_EQ(result.nominal.at(name), *paced_rate(name)) << name;
  }
  // What NCCL sends to itself crosses no link.
  EXPECT_FALSE(result.profile.links.contains(std::string(nccl_to_itself)));
  EXPECT_THAT(result.notes, Contains(HasSubstr("no link of the profile")));
}

TEST(PacedLinks, NamesAreReadBack) {
  for (const double rate : {450e9, 12.5e9}) {
    for (const TransferEngine engine : {TransferEngine::sm_kernel, TransferEngine::copy_engine}) {
      const auto read = paced_rate(paced_link_class(rate, engine));
      ASSERT_TRUE(read.has_value());
      EXPECT_DOUBLE_EQ(in_bytes_per_second(*read), rate);
    }
  }
  EXPECT_EQ(paced_link_class(12.5e9, TransferEngine::copy_engine), "paced-12.5-gb-copy-engine");
  for (const char* other : {"nvlink4", "paced-gb", "paced--1-gb", "paced-5-gb-x", "paced-x-gb", "nccl-to-itself"}) {
    EXPECT_FALSE(paced_rate(other).has_value()) << other;
  }
}

TEST(InterferenceByPass, EachPassAndMergesHaveTheirOwnShares) {
  std::vector<InterferencePoint> points{
      of_pass(pair_of(4e-4, 1.5e-4, 0.9, 0.8), Pass::forward), of_pass(pair_of(16e-4, 6e-4, 0.9, 0.8), Pass::forward),
      of_pass(pair_of(10e-4, 1.5e-4, 0.85, 0.7), Pass::backward),
      of_pass(pair_of(40e-4, 6e-4, 0.85, 0.7), Pass::backward), pair_of(2e-4, 0.4e-4, 0.6, 0.5)};
  const InterferenceByPass fit = fit_interference_by_pass(points, Origin::measured, "synthetic");
  ASSERT_TRUE(fit.shares.has_value());
  EXPECT_NEAR(fit.shares->compute_share.value, 0.6, 1e-9);
  EXPECT_NEAR(fit.shares->transfer_share.value, 0.5, 1e-9);
  ASSERT_TRUE(fit.shares->forward && fit.shares->backward);
  EXPECT_NEAR(fit.shares->forward->compute_share.value, 0.9, 1e-9);
  EXPECT_NEAR(fit.shares->forward->transfer_share.value, 0.8, 1e-9);
  EXPECT_NEAR(fit.shares->backward->compute_share.value, 0.85, 1e-9);
  EXPECT_NEAR(fit.shares->backward->transfer_share.value, 0.7, 1e-9);
}

TEST(InterferenceByPass, TheSettingWithMostPointsIsTheProfiles) {
  std::vector<InterferencePoint> points{of_pass(pair_of(4e-4, 1.5e-4, 0.9, 0.8), Pass::forward),
                                        of_pass(pair_of(16e-4, 6e-4, 0.9, 0.8), Pass::forward)};
  InterferencePoint more_blocks = of_pass(pair_of(4e-4, 1.5e-4, 0.7, 1), Pass::forward);
  more_blocks.blocks = 32;
  points.push_back(more_blocks);
  const InterferenceByPass fit = fit_interference_by_pass(points, Origin::measured, "synthetic");
  ASSERT_TRUE(fit.shares && fit.shares->forward);
  EXPECT_NEAR(fit.shares->forward->compute_share.value, 0.9, 1e-9);
  // Merges were not measured: nothing is taken from attention for them.
  EXPECT_EQ(fit.shares->compute_share.value, 1.0);
  EXPECT_EQ(fit.shares->compute_share.origin, Origin::assumed);
  EXPECT_THAT(fit.notes, Contains(HasSubstr("the profile's shares are of paced-450-gb, 8 blocks")));
  std::vector<std::string> names;
  for (const FitReport& report : fit.reports) names.push_back(report.name);
  EXPECT_THAT(names, Contains("interference sm-kernel, paced-450-gb, 32 blocks, for comparison"));
}

TEST(InterferenceByPass, AHopThatComesSecondSaysHowLongItWaitedAndChangesNoShare) {
  std::vector<InterferencePoint> points{of_pass(pair_of(4e-4, 1.5e-4, 0.9, 0.8), Pass::forward)};
  // It waits for the whole kernel: 4e-4 later than alone, which is 100 % of the kernel.
  InterferencePoint starved = points[0];
  starved.kernel_first = true;
  starved.kernel_beside = starved.kernel_alone;
  starved.transfer_beside = timing(1.5e-4 + 4e-4);
  const InterferenceByPass before = fit_interference_by_pass(points, Origin::measured, "synthetic");
  points.push_back(starved);
  const InterferenceByPass fit = fit_interference_by_pass(points, Origin::measured, "synthetic");
  EXPECT_EQ(fit.shares, before.shares);
  EXPECT_THAT(fit.notes, Contains(HasSubstr("took longer by 100 % of the kernel")));
  EXPECT_NEAR(fit.reports.back().parameters.at(0).value, 1.0, 1e-9);
}

AttentionVariantPoint on_sms(std::int64_t sms, double time_s) {
  AttentionVariantPoint p;
  p.shape = {4096, 4096, 4096.0 * 4096, 0};
  p.heads = heads;
  p.time = timing(time_s);
  p.source = "own";
  p.kernel = "sm90";
  p.multiprocessors = sms;
  return p;
}

TEST(GpuReports, ThePartThatSmsDivideIsRecovered) {
  // T(n) = T(N)(1 − p + p·N/n) with p = 0.9 and N = 132.
  std::vector<AttentionVariantPoint> points;
  for (const std::int64_t n : {132, 128, 124, 120, 112, 100}) {
    points.push_back(on_sms(n, 4e-4 * (0.1 + 0.9 * 132 / static_cast<double>(n))));
  }
  const auto exact = attention_by_sms(points);
  ASSERT_EQ(exact.size(), 1U);
  EXPECT_EQ(exact[0].name, "attention by sm90 by SMs, for comparison");
  EXPECT_NEAR(exact[0].parameters.at(0).value, 0.9, 1e-9);
  // 8 SMs less: 1 / (0.1 + 0.9 · 132/124)
  EXPECT_NEAR(exact[0].parameters.at(1).value, 1 / (0.1 + 0.9 * 132 / 124), 1e-9);
  EXPECT_NEAR(exact[0].worst_residual, 0, 1e-9);
  for (std::size_t i = 1; i < points.size(); ++i) points[i].time.median_s = scattered(points[i].time.median_s, i);
  const auto noisy = attention_by_sms(points);
  ASSERT_EQ(noisy.size(), 1U);
  EXPECT_GT(noisy[0].parameters.at(0).relative_uncertainty, 0);
  EXPECT_NEAR(noisy[0].parameters.at(0).value, 0.9, 0.9 * noisy[0].parameters.at(0).relative_uncertainty + 0.02);
  // On all SMs or on one number alone there is nothing to compare.
  EXPECT_TRUE(attention_by_sms({on_sms(0, 1), on_sms(132, 1)}).empty());
  // Implementations are never mixed: another kernel on one number of SMs alone is no point of this one.
  AttentionVariantPoint other = on_sms(100, 1);
  other.kernel = "cudnn";
  points.push_back(other);
  EXPECT_EQ(attention_by_sms(points).size(), 1U);
}

TEST(GpuReports, OwnKernelAgainstTheProfiles) {
  AttentionPoint profile;
  profile = on_sms(0, 4e-4);
  AttentionVariantPoint merging = on_sms(0, 6e-4);
  merging.merging = true;
  const auto reports = variant_reports({on_sms(0, 5e-4), merging}, {profile});
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].name, "attention by sm90, for comparison");
  // 4·128 FLOP a pair and head, 32 heads, 4096² pairs, in 5e-4 s; and 5/4 of the profile's time.
  EXPECT_NEAR(reports[0].parameters.at(0).value, 4.0 * 128 * 32 * 4096 * 4096 / 5e-4, 1e3);
  EXPECT_NEAR(reports[0].parameters.at(1).value, 1.25, 1e-12);
  EXPECT_NEAR(reports[1].parameters.at(0).value, 0.2, 1e-12);  // 6e-4 / 5e-4 − 1
}

TEST(GpuReports, CopiesNeedBlocksToKeepARate) {
  const auto copy = [](std::int64_t blocks, double rate, double reached) {
    return CopyPoint{TransferEngine::sm_kernel, blocks, 1, rate, 1e9, timing(1e9 / reached), "copy"};
  };
  // 2 blocks do not keep 450 GB/s, 4 do within 2 %, as do 8; without pacing 8 blocks reach 900 GB/s.
  const auto report = copy_report(
      {copy(2, 450e9, 300e9), copy(4, 450e9, 445e9), copy(8, 450e9, 449e9), copy(8, 0, 900e9), copy(8, 0, 880e9)});
  ASSERT_TRUE(report.has_value());
  ASSERT_EQ(report->parameters.size(), 2U);
  EXPECT_NEAR(report->parameters[0].value, 900e9, 1);
  EXPECT_EQ(report->parameters[1].name, "fewest blocks for 450 GB/s");
  EXPECT_EQ(report->parameters[1].value, 4);
  EXPECT_FALSE(copy_report({}).has_value());
}

}  // namespace
}  // namespace ringsim::calibrate
