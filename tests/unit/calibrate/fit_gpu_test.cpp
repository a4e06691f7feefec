// Fits of what a calibration of a GPU measures: a synthetic GPU with known parameters is recovered. No time here is a GPU's.
#include "calibrate/fit/by_pass.hpp"
#include "calibrate/fit/gpu_reports.hpp"
#include "calibrate/fit/profile.hpp"
#include "calibrate/import/import.hpp"
#include "calibrate/paced_links.hpp"
#include "models/cost.hpp"
#include "tests/unit/calibrate/import_support.hpp"
#include "tests/unit/calibrate/synthetic_gpu.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

namespace ringsim::calibrate {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

using namespace synthetic_gpu;

FitOptions options() {
  FitOptions o;
  o.name = "synthetic";
  o.gpu = "synthetic-gpu";
  return o;
}

TEST(FitOfAGpu, RecoversTheSyntheticDeviceWithinItsNoise) {
  const FitResult result = fit_profile(synthetic_gpu::points(), options());
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
  Points points = synthetic_gpu::points();
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

// The file is what others import: written anew by this test where RINGSIM_UPDATE_GOLDEN is set.
TEST(FitOfAGpu, TheSyntheticDeviceIsThatOfTheFile) {
  const std::string name = "tests/data/import/synthetic-gpu.samples.json";
  if (std::getenv("RINGSIM_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(std::string(RINGSIM_SOURCE_DIR) + "/" + name) << write_samples(synthetic_gpu::samples());
  }
  const Points read = import_points(name, testing::repository_file(name), {});
  const Points points = synthetic_gpu::points();
  EXPECT_EQ(read.provenance.machine, "synthetic-gpu, 100 SMs");
  ASSERT_EQ(read.attention.size(), points.attention.size());
  for (std::size_t i = 0; i < points.attention.size(); ++i) {
    EXPECT_DOUBLE_EQ(read.attention[i].time.median_s, points.attention[i].time.median_s) << i;
  }
  EXPECT_EQ(read.transfer.size(), points.transfer.size());
  EXPECT_EQ(read.interference.size(), points.interference.size());
  EXPECT_EQ(read.overhead.size(), points.overhead.size());
  const Profile p = fit_profile(read, options()).profile;
  EXPECT_NEAR(in_flop_per_second(p.forward.saturated.value), 500e12, 0.01 * 500e12);
  ASSERT_TRUE(p.sm_kernel && p.sm_kernel->backward);
  EXPECT_NEAR(p.sm_kernel->backward->transfer_share.value, 0.7, 1e-9);
}

TEST(FitOfAGpu, OverheadsBecomeLaunchEventLatencyAndIssue) {
  const Profile p = fit_profile(synthetic_gpu::points(), options()).profile;
  EXPECT_DOUBLE_EQ(in_seconds(p.launch.value), 2e-6);
  // 5.5 µs from kernel to kernel across streams, of which 2 µs are any kernel's on the critical path.
  EXPECT_NEAR(in_seconds(p.event_latency.value), 3.5e-6, 1e-12);
  EXPECT_DOUBLE_EQ(in_seconds(p.issue.value), 4e-6);
}

TEST(FitOfAGpu, PacedCopiesAreLinksOfTheRateInTheirName) {
  const FitResult result = fit_profile(synthetic_gpu::points(), options());
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
