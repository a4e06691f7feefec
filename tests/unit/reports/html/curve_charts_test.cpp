// What curves look like on a page, from numbers made by hand.
#include "reports/html/curve_charts.hpp"

#include "reports/html/degree_chart.hpp"
#include "reports/html/hop_charts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace ringsim::reports {
namespace {

template <class Kind>
const Kind& chart_of(const HtmlSection& section, std::size_t block) {
  return std::get<Kind>(std::get<Figure>(section.blocks.at(block)).chart);
}

sim::ScalingPoint point(std::int64_t ring, double time_s, sim::ScalingVerdict verdict) {
  sim::ScalingPoint p;
  p.ring = p.gpus = ring;
  p.verdict = verdict;
  p.time_s = time_s;
  p.compute_s = 0.75 * time_s;
  p.exposed_communication_s = 0.25 * time_s;
  p.ideal_s = 16.0 / static_cast<double>(ring);
  return p;
}

// A ring of one does not fit, one of 2 is where the ideal line begins, 4 is the scenario, 8 is illegal.
sim::ScalingCurve curve() {
  sim::ScalingCurve c;
  c.time_name = "TTFT";
  c.points = {point(1, 15, sim::ScalingVerdict::too_large), point(2, 8, sim::ScalingVerdict::runs),
              point(4, 5, sim::ScalingVerdict::runs)};
  c.points[2].own = true;
  c.points.push_back({});
  c.points[3].ring = 8;
  c.points[3].verdict = sim::ScalingVerdict::illegal;
  c.points[3].reason = "no such ring";
  c.ideal_from = 2;
  return c;
}

TEST(CurveCharts, ScalingShowsWhatRunsWhatDoesNotFitAndTheIdeal) {
  const HtmlSection section = scaling_section(curve());
  const auto& time = chart_of<LineChart>(section, 0);
  ASSERT_EQ(time.series.size(), 3U);
  EXPECT_EQ(time.series[0].name, "TTFT");
  ASSERT_EQ(time.series[0].points.size(), 2U);
  EXPECT_EQ(time.series[0].points[1].note, "this scenario");
  EXPECT_EQ(time.series[1].name, "ideal");
  EXPECT_EQ(time.series[1].points.front().x, 2);  // not where nothing can run
  EXPECT_EQ(time.series[2].name, "does not fit in memory");
  ASSERT_EQ(time.series[2].points.size(), 1U);

  // Three quarters and a quarter of the time at every ring that has one.
  const auto& shares = chart_of<LineChart>(section, 1);
  ASSERT_EQ(shares.series[0].points.size(), 3U);
  EXPECT_EQ(shares.series[0].points[0].y, 0.75);
  EXPECT_EQ(shares.series[1].points[2].y, 0.25);
  EXPECT_TRUE(shares.series[0].area);

  const auto& grid = std::get<Grid>(section.blocks.at(2));
  ASSERT_EQ(grid.rows.size(), 4U);
  EXPECT_EQ(grid.rows[3].back(), "no such ring");
}

TEST(CurveCharts, OneRingIsNoCurve) {
  sim::ScalingCurve one = curve();
  one.points = {one.points[1], one.points[3]};
  EXPECT_TRUE(scaling_section(one).blocks.empty());
}

TEST(CurveCharts, BandwidthMarksWhatCanBeBoughtAndTheCrossing) {
  sim::BandwidthCurve c;
  c.time_name = "TTFT";
  c.block_tokens = 4096;
  for (const double rate : {1e9, 1e10, 1e11}) c.points.push_back({rate, 2.0, 2.0, 1e9 / rate, 0.5e9 / rate});
  c.marks = {{"400 Gb/s", 5e10, true, "a data sheet", {}}};
  c.crossings = {{Pass::forward, 2e10, "", {}, "not at any bandwidth"}};
  const HtmlSection section = bandwidth_section(c);
  const auto& chart = chart_of<LineChart>(section, 0);
  EXPECT_EQ(chart.series[0].points[1].y, 0.05);
  ASSERT_EQ(chart.at_x.size(), 2U);
  EXPECT_EQ(chart.at_x[0].label, "400 Gb/s (this scenario)");
  EXPECT_EQ(chart.at_x[1].label, "B_min = block, calibrated");
  EXPECT_EQ(chart.at_x[1].at, 2e10);
  EXPECT_EQ(std::get<Paragraph>(section.blocks.at(1)).text,
            "A forward hop of 4,096 tokens hides from 20.00 GB/s on; simulated: not at any bandwidth.");
  c.reason = "nothing travels";
  EXPECT_TRUE(bandwidth_section(c).blocks.empty());
}

// Cells: the best plan of 2 GPUs (framed), one that needs more GPUs than there are.
TEST(CurveCharts, DegreesShowTheBestOrWhyNot) {
  sim::DegreeMap map;
  map.time_name = "TTFT";
  map.most_gpus = 2;
  map.tensor = {1};
  map.ring = {1, 4};
  map.cells.resize(2);
  map.cells[0].verdict = sim::CellVerdict::feasible;
  map.cells[0].plan = sim::Plan{};
  map.cells[0].plan->degrees.ulysses = 2;
  map.cells[0].value = map.cells[0].time_s = 3;
  map.cells[1].verdict = sim::CellVerdict::too_many_gpus;
  map.cells[1].reason = "needs 4 GPUs of 2";
  map.best = 0;
  const auto section = degree_section(map);
  const auto& chart = chart_of<HeatMap>(section, 0);
  EXPECT_EQ(chart.cells[0].value, 3);
  EXPECT_EQ(chart.cells[0].label, "2 GPUs, ulysses 2");
  EXPECT_TRUE(chart.cells[0].chosen);
  EXPECT_EQ(chart.cells[1].value, std::nullopt);
  EXPECT_EQ(chart.cells[1].reason, "needs 4 GPUs of 2");
}

sim::HopUse hop(std::int64_t rank, bool inter_node, double share) {
  sim::HopUse h;
  h.rank = rank;
  h.to_rank = rank + 1;
  h.link_class = inter_node ? "ib" : "nvlink";
  h.inter_node = inter_node;
  h.nominal_bytes_per_s = 10;
  h.bytes = 10;
  h.in_flight_s = 2;
  h.share = share;
  h.bytes_per_s = 5;
  return h;
}

// 10 bytes in 2 s of a run of 4 s over links of 10 bytes/s: half of their rate in flight, a quarter of it over the whole run.
TEST(CurveCharts, HopsAreDrawnOneByOneWhileTheyAreFew) {
  sim::Prediction p;
  p.makespan_s = 4;
  p.hop_use = {hop(0, false, 0.5), hop(1, true, 0.75)};
  const HtmlSection few = hop_section(p);
  EXPECT_THAT(chart_of<BarChart>(few, 0).rows, testing::ElementsAre("0 → 1", "1 → 2"));
  const auto& grid = std::get<Grid>(few.blocks.at(1));
  EXPECT_THAT(grid.rows[0], testing::ElementsAre("nvlink inside a node", "1", "10.00 B", "50.0 %", "50.0 %",
                                                 "5.000 B/s", "50.0 %", "25.0 %"));
  for (std::int64_t rank = 2; rank < 70; ++rank) p.hop_use.push_back(hop(rank, false, rank == 40 ? 0.9 : 0.5));
  const HtmlSection many = hop_section(p);
  const auto& chart = chart_of<BarChart>(many, 0);
  EXPECT_THAT(chart.rows,
              testing::ElementsAre("nvlink inside a node, on average", "nvlink inside a node, busiest: 40 → 41",
                                   "ib between nodes, on average", "ib between nodes, busiest: 1 → 2"));
  EXPECT_EQ(chart.series[0].values[1], 0.9);
}

}  // namespace
}  // namespace ringsim::reports
