// The pictures of predicted against measured.
#include "reports/html/validation_charts.hpp"

#include "tests/unit/calibrate/sample_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ringsim::reports {
namespace {

namespace sample = calibrate::sample;

// Measured: attend 4, hop 3, merge 1: 18 s. Predicted: attend 3, hop 4, merge 1: 16 s, 2 s of it exposed.
constexpr sample::Times measured_times{4, 3, 1};
constexpr sample::Times predicted_times{3, 4, 1};

calibrate::Comparison comparison() {
  const sim::PredictResult p{sample::prediction(predicted_times), sample::timeline(predicted_times)};
  return calibrate::compare(sample::scenario(), p, sample::measurement(measured_times));
}

// Every operation that both sides have is a point: all attends lie at (4, 3), all hops at (3, 4).
TEST(ValidationCharts, EveryOperationIsAPoint) {
  const ScatterChart chart = operations_chart(comparison());
  EXPECT_EQ(chart.band, 0.1);
  std::size_t points = 0;
  for (const ScatterGroup& group : chart.series) {
    points += group.points.size();
    for (const Point& p : group.points) {
      const bool attend = group.name == "attend";
      const bool merge = group.name.starts_with("merge");
      EXPECT_EQ(p.x, attend ? 4 : merge ? 1 : 3) << group.name;
      EXPECT_EQ(p.y, attend ? 3 : merge ? 1 : 4) << group.name;
    }
  }
  std::size_t matched = 0;
  for (const calibrate::OperationGroup& group : comparison().groups) matched += group.matched.size();
  EXPECT_EQ(points, matched);
  EXPECT_EQ(points, 16U);  // of 2 layers on 2 ranks: 8 attends, 4 hops, 4 merges
}

// The slowest rank's parts are all of its makespan, on both sides.
TEST(ValidationCharts, BothBarsAreAsLongAsTheRuns) {
  const BarChart chart = compared_times_chart(comparison());
  ASSERT_EQ(chart.rows.size(), 2U);
  double measured = 0, predicted = 0;
  for (const BarSeries& series : chart.series) {
    measured += series.values[0];
    predicted += series.values[1];
  }
  EXPECT_NEAR(measured, 18, 1e-12);
  EXPECT_NEAR(predicted, 16, 1e-12);
}

TEST(ValidationCharts, RanksStandMeasuredAbovePredicted) {
  const GanttChart chart = compared_timeline(sample::timeline(measured_times), sample::timeline(predicted_times));
  ASSERT_GE(chart.rows.size(), 8U);
  EXPECT_EQ(chart.rows[0].group, "rank 0");
  EXPECT_EQ(chart.rows[0].name, "compute, measured");
  EXPECT_EQ(chart.rows[1].name, "transfer, measured");
  EXPECT_EQ(chart.rows[2].name, "compute, predicted");
  EXPECT_EQ(chart.rows[4].group, "rank 1");
  for (std::size_t i = 1; i < chart.spans.size(); ++i) {
    if (chart.spans[i].row != chart.spans[i - 1].row) continue;
    EXPECT_GE(chart.spans[i].start_s, chart.spans[i - 1].start_s);
  }
}

}  // namespace
}  // namespace ringsim::reports
