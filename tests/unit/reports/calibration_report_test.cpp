// The report of a calibration: values with units, residuals that nothing hides, what was not determined.

#include "reports/calibration_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ringsim::reports {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

calibrate::FitResult fit() {
  calibrate::FitResult result;
  result.profile.name = "this-machine";
  result.profile.gpu = "cpu-core";
  calibrate::FitReport attention;
  attention.name = "attention forward";
  attention.parameters = {{"saturated", 25e9, "FLOP/s", 0.03, true}, {"half_rows", 0, "tokens", 0, false}};
  attention.residuals = {{"attend a", 0.02}, {"attend b", -0.08}, {"attend c", 0.01}};
  attention.range = "rows 64 ... 2048";
  calibrate::summarise(attention);
  calibrate::FitReport link;
  link.name = "link host-memory";
  link.parameters = {{"latency", 2e-6, "s", 0.1, true}};
  link.residuals = {{"64 KiB", 0.25}};
  calibrate::summarise(link);
  result.reports = {attention, link};
  result.nominal = {{"host-memory", gigabytes_per_second(12.8)}};
  result.notes = {"from the fit"};
  return result;
}

calibrate::Points points() {
  calibrate::Points p;
  p.provenance.device = "host";
  p.provenance.machine = "Some CPU";
  p.provenance.ranks = 2;
  p.provenance.date = "2026-01-02";
  p.provenance.discarded = {{"preempted", 17}};
  p.notes = {"from the points"};
  return p;
}

TEST(TextCalibration, SaysHowWellThePointsAreDescribed) {
  const std::string text = render_text(fit(), points(), Style{});
  EXPECT_THAT(text, testing::StartsWith(
                        "Profile this-machine of cpu-core, fitted to 4 points measured on Some CPU with 2 ranks busy "
                        "at\n2026-01-02.\n"
                        "  90 % of the points of every group are described within 25.0 %; link host-memory is the "
                        "worst.\n"));
  // |residuals| 1, 2 and 8 %: median 2 %; with their signs -8, 1, 2 %: median +1 %.
  EXPECT_THAT(text,
              testing::ContainsRegex("attention forward +3 +2\\.0 % +[0-9.]+ % +8\\.0 % +\\+1\\.0 % +attend b\n"));
}

TEST(TextCalibration, ParametersHaveUnitsAndUncertainty) {
  const std::string text = render_text(fit(), points(), Style{});
  EXPECT_THAT(text, testing::ContainsRegex("attention forward +saturated +25\\.00 GFLOP/s +3\\.0 %\n"));
  EXPECT_THAT(text, testing::ContainsRegex("half_rows +0 tokens +0\\.0 % +not determined by the points\n"));
  EXPECT_THAT(text, testing::ContainsRegex("link host-memory +latency +2\\.000 us +10\\.0 %\n"));
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("rows 64 ... 2048"), HasSubstr("12.80 GB/s"),
            HasSubstr("Notes\n  - 17 samples were discarded: preempted\n  - from the points\n  - from the fit\n")));
}

TEST(JsonCalibration, KeepsEveryResidual) {
  const json object = json::parse(render_json(fit(), points()));
  EXPECT_EQ(object["kind"], "ringsim-calibration");
  EXPECT_EQ(object["fits"][0]["residuals"][1]["relative"], -0.08);
  EXPECT_EQ(object["fits"][0]["worst_point"], "attend b");
  EXPECT_EQ(object["fits"][1]["parameters"][0]["value"], 2e-6);
  EXPECT_EQ(object["nominal_bytes_per_s"]["host-memory"], 12.8e9);
  EXPECT_EQ(object["measured"]["discarded"]["preempted"], 17);
  EXPECT_EQ(object["notes"], json({"from the points", "from the fit"}));
}

}  // namespace
}  // namespace ringsim::reports
