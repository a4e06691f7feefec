// Published measurements: their rows as texts, what a measured value stands for, and what the errors of a set come to.
#include "calibrate/suite/suite.hpp"

#include "calibrate/suite/committed.hpp"
#include "models/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringsim::calibrate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Error failure_of(const std::string& text) {
  try {
    (void)read_suite_rows("set.csv", text);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "was read: " << text;
  return Error("");
}

TEST(SuiteRows, SetWhatTheirColumnsAreCalledAndLeaveEmptyCellsAlone) {
  const std::vector<SuiteRow> rows =
      read_suite_rows("set.csv",
                      "# where they come from\n"
                      "id,ring.layout,workload.tokens,metric,measured,unit,group,scored\n"
                      "a,zigzag,8192,makespan,12.5,iter/s,g,\n"
                      "b,,8192,makespan,3,ms,,launch bound\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(rows[0].sets, ElementsAre("ring.layout=zigzag", "workload.tokens=8192"));
  EXPECT_TRUE(rows[0].scored());
  EXPECT_EQ(rows[0].group, "g");
  EXPECT_EQ(rows[0].place, "set.csv:3");
  EXPECT_THAT(rows[1].sets, ElementsAre("workload.tokens=8192"));
  EXPECT_EQ(rows[1].not_scored, "launch bound");
}

TEST(SuiteRows, AreRefusedWithTheirLineAndWhatWouldBeRight) {
  const std::string header = "id,metric,measured,unit\n";
  EXPECT_THAT(failure_of("id,metric,measured\na,makespan,1\n").message(), HasSubstr("unit"));
  const Error twice = failure_of(header + "a,makespan,1,s\na,makespan,2,s\n");
  EXPECT_EQ(twice.where(), "set.csv:3");
  EXPECT_EQ(failure_of(header + "a,makespan,0,s\n").where(), "set.csv:2");
  EXPECT_THAT(failure_of(header + "a,makspan,1,s\n").hint(), HasSubstr("makespan"));
  // A rate of a GPU says nothing without the FLOP of the work, and belongs to a metric of its own.
  EXPECT_THAT(failure_of(header + "a,makespan,1,TFLOP/s\n").hint(), HasSubstr("iter/s"));
  EXPECT_THAT(failure_of("id,metric,measured,unit,my column\na,makespan,1,s,2\n").message(), HasSubstr("my column"));
}

TEST(SuiteRows, AndThoseLeftOutAreAllThatTheSourceHas) {
  PublishedSet set;
  set.rows_of_source = 3;
  set.left_out = {{"some", 1, "a reason"}};
  std::vector<SuiteRow> rows(2);
  EXPECT_NO_THROW(check_all_rows(set, rows, "set.csv"));
  rows.pop_back();
  EXPECT_THROW(check_all_rows(set, rows, "set.csv"), Error);
}

// Two GPUs, one layer, one causal sequence of 1,000 tokens, 4 heads of 100: half of the 1,000² pairs of each head take
// 2 · (100 + 100) = 400 FLOP forward, 4 · 500,000 · 400 = 0.8 GFLOP, and 2.5 times as many backward.
TEST(SuiteMetric, ARateOfEachGpuIsATime) {
  Scenario s;
  s.model.layers = 1;
  s.model.heads = 4;
  s.model.head_dim = 100;
  s.workload.tokens = 1000;
  s.workload.causal = true;
  s.parallel.ring = 2;
  EXPECT_DOUBLE_EQ(in_flop(benchmark_flop(s)), 0.8e9);
  // 0.8 GFLOP by two GPUs of 0.1 TFLOP/s each.
  EXPECT_DOUBLE_EQ(measured_seconds(0.1, MeasuredUnit::teraflop_per_s, s), 4e-3);
  s.workload.phase = Phase::backward;
  EXPECT_DOUBLE_EQ(in_flop(benchmark_flop(s)), 2e9);
  s.workload.phase = Phase::train;
  EXPECT_DOUBLE_EQ(in_flop(benchmark_flop(s)), 2.8e9);
  EXPECT_DOUBLE_EQ(measured_seconds(4, MeasuredUnit::iterations_per_s, s), 0.25);
}

RowResult row(const char* id, double measured_s, double predicted_s, const char* group = "", const char* reason = "") {
  RowResult result;
  result.row.id = id;
  result.row.group = group;
  result.row.not_scored = reason;
  result.measured_s = measured_s;
  result.predicted_s = {predicted_s};
  return result;
}

// Errors of +10 %, −20 %, +30 % and −40 %, and one of 900 % that does not count: sizes 0.1, 0.2, 0.3, 0.4 have the median 0.25
// and the 90 % quantile at place 0.9 · 3 = 2.7, so 0.37; the mean with signs is −0.05.
TEST(SuiteScore, IsOfTheScoredRowsAlone) {
  const SuiteScore score = score_of(
      {row("a", 10, 11), row("b", 10, 8), row("c", 10, 13), row("d", 10, 6), row("e", 10, 100, "", "launch bound")}, 0);
  EXPECT_EQ(score.rows, 4);
  EXPECT_NEAR(score.median, 0.25, 1e-12);
  EXPECT_NEAR(score.p90, 0.37, 1e-12);
  EXPECT_NEAR(score.worst, -0.4, 1e-12);
  EXPECT_EQ(score.worst_row, "d");
  EXPECT_NEAR(score.bias, -0.05, 1e-12);
  EXPECT_EQ(score.groups, 0);
}

// Group g: measured a < b < c. The prediction has a first, then c, then b: the fastest is right, the order is not. Group h: the
// prediction turns the two round. A group of one row says nothing.
TEST(SuiteScore, CountsGroupsWhoseFastestRowAndWhoseOrderIsPredicted) {
  const SuiteScore score = score_of({row("a", 1, 2, "g"), row("b", 2, 9, "g"), row("c", 3, 8, "g"), row("d", 1, 5, "h"),
                                     row("e", 2, 4, "h"), row("f", 1, 1, "alone")},
                                    0);
  EXPECT_EQ(score.groups, 2);
  EXPECT_EQ(score.winners, 1);
  EXPECT_EQ(score.orders, 0);
}

SuiteResult result_with(double error) {
  SuiteResult result;
  SetResult set;
  set.about.name = "rings";
  set.rows = {row("a", 1, 1 + error)};
  set.scores = {score_of(set.rows, 0)};
  result.sets = {set};
  return result;
}

// Written with a median of 5 %: 5.9 % is within a percentage point of it, 6.1 % is not; a set that nobody committed is.
TEST(SuiteMedians, MayGrowByAPercentagePoint) {
  const auto committed = read_medians(medians_json(result_with(0.05)), "committed.json");
  EXPECT_TRUE(grown_medians(result_with(0.059), committed).empty());
  const std::vector<GrownMedian> grown = grown_medians(result_with(0.061), committed);
  ASSERT_EQ(grown.size(), 1U);
  EXPECT_EQ(grown.front().name, "rings");
  EXPECT_NEAR(grown.front().now, 0.061, 1e-9);
  EXPECT_EQ(grown_medians(result_with(0.05), {}).size(), 1U);
  EXPECT_THROW((void)read_medians("{\"schema_version\": 1}", "committed.json"), Error);
}

}  // namespace
}  // namespace ringsim::calibrate
