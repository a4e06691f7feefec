// The charts of a run, from a run made by hand.
#include "reports/html/run_charts.hpp"

#include "reports/run_parts.hpp"
#include "tests/unit/reports/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace ringsim::reports {
namespace {

using ::testing::ElementsAre;

// Each rank's parts are all of its time: attention, merging (1 s each), exposed, and a bubble of lateness alone in the sample.
TEST(RunCharts, EveryRanksBarIsAsLongAsTheRun) {
  const BarChart chart = rank_times_chart(run_of(sample::prediction()));
  ASSERT_EQ(chart.rows.size(), 4U);
  for (std::size_t rank = 0; rank < chart.rows.size(); ++rank) {
    double sum = 0;
    for (const BarSeries& series : chart.series) sum += series.values[rank];
    EXPECT_NEAR(sum, 20.0, 1e-12) << chart.rows[rank];
  }
  // Nothing is masked and no rank waits for the end: no series of zeros.
  std::vector<std::string> names;
  for (const BarSeries& series : chart.series) names.push_back(series.name);
  EXPECT_THAT(
      names, ElementsAre("attention", "merging partial results", "exposed transfers", "waiting for a peer or for SMs"));
}

// 70 ranks are more than a chart has bars: the title says how many of them there are.
TEST(RunCharts, OfManyRanksThoseThatAreAskedForAreDrawn) {
  sim::RunSummary run = run_of(sample::prediction());
  run.per_rank.clear();
  for (std::int64_t r = 0; r < 70; ++r) run.per_rank.push_back(sample::rank(r, 16, r == 12 ? 4 : 3, r == 12 ? 0 : 1));
  run.slowest_rank = 3;
  const BarChart chart = rank_times_chart(run);
  EXPECT_LT(chart.rows.size(), 10U);
  EXPECT_THAT(chart.rows, ::testing::Contains("rank 3"));
  EXPECT_THAT(chart.rows, ::testing::Contains("rank 12"));  // most exposed
  EXPECT_EQ(chart.words.title, "Time of each rank: " + std::to_string(chart.rows.size()) + " of 70");
}

// Ten terms of 10, 9, ..., 1 GB: seven of their own (10 to 4) and the small three (3 + 2 + 1) in one.
TEST(RunCharts, SmallTermsOfMemoryAreOneSeriesAndNothingIsLost) {
  Memory memory;
  for (int i = 10; i >= 1; --i) {
    memory.terms.push_back({"term_" + std::to_string(i), "", gigabytes(i), ""});
    memory.total = memory.total + gigabytes(i);
  }
  memory.capacity = gigabytes(80);
  const BarChart chart = memory_chart({{"GPU", &memory}});
  ASSERT_EQ(chart.series.size(), 8U);
  EXPECT_EQ(chart.series.front().name, "term 10");
  EXPECT_EQ(chart.series.back().name, "3 small terms");
  EXPECT_DOUBLE_EQ(chart.series.back().values[0], 6e9);
  const double sum = std::accumulate(chart.series.begin(), chart.series.end(), 0.0,
                                     [](double s, const BarSeries& series) { return s + series.values[0]; });
  EXPECT_DOUBLE_EQ(sum, 55e9);
  ASSERT_EQ(chart.lines.size(), 1U);
  EXPECT_DOUBLE_EQ(chart.lines[0].at, 80e9);
}

// Rank 0 computes from 1 to 3 s while its hop, posted at 1 s, flies from 1.5 to 2 s: the flight is drawn, not the wait before it.
TEST(RunCharts, ATimelineDrawsHopsInFlight) {
  sim::Timeline timeline;
  timeline.ranks = timeline.ranks_shown = 2;
  sim::Span attend{.rank = 0, .kind = sim::SpanKind::attention, .name = "attend", .start_s = 1, .end_s = 3};
  sim::Span hop{.rank = 0, .kind = sim::SpanKind::transfer, .name = "shift K/V", .start_s = 1, .end_s = 2.5};
  hop.peer = 1;
  hop.bytes = 1e9;
  hop.flight_start_s = 1.5;
  hop.flight_end_s = 2;
  timeline.spans = {attend, hop};
  const GanttChart chart = gantt_chart(timeline, "all of it");
  ASSERT_EQ(chart.rows.size(), 2U);
  EXPECT_EQ(chart.rows[0].group, "rank 0");
  EXPECT_EQ(chart.rows[0].name, "compute");
  ASSERT_EQ(chart.spans.size(), 2U);
  EXPECT_EQ(chart.spans[1].start_s, 1.5);
  EXPECT_EQ(chart.spans[1].end_s, 2);
  EXPECT_EQ(chart.spans[1].name, "shift K/V, layer 0, step 0: 500.0 ms, 1.000 GB to rank 1");
  EXPECT_EQ(chart.start_s, 1);
  EXPECT_EQ(chart.end_s, 3);
}

}  // namespace
}  // namespace ringsim::reports
