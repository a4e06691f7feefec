// Which charts a sweep gets, and that they show the best of what they do not show.
#include "models/error.hpp"
#include "reports/html/sweep_axes.hpp"
#include "reports/html/sweep_charts.hpp"
#include "reports/html/sweep_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace ringsim::reports {
namespace {

using ::testing::ElementsAre;

// Ring 2 and 4, zigzag and striped; on ring 4 striped is faster but does not fit, and on a ring of 3 nothing is legal.
constexpr const char* rows =
    "parallel.ring,ring.layout,ranks,makespan_s,memory_fits,error,hint\r\n"
    "2,zigzag,2,8,true,,\r\n"
    "2,striped,2,7,true,,\r\n"
    "4,zigzag,4,5,true,,\r\n"
    "4,striped,4,4,false,,\r\n"
    "3,zigzag,,,,no such ring,try 4\r\n"
    "3,striped,,,,no such ring,try 4\r\n";

SweepTable table() { return read_sweep(rows, false, 2, "t.csv"); }

std::vector<std::string> ids(const SweepTable& t) {
  std::vector<std::string> names;
  for (const SweepChart& chart : sweep_charts(t)) names.push_back(chart.id);
  return names;
}

TEST(SweepPages, ReadTheirRowsBack) {
  const SweepTable t = table();
  EXPECT_EQ(t.rows.size(), 6U);
  EXPECT_EQ(t.figure(2, "makespan_s"), 5.0);
  EXPECT_EQ(t.figure(4, "makespan_s"), std::nullopt);
  EXPECT_TRUE(t.failed(4));
  EXPECT_FALSE(t.failed(0));
  const SweepTable lines = read_sweep("{\"a\":1.5,\"makespan_s\":null,\"error\":\"x\"}\n", true, 1, "t.jsonl");
  EXPECT_THAT(lines.columns, ElementsAre("a", "makespan_s", "error"));
  EXPECT_EQ(lines.figure(0, "a"), 1.5);
  EXPECT_TRUE(lines.failed(0));
  EXPECT_THROW((void)read_sweep("no json\n", true, 1, "t.jsonl"), Error);
}

// The least time of all is 4 s, but it does not fit: 5 s is the best.
TEST(SweepPages, TheBestPointFitsInMemory) {
  const SweepTable t = table();
  EXPECT_EQ(time_column(t), "makespan_s");
  EXPECT_EQ(best_row(t, "makespan_s"), 2U);
  EXPECT_EQ(place_of(t, 2), "ring 4, layout zigzag");
}

// One numeric axis: lines along it, one a layout. Two axes: a map. Ranks differ: GPUs against time.
TEST(SweepPages, ChartsFollowFromTheAxes) {
  EXPECT_THAT(ids(table()), ElementsAre("sweep-time", "sweep-map", "sweep-front"));
  const auto charts = sweep_charts(table());
  const auto& lines = std::get<LineChart>(charts[0].chart);
  ASSERT_EQ(lines.series.size(), 2U);
  EXPECT_EQ(lines.series[0].name, "layout zigzag");
  ASSERT_EQ(lines.series[0].points.size(), 2U);
  EXPECT_EQ(lines.series[0].points[1].x, 4);
  EXPECT_EQ(lines.series[0].points[1].y, 5);

  // Three rings across, two layouts down; the illegal ring says why, the framed cell is the best, and what does not fit says so.
  const auto& map = std::get<HeatMap>(charts[1].chart);
  EXPECT_THAT(map.x, ElementsAre("2", "3", "4"));
  EXPECT_THAT(map.y, ElementsAre("zigzag", "striped"));
  EXPECT_TRUE(map.cells[2].chosen);
  EXPECT_EQ(map.cells[1].value, std::nullopt);
  EXPECT_EQ(map.cells[1].reason, "no such ring");
  EXPECT_EQ(map.cells[5].label, "does not fit");

  // Points that fit: (2, 8), (2, 7), (4, 5). None beats (2, 7) and (4, 5).
  const auto& front = std::get<ScatterChart>(charts[2].chart);
  ASSERT_EQ(front.series.size(), 2U);
  EXPECT_TRUE(front.series[1].joined);
  ASSERT_EQ(front.series[1].points.size(), 2U);
  EXPECT_EQ(front.series[1].points[0].y, 7);
  EXPECT_EQ(front.series[1].points[1].y, 5);
}

// "_bytes_per_s" ends like a time and is none.
TEST(SweepPages, ColumnsSayTheirUnits) {
  EXPECT_EQ(axis_of_column("cluster.inter_node.bandwidth_bytes_per_s").quantity, Quantity::bytes_per_second);
  EXPECT_EQ(axis_of_column("cluster.inter_node.bandwidth_bytes_per_s").label, "cluster.inter_node.bandwidth");
  EXPECT_EQ(axis_of_column("compute_s").quantity, Quantity::seconds);
  EXPECT_EQ(axis_of_column("parallel.ring").quantity, Quantity::number);
}

}  // namespace
}  // namespace ringsim::reports
