// The measurement file: what is written reads back, and what cannot be true is refused with its place.

#include "calibrate/measurement.hpp"

#include "calibrate/measurement_json.hpp"
#include "models/error.hpp"
#include "reports/json_measurement.hpp"
#include "tests/unit/calibrate/sample_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <tuple>

namespace ringsim::calibrate {
namespace {

using nlohmann::json;
using testing::HasSubstr;

auto fields(const sim::Span& s) {
  return std::tuple(s.rank, s.kind, s.name, s.layer, s.step, s.start_s, s.end_s, s.peer, s.bytes, s.flight_start_s,
                    s.flight_end_s);
}
auto fields(const sim::RankSummary& r) {
  return std::tuple(r.rank, r.compute_s, r.attention_s, r.merge_s, r.exposed_communication_s, r.bubble_s,
                    r.bubble_masked_s, r.bubble_late_s, r.bubble_end_s, r.in_flight_s, r.end_s);
}

/// The error of a file that differs from a good one as `change` says.
Error error_of(const std::function<void(json&)>& change) {
  json file = json::parse(reports::render_json(sample::measurement()));
  change(file);
  try {
    (void)read_measurement(file.dump(), "run.json");
  } catch (const Error& error) {
    return error;
  }
  return Error("nothing was thrown");
}

TEST(MeasurementFile, ReadsBackAsItWasWritten) {
  Measurement written = sample::measurement({0.1, 0.7, 0.2});  // none of which is a whole number of bits
  written.definition.windows = {std::nullopt, 128};
  written.totals = {{"attend", sim::SpanKind::attention, 8, 0.8, 0.1}};
  const Measurement read = read_measurement(reports::render_json(written), "run.json");
  EXPECT_EQ(read.scenario_name, written.scenario_name);
  EXPECT_EQ(read.scenario_hash, written.scenario_hash);
  EXPECT_EQ(read.scenario_yaml, written.scenario_yaml);
  EXPECT_EQ(read.definition, written.definition);
  EXPECT_EQ(read.environment, written.environment);
  EXPECT_EQ(read.warmup, written.warmup);
  EXPECT_EQ(read.makespans_s, written.makespans_s);
  EXPECT_EQ(read.chosen, written.chosen);
  EXPECT_EQ(read.makespan_s, written.makespan_s);
  EXPECT_EQ(read.median_low_s, written.median_low_s);
  EXPECT_EQ(read.median_high_s, written.median_high_s);
  EXPECT_EQ(read.slowest_rank, written.slowest_rank);
  ASSERT_EQ(read.per_rank.size(), written.per_rank.size());
  for (std::size_t i = 0; i < read.per_rank.size(); ++i)
    EXPECT_EQ(fields(read.per_rank[i]), fields(written.per_rank[i]));
  ASSERT_EQ(read.timeline.spans.size(), written.timeline.spans.size());
  for (std::size_t i = 0; i < read.timeline.spans.size(); ++i) {
    EXPECT_EQ(fields(read.timeline.spans[i]), fields(written.timeline.spans[i]));
  }
  EXPECT_EQ(read.timeline.ranks, 2);
  EXPECT_FALSE(read.timeline.truncated);
  EXPECT_EQ(read.totals, written.totals);
  EXPECT_EQ(read.check, written.check);
  EXPECT_EQ(read.notes, written.notes);
}

TEST(MeasurementFile, KeepsOneSpanALine) {
  const std::string text = reports::render_json(sample::measurement());
  // Two layers of four operations on two ranks are 16 spans.
  std::size_t lines = 0;
  for (std::size_t at = text.find("\n    {\"rank\""); at != std::string::npos;
       at = text.find("\n    {\"rank\"", at + 1))
    ++lines;
  EXPECT_EQ(lines, 16U);
}

TEST(MeasurementFile, ReadsARunThatWasNotChecked) {
  Measurement written = sample::measurement();
  written.check.reset();
  EXPECT_FALSE(read_measurement(reports::render_json(written), "run.json").check.has_value());
}

TEST(MeasurementFile, RefusesWhatIsNotJsonWithLineAndColumn) {
  try {
    (void)read_measurement("{\n  \"kind\": oops\n}", "run.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "run.json");
    EXPECT_THAT(error.message(), HasSubstr("line 2, column 11"));
  }
}

struct Wrong {
  const char* name;
  std::function<void(json&)> change;
  const char* where;
  const char* message;
};

class WrongFile : public testing::TestWithParam<Wrong> {};

TEST_P(WrongFile, IsRefusedWithItsPlace) {
  const Error error = error_of(GetParam().change);
  EXPECT_EQ(error.where(), std::string("run.json") + GetParam().where);
  EXPECT_THAT(error.message(), HasSubstr(GetParam().message));
}

const Wrong wrong_files[] = {
    {"kind", [](json& f) { f["kind"] = "ringsim-samples"; }, ": /kind", "\"ringsim-samples\" is not known"},
    {"version", [](json& f) { f["schema_version"] = 2; }, ": /schema_version", "version 2"},
    {"missing", [](json& f) { f.erase("definition"); }, "", "\"definition\" is missing"},
    {"missing_inside", [](json& f) { f["spans"][3].erase("end_s"); }, ": /spans/3", "\"end_s\" is missing"},
    {"unknown", [](json& f) { f["extra/key"] = 1; }, ": /extra~1key", "not known"},
    {"unknown_inside", [](json& f) { f["definition"]["heads"] = 1; }, ": /definition/heads", "not known"},
    {"flight_of_a_kernel", [](json& f) { f["spans"][1]["flight_end_s"] = 1; }, ": /spans/1/flight_end_s", "not known"},
    {"type", [](json& f) { f["scenario"]["name"] = 7; }, ": /scenario/name", "7 is not a text"},
    {"fraction", [](json& f) { f["warmup"] = 1.5; }, ": /warmup", "1.5 is not a whole number"},
    {"negative", [](json& f) { f["spans"][0]["start_s"] = -1; }, ": /spans/0/start_s", "too small"},
    {"negative_rank_time", [](json& f) { f["per_rank"][1]["merge_s"] = -0.5; }, ": /per_rank/1/merge_s", "too small"},
    {"rank", [](json& f) { f["spans"][2]["rank"] = 2; }, ": /spans/2/rank", "rank 2 of a ring of 2"},
    {"peer", [](json& f) { f["spans"][0]["peer"] = 2; }, ": /spans/0/peer", "rank 2 of a ring of 2"},
    {"layer", [](json& f) { f["spans"][2]["layer"] = 2; }, ": /spans/2/layer", "layer 2 of 2"},
    {"step", [](json& f) { f["spans"][2]["step"] = 3; }, ": /spans/2/step", "step 3 of a ring of 2"},
    {"outside", [](json& f) { f["spans"][15]["end_s"] = 19; }, ": /spans/15/end_s", "outside of the run"},
    {"backwards", [](json& f) { f["spans"][2]["end_s"] = 0; }, ": /spans/2/end_s", "before it starts"},
    {"flight", [](json& f) { f["spans"][0]["flight_end_s"] = 19; }, ": /spans/0/flight_end_s", "outside of the run"},
    {"twice", [](json& f) { f["spans"].push_back(f["spans"][2]); }, ": /spans/16", "is span 2 already"},
    {"ranks_missing", [](json& f) { f["per_rank"].erase(1); }, ": /per_rank", "1 ranks of a ring of 2"},
    {"rank_order", [](json& f) { f["per_rank"][1]["rank"] = 0; }, ": /per_rank/1/rank", "in the place of rank 1"},
    {"identity", [](json& f) { f["per_rank"][0]["bubble_s"] = 1; }, ": /per_rank/0", "add up to 19 s"},
    {"slowest", [](json& f) { f["slowest_rank"] = 2; }, ": /slowest_rank", "rank 2 of a ring of 2"},
    {"chosen", [](json& f) { f["chosen"] = 3; }, ": /chosen", "repeat 3 of 3"},
    {"chosen_makespan", [](json& f) { f["chosen"] = 0; }, ": /makespan_s", "is not the makespan of repeat 0"},
    {"interval", [](json& f) { f["median_low_s"] = 20; }, ": /median_low_s", "an interval from 20"},
    {"no_work", [](json& f) { f["spans"] = json::array(); }, ": /spans", "nothing was measured"},
    {"windows", [](json& f) { f["definition"]["window_tokens"] = {64}; }, ": /definition/window_tokens",
     "1 windows of 2 layers"},
    {"device", [](json& f) { f["environment"]["device"] = "tpu"; }, ": /environment/device", "\"tpu\" is not known"},
    {"check", [](json& f) { f["check"]["error"]["P"] = 1; }, ": /check/error/P", "not known"},
};

INSTANTIATE_TEST_SUITE_P(MeasurementFile, WrongFile, testing::ValuesIn(wrong_files),
                         [](const auto& wrong) { return std::string(wrong.param.name); });

}  // namespace
}  // namespace ringsim::calibrate
