// Assembling a profile: what is measured is fitted, what is not comes from the base by name, or is asked for.
#include "calibrate/fit/profile.hpp"
#include "models/cost.hpp"
#include "models/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringsim::calibrate {
namespace {

using testing::Contains;
using testing::HasSubstr;

const HeadShape heads{1, 4, 4, 64, 64};
const RingShape shape{heads, Dtype::fp32};

Profile truth() {
  Profile p;
  p.key_tile = 64;
  p.query_tile = 0;
  p.forward = {{flop_per_second(50e9)}, {40.0}, {25.0}};
  p.backward = {{flop_per_second(35e9)}, {90.0}, {10.0}};
  p.launch = {microseconds(3)};
  p.merge_traffic = {1.0};
  p.merge_bandwidth = {gigabytes_per_second(7)};
  return p;
}

// Everything that a calibration on a host measures, timed by the truth.
Points complete() {
  const CostModel costs(truth(), shape);
  const auto exactly = [](double time_s) { return Timing{time_s, time_s, time_s, 10}; };
  Points points;
  points.provenance = {"host", "some CPU", 2, "g++", "2026-01-02T03:04:05Z", "", {}};
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    for (const double rows : {64., 256., 1024.}) {
      for (const double columns : {64., 512., 2048.}) {
        const AttendShape kernel{rows, columns, rows * columns, 0};
        points.attention.push_back(
            {pass, kernel, heads, Dtype::fp32, exactly(in_seconds(costs.attention(pass, kernel))), "kernel"});
      }
    }
  }
  for (const double tokens : {64., 1024.}) {
    points.merge.push_back({Accumulator::output, false, tokens, shape,
                            exactly(in_seconds(costs.merge(Accumulator::output, false, tokens))), "merge"});
  }
  for (const double size : {1e3, 1e5, 1e7})
    points.transfer.push_back({"l", size, 2, exactly(5e-6 + size / 2e9), "hop"});
  points.interference.push_back(
      {TransferEngine::sm_kernel, "l", 1e6, exactly(10e-3), exactly(11.5e-3), exactly(2e-3), exactly(5e-3), "both"});
  points.launch.push_back({exactly(3e-6), "launch"});
  points.gemm.push_back({100, 100, 100, Dtype::fp32, exactly(2e6 / 60e9), "gemm"});
  points.stream.push_back({1e6, exactly(1e-4), "copy"});
  return points;
}

FitOptions host_options() {
  FitOptions options;
  options.name = "host";
  options.gpu = "some-core";
  options.key_tile = 64;
  options.nominal["l"] = gigabytes_per_second(4);
  return options;
}

TEST(FitProfile, OfCompletePointsIsTheProfileTheyWereMadeWith) {
  const FitResult result = fit_profile(complete(), host_options());
  const Profile& p = result.profile;
  EXPECT_EQ(p.name, "host");
  EXPECT_EQ(p.gpu, "some-core");
  EXPECT_TRUE(p.calibrated);
  EXPECT_NEAR(p.forward.saturated.value / truth().forward.saturated.value, 1, 1e-6);
  EXPECT_NEAR(p.backward.half_depth.value / 90, 1, 1e-6);
  EXPECT_NEAR(p.backward.half_rows.value / 10, 1, 1e-6);
  EXPECT_NEAR(in_microseconds(p.launch.value), 3, 1e-9);
  EXPECT_NEAR(p.merge_bandwidth.value / truth().merge_bandwidth.value, 1, 1e-6);
  EXPECT_NEAR(p.links.at("l").efficiency.value, 0.5, 1e-6);
  EXPECT_NEAR(p.sm_kernel->compute_share.value, 0.7, 1e-9);
  EXPECT_FALSE(p.copy_engine.has_value());
  EXPECT_EQ(p.key_tile, 64);
  EXPECT_FALSE(p.multiprocessors.has_value());
  EXPECT_FALSE(p.contest_for_multiprocessors);
  ASSERT_TRUE(p.measured.has_value());
  EXPECT_EQ(p.measured->rows.low, 64);
  EXPECT_EQ(p.measured->columns.high, 2048);
  EXPECT_EQ(p.measured->heads.high, 4);
  EXPECT_EQ(p.forward.saturated.origin, Origin::measured);
  EXPECT_EQ(p.forward.saturated.source, "measured on some CPU, 2 ranks, 2026-01-02T03:04:05Z");
  EXPECT_EQ(in_bytes_per_second(result.nominal.at("l")), 4e9);
  std::vector<std::string> names;
  for (const FitReport& report : result.reports) names.push_back(report.name);
  EXPECT_THAT(names,
              testing::UnorderedElementsAre("launch", "attention forward", "attention backward", "merge", "link l",
                                            "interference sm-kernel", "matrix products, for comparison",
                                            "copying memory, for comparison"));
  // Best rates of what is only compared with: 2·10⁶ FLOP at 60 GFLOP/s, 10⁶ B in 0.1 ms.
  EXPECT_NEAR(result.reports[6].parameters[0].value, 60e9, 1);
  EXPECT_NEAR(result.reports[7].parameters[0].value, 1e10, 1);
  EXPECT_THAT(result.notes, Contains("interference copy-engine: not measured, none is assumed"));
}

TEST(FitProfile, SaysWhatToMeasureWhereThereIsNoBase) {
  Points points = complete();
  points.merge.clear();
  std::erase_if(points.attention, [](const AttentionPoint& p) { return p.pass == Pass::backward; });
  try {
    (void)fit_profile(points, host_options());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "these measurements are missing for a profile: backward attention kernels, merges");
    EXPECT_FALSE(error.hint().empty());
  }
}

TEST(FitProfile, TakesFromTheBaseWhatIsMissingAndNamesIt) {
  Points points;
  points.provenance = {"somebody's log", "H100", 8, "", "", "", {}};
  points.transfer = complete().transfer;
  FitOptions options = host_options();
  options.base = truth();
  options.base->name = "the base";
  options.base->event_latency = {microseconds(5), 0.4, Origin::assumed, "told"};
  options.base->links["other"] = {{microseconds(9)}, {0.8}, {}, {}};
  const FitResult result = fit_profile(points, options);
  EXPECT_EQ(result.profile.forward.saturated.value, truth().forward.saturated.value);
  EXPECT_EQ(in_microseconds(result.profile.event_latency.value), 5);
  EXPECT_EQ(result.profile.links.at("other").efficiency.value, 0.8);
  EXPECT_NEAR(result.profile.links.at("l").efficiency.value, 0.5, 1e-6);
  EXPECT_EQ(result.profile.links.at("l").latency.origin, Origin::published);
  for (const char* what : {"launch", "attention of the forward pass", "attention of the backward pass", "merge",
                           "link other", "event_latency"}) {
    EXPECT_THAT(result.notes, Contains(std::string(what) + ": not measured, taken from the base profile the base"));
  }
  EXPECT_EQ(result.reports.size(), 1U);
}

TEST(FitProfile, FitsTheLaunchWhereItWasNotMeasuredOnItsOwn) {
  Points points = complete();
  points.launch.clear();
  const FitResult result = fit_profile(points, host_options());
  EXPECT_NEAR(in_microseconds(result.profile.launch.value), 3, 1e-5);
  EXPECT_THAT(result.notes, Contains(HasSubstr("fitted along with the attention kernels")));
}

}  // namespace
}  // namespace ringsim::calibrate
