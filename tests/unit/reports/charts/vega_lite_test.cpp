// What a Vega-Lite specification holds of its chart. That Vega-Lite takes it without a warning, and draws it, is tested in a browser.
#include "reports/charts/vega_lite.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringsim::reports {
namespace {

/// The data of the first layer that encodes by `field`.
Json rows_with(const Json& spec, const char* field) {
  for (const Json& layer : spec.at("layer")) {
    const Json& values = layer.contains("data") ? layer.at("data").at("values") : spec.at("data").at("values");
    if (!values.empty() && values.at(0).contains(field)) return values;
  }
  return {};
}

BarChart two_ranks() {
  return {.words = {"Time", "Two ranks."},
          .row_header = "rank",
          .rows = {"0", "0"},
          .value = {"time", Quantity::seconds, Scale::linear},
          .series = {{"attention", Tone::attention, {0.003, 0.002}}, {"waiting", Tone::late, {0, 0.001}}},
          .lines = {{"limit", 0.004, Tone::limit}}};
}

TEST(VegaLite, BarsCarryValuesInSiAndAsPeopleReadThem) {
  const Json spec = vega_lite(two_ranks());
  const Json rows = rows_with(spec, "part");
  // Two rows of two parts. The second row has the name of the first: drawn as one, its bar would hide there, so it gets another.
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0], (Json{{"row", "0"}, {"part", "attention"}, {"order", 0}, {"value", 0.003}, {"text", "3.000 ms"}}));
  EXPECT_EQ(rows[3].at("row"), "0 (2)");
  EXPECT_EQ(rows[3].at("text"), "1.000 ms");
  // Colours are names that the page fills in, in the order of the parts.
  const Json& scale = spec.at("layer")[0].at("encoding").at("color").at("scale");
  EXPECT_EQ(scale.at("domain"), Json({"attention", "waiting"}));
  EXPECT_EQ(scale.at("range"), Json({"chart-attention", "chart-late"}));
  // The axis counts in the unit of its largest value, 4 ms.
  const Json& axis = spec.at("layer")[0].at("encoding").at("x").at("axis");
  EXPECT_EQ(axis.at("title"), "time [ms]");
  EXPECT_EQ(rows_with(spec, "at")[0].at("at"), 0.004);
  EXPECT_EQ(spec.at("description"), "Two ranks.");
}

TEST(VegaLite, SpansOfATimelineAreColumnsOfSmallNumbers) {
  GanttChart chart{.words = {"Timeline", "One rank."},
                   .rows = {{"rank 0", "compute"}, {"rank 0", "send"}},
                   .spans = {},
                   .key = {{Tone::attention, "attention"}, {Tone::transfer, "hop"}},
                   .start_s = 2.0,
                   .end_s = 2.5};
  chart.spans = {{0, 2.0, 2.25, Tone::attention, "step 0"},
                 {0, 2.25, 2.5, Tone::attention, "step 1"},
                 {1, 2.125, 2.25, Tone::transfer, "step 0"}};
  const Json spec = vega_lite(chart);
  const Json& columns = spec.at("data").at("values").at(0);
  // Half a second is drawn in ticks of 1e-10 s, the power of ten that is 1e-9 of it or less: a quarter is 2.5e9 of them.
  EXPECT_DOUBLE_EQ(columns.at("tick_s").get<double>(), 1e-10);
  EXPECT_EQ(columns.at("s"), Json({0, 2500000000, 1250000000}));
  EXPECT_EQ(columns.at("d"), Json({2500000000, 2500000000, 1250000000}));
  EXPECT_EQ(columns.at("r"), Json({0, 0, 1}));
  EXPECT_EQ(columns.at("k"), Json({0, 0, 1}));
  // A name stands once however many spans have it.
  EXPECT_EQ(columns.at("names"), Json({"step 0", "step 1"}));
  EXPECT_EQ(columns.at("n"), Json({0, 1, 0}));
  EXPECT_EQ(columns.at("rows"), Json({"rank 0 · compute", "rank 0 · send"}));
  EXPECT_EQ(spec.at("encoding").at("x").at("scale").at("domain"), Json({2.0, 2.5}));
  EXPECT_EQ(spec.at("params")[0].at("bind"), "scales");
}

TEST(VegaLite, AHundredThousandSpansTakeLessThanFourMegabytes) {
  GanttChart chart{.words = {"Timeline", "Many."},
                   .rows = {{"rank 0", "compute"}},
                   .spans = {},
                   .key = {{Tone::attention, "attention"}}};
  for (int i = 0; i < 100000; ++i) {
    chart.spans.push_back(
        {0, i * 1.1e-5, i * 1.1e-5 + 1e-5, Tone::attention, "attend, layer " + std::to_string(i % 80)});
  }
  chart.end_s = 1.1;
  // 1.1 s are 1.1e9 ticks or fewer, 10 digits; a duration of 1e-5 s takes 5, row, kind and name 4, each with a comma: 24 bytes a span.
  const std::size_t bytes = vega_lite(chart).dump().size();
  EXPECT_LT(bytes, 4000000U);
  EXPECT_GT(bytes, 100000U * 10U);  // and none was left out
}

TEST(VegaLite, ACellWithoutValueKeepsItsReason) {
  HeatMap map{.words = {"Degrees", "Four."},
              .x_label = "ring",
              .y_label = "tensor",
              .x = {"1", "2"},
              .y = {"1", "2"},
              .value_label = "TTFT"};
  map.cells = {{std::nullopt, "needs 143 GB of 80 GB"}, {2.0, ""}, {1.0, "", "ulysses 2", true}, {1.5, ""}};
  const Json rows = vega_lite(map).at("data").at("values");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_TRUE(rows[0].at("value").is_null());
  EXPECT_EQ(rows[0].at("label"), "needs 143 GB of 80 GB");
  // Cells come row by row: the third is the first of y = 2. The least time is the best: the strongest of steps 0 to 8.
  EXPECT_EQ(rows[2].at("y"), "2");
  EXPECT_EQ(rows[2].at("x"), "1");
  EXPECT_EQ(rows[2].at("step"), 8);
  EXPECT_EQ(rows[1].at("step"), 0);
  EXPECT_EQ(rows[3].at("step"), 4);  // in the middle
  EXPECT_EQ(rows[2].at("chosen"), true);
}

TEST(VegaLite, AreasStandOnEachOtherWherePointsAreHit) {
  LineChart chart{
      .words = {"Scaling", "Two parts."},
      .x = {"GPUs", Quantity::count, Scale::logarithmic},
      .y = {"time", Quantity::seconds, Scale::linear},
      .series = {{.name = "computation", .tone = Tone::attention, .area = true, .points = {{1, 8}, {2, 4}}},
                 {.name = "exposed", .tone = Tone::exposed, .area = true, .points = {{1, 0}, {2, 1}}},
                 {.name = "ideal", .tone = Tone::ideal, .stroke = Stroke::dashed, .points = {{1, 8}, {2, 4, "half"}}}},
      .at_x = {},
      .at_y = {}};
  const Json points = rows_with(vega_lite(chart), "y_text");
  ASSERT_EQ(points.size(), 6U);
  // The exposed second of two GPUs lies on four of computation: its point is at 5, its tooltip says 1.
  EXPECT_EQ(points[3].at("y"), 5.0);
  EXPECT_EQ(points[3].at("y_text"), "1.000 s");
  EXPECT_EQ(points[5].at("note"), "half");
}

TEST(VegaLite, ADiagonalHasOneScaleForBothAxes) {
  const ScatterChart chart{.words = {"Validation", "Two."},
                           .x = {"measured", Quantity::seconds, Scale::linear},
                           .y = {"predicted", Quantity::seconds, Scale::linear},
                           .band = 0.1,
                           .series = {{.name = "rows", .tone = Tone::series_1, .points = {{1, 1.2}, {3, 2.9}}}}};
  const Json spec = vega_lite(chart);
  const Json& encoding = spec.at("layer")[0].at("encoding");
  // From 1 to 3 with a twentieth of that at each end.
  EXPECT_DOUBLE_EQ(encoding.at("x").at("scale").at("domain")[0].get<double>(), 0.9);
  EXPECT_DOUBLE_EQ(encoding.at("x").at("scale").at("domain")[1].get<double>(), 3.1);
  EXPECT_EQ(encoding.at("x").at("scale").at("domain"), encoding.at("y").at("scale").at("domain"));
  // The band at the right end reaches from 0.9 to 1.1 times as much.
  const Json edge = rows_with(spec, "y2")[1];
  EXPECT_DOUBLE_EQ(edge.at("y").get<double>(), 0.9 * 3.1);
  EXPECT_DOUBLE_EQ(edge.at("y2").get<double>(), 1.1 * 3.1);
}

TEST(VegaLite, AChartOfNothingIsStillAChart) {
  const std::vector<Chart> charts = {BarChart{}, GanttChart{}, LineChart{}, HeatMap{}, ScatterChart{}};
  for (const Chart& chart : charts) {
    const std::string text = vega_lite(chart).dump();
    EXPECT_EQ(text, vega_lite(chart).dump());
    EXPECT_EQ(text.find("null,null"), std::string::npos);  // what is not a number becomes null
  }
}

}  // namespace
}  // namespace ringsim::reports
