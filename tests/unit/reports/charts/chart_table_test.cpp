// The values of charts as tables: every value is there, exactly and as people read it.
#include "reports/charts/chart_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace ringsim::reports {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts(const std::vector<ChartCell>& cells) {
  std::vector<std::string> result;
  for (const ChartCell& cell : cells) result.push_back(cell.text);
  return result;
}

TEST(ChartTable, NumbersAreWrittenByTheirQuantity) {
  EXPECT_EQ(human(Quantity::seconds, 0.0123), "12.30 ms");
  EXPECT_EQ(human(Quantity::bytes, 43.1e9), "43.10 GB");
  EXPECT_EQ(human(Quantity::bytes_per_second, 12.5e9), "12.50 GB/s");
  EXPECT_EQ(human(Quantity::fraction, 0.045), "4.5 %");
  EXPECT_EQ(human(Quantity::count, 1048576), "1,048,576");
  EXPECT_EQ(human(Quantity::count, 2.5), "2.500");
  EXPECT_EQ(human(Quantity::money, 1234.5), "1,234.50");
}

// Two parts have a sum, 3 and 5 ms are 8 ms; the capacity stands in the column that it is held against.
TEST(ChartTable, BarsHaveTheirSumsAndLines) {
  const BarChart bars{.words = {"t", "d"},
                      .row_header = "rank",
                      .rows = {"0"},
                      .value = {"time", Quantity::seconds},
                      .series = {{"a", Tone::attention, {0.003}}, {"b", Tone::late, {0.005}}},
                      .lines = {{"target", 0.01}}};
  const ChartTable table = table_of(bars);
  EXPECT_THAT(table.header, ElementsAre("rank", "a", "b", "sum"));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(texts(table.rows[0]), ElementsAre("0", "3.000 ms", "5.000 ms", "8.000 ms"));
  EXPECT_THAT(texts(table.rows[1]), ElementsAre("target", "", "", "10.00 ms"));
  EXPECT_DOUBLE_EQ(table.rows[0][3].value.value_or(0), 0.008);
}

// Of 201 spans 200 are listed, and the table says so; of 200 none is left out.
TEST(ChartTable, SaysWhatOfALongTimelineItLeavesOut) {
  GanttChart chart{.words = {"t", "d"}, .rows = {{"rank 0", "compute"}}, .key = {{Tone::merge, "merge"}}, .end_s = 201};
  for (int i = 0; i < 200; ++i) chart.spans.push_back({0, i * 1.0, i + 0.5, Tone::merge, "m"});
  EXPECT_EQ(table_of(chart).left_out, "");
  chart.spans.push_back({0, 200, 201, Tone::merge, "m"});
  const ChartTable table = table_of(chart);
  EXPECT_EQ(table.rows.size(), 200U);
  EXPECT_EQ(table.left_out, "The first 200 of 201 spans.");
  EXPECT_THAT(texts(table.rows[0]), ElementsAre("rank 0", "compute", "m", "merge", "0 s", "500.0 ms", "500.0 ms"));
}

// Series need not have the same x: rows are all that occur, here 1, 2 (twice in a) and 4, and the line that is marked at 3.
TEST(ChartTable, LinesHaveARowForEveryX) {
  const LineChart lines{
      .words = {"t", "d"},
      .x = {"GPUs", Quantity::count},
      .y = {"time", Quantity::seconds},
      .series = {{.name = "a", .points = {{1, 4}, {2, 2, "here"}, {2, 3}}}, {.name = "b", .points = {{2, 1}, {4, 1}}}},
      .at_x = {{"three", 3}},
      .at_y = {{"target", 5}}};
  const ChartTable table = table_of(lines);
  EXPECT_THAT(table.header, ElementsAre("GPUs", "a", "b", "target", "note"));
  ASSERT_EQ(table.rows.size(), 5U);
  EXPECT_THAT(texts(table.rows[0]), ElementsAre("1", "4.000 s", "", "5.000 s", ""));
  EXPECT_THAT(texts(table.rows[1]), ElementsAre("2", "2.000 s", "1.000 s", "5.000 s", "here"));
  EXPECT_THAT(texts(table.rows[2]), ElementsAre("2", "3.000 s", "", "5.000 s", ""));
  EXPECT_THAT(texts(table.rows[3]), ElementsAre("3", "", "", "5.000 s", "three"));
}

TEST(ChartTable, HeatMapsSayWhyAValueIsMissing) {
  const HeatMap heat{.words = {"t", "d"},
                     .x_label = "tensor",
                     .y_label = "ring",
                     .x = {"1", "2"},
                     .y = {"4"},
                     .value_label = "time",
                     .cells = {{.reason = "too large"}, {.value = 2, .label = "ulysses 2", .chosen = true}}};
  const ChartTable table = table_of(heat);
  EXPECT_THAT(table.header, ElementsAre("ring \\ tensor", "1", "2"));
  EXPECT_THAT(texts(table.rows.at(0)), ElementsAre("4", "too large", "2.000 s"));
  EXPECT_EQ(table.rows[0][2].remark, ", ulysses 2 (chosen)");
  EXPECT_FALSE(table.rows[0][1].value.has_value());
}

// A chart that breaks its rules is a mistake of the program; the message names the chart.
TEST(ChartTable, RefusesWhatIsNoNumber) {
  const auto complaint = [](const Chart& chart) {
    try {
      (void)table_of(chart);
    } catch (const std::logic_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  ScatterChart scatter{
      .words = {"Front", ""}, .x = {"GPUs"}, .y = {"time"}, .series = {{.name = "s", .points = {{1, 1}}}}};
  EXPECT_EQ(complaint(scatter), "");
  scatter.series[0].points[0].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint(scatter), "chart \"Front\": time is nan");
  scatter.series[0].points[0].y = 0;
  scatter.y.scale = Scale::logarithmic;
  EXPECT_EQ(complaint(scatter), "chart \"Front\": a value of a logarithmic axis is not above 0");
  EXPECT_EQ(complaint(BarChart{.words = {"Bars", ""}, .rows = {"0"}, .series = {{"a", Tone::late, {}}}}),
            "chart \"Bars\": series \"a\" has 0 values for 1 rows");
  EXPECT_EQ(complaint(GanttChart{.words = {"G", ""}, .spans = {{0, 0, 1, Tone::late, "s"}}, .end_s = 1}),
            "chart \"G\": span \"s\" stands in no row");
  EXPECT_EQ(complaint(HeatMap{.words = {"H", ""}, .x = {"1"}, .y = {"1", "2"}}),
            "chart \"H\": 0 cells for 1 by 2 categories");
}

}  // namespace
}  // namespace ringsim::reports
