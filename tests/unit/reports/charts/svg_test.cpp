// Charts as SVG: what stands where, what is inert, what stays small. Pictures are looked at elsewhere; these are the rules that they follow.
#include "reports/charts/svg.hpp"

#include "reports/charts/text_widths.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <stdexcept>

namespace ringsim::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

std::size_t marks(const std::string& text) { return count(text, "class=\"mark"); }

BarChart bars(std::size_t rows) {
  BarChart chart{.words = {"Time", "Bars."}, .row_header = "rank", .value = {"time", Quantity::seconds}};
  chart.series = {{"attention", Tone::attention, {}}, {"exposed", Tone::exposed, {}}};
  for (std::size_t i = 0; i < rows; ++i) {
    chart.rows.push_back(fmt::format("rank {}", i));
    chart.series[0].values.push_back(0.030);
    chart.series[1].values.push_back(0.010);
  }
  return chart;
}

LineChart bandwidths() {
  LineChart chart{
      .words = {"Exposed", "Lines."},
      .x = {"bandwidth", Quantity::bytes_per_second, Scale::logarithmic},
      .y = {"share", Quantity::fraction},
      .series = {{.name = "forward"}, {.name = "backward", .tone = Tone::series_2, .stroke = Stroke::dashed}}};
  for (int i = 0; i < 9; ++i) {
    const double x = 5e9 * std::pow(2, i);
    chart.series[0].points.push_back({x, std::max(0.0, 0.9 - 0.12 * i), i == 4 ? "crossing" : ""});
    chart.series[1].points.push_back({x, std::max(0.0, 0.8 - 0.07 * i)});
  }
  chart.at_x = {{"100 Gb/s", 12.5e9}, {"200 Gb/s", 25e9},  {"400 Gb/s", 50e9},
                {"PCIe 5", 55e9},     {"800 Gb/s", 100e9}, {"NVLink 4", 450e9}};
  chart.at_y = {{"target", 0.05}};
  return chart;
}

HeatMap heat() {
  HeatMap chart{.words = {"Degrees", "Cells."},
                .x_label = "tensor",
                .y_label = "ring",
                .x = {"1", "2", "4", "8"},
                .y = {"1", "2", "4"},
                .value_label = "time"};
  for (int i = 0; i < 12; ++i) chart.cells.push_back({.value = 1.0 + i, .label = "ulysses 2", .chosen = i == 7});
  chart.cells[0] = {.reason = "does not fit in memory: 143.2 GB of 80.0 GB"};
  return chart;
}

ScatterChart front() {
  return {
      .words = {"Front", "Points."},
      .x = {"GPUs", Quantity::count},
      .y = {"time", Quantity::seconds},
      .series = {
          {.name = "plans", .tone = Tone::ideal, .points = {{64, 9}, {32, 8}}},
          {.name = "front", .joined = true, .points = {{8, 10, "tensor 8"}, {16, 6, "ring 2"}, {64, 4, "ring 8"}}}}};
}

GanttChart gantt(std::size_t rows, std::size_t spans_of_row, double gap) {
  GanttChart chart{.words = {"Steps", "Spans."}, .key = {{Tone::attention, "attention"}, {Tone::late, "late"}}};
  for (std::size_t row = 0; row < rows; ++row) {
    chart.rows.push_back({fmt::format("rank {}", row / 2), row % 2 == 0 ? "compute" : "send"});
    for (std::size_t i = 0; i < spans_of_row; ++i) {
      const double start = static_cast<double>(i);
      chart.spans.push_back({row, start, start + 1 - gap, i % 2 == 0 ? Tone::attention : Tone::late, "a"});
    }
  }
  chart.end_s = static_cast<double>(spans_of_row);
  return chart;
}

/// Width [px] of the rows of a timeline, which lie on a ground.
double row_width(const std::string& picture) {
  const std::size_t ground = picture.find("class=\"ground\"");
  return std::stod(picture.substr(picture.rfind("width=\"", ground) + 7));
}

std::vector<Chart> every_kind() { return {bars(3), gantt(4, 10, 0.1), bandwidths(), heat(), front()}; }

// Text that lies level: where it is by estimate, from its anchor.
struct Words {
  double left = 0, right = 0, base = 0;
  std::string text;
};
std::vector<Words> words_in(const std::string& picture) {
  static const std::regex element(
      "<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"(?: text-anchor=\"(middle|end)\")?(?: "
      "class=\"([^\"]*)\")?>([^<]*)</text>");
  std::vector<Words> result;
  for (auto i = std::sregex_iterator(picture.begin(), picture.end(), element); i != std::sregex_iterator(); ++i) {
    const std::smatch& match = *i;
    const double x = std::stod(match[1]);
    const double width = text_width(match[5].str(), match[4].str().find("small") != std::string::npos ? 11 : 12);
    const double left = match[3] == "middle" ? x - width / 2 : match[3] == "end" ? x - width : x;
    result.push_back({left, left + width, std::stod(match[2]), match[5]});
  }
  return result;
}

// On a phone and on a desk: all text is within the picture, and no two texts touch (lines of text are 12 high or more).
TEST(Svg, TextKeepsWithinThePictureAndOutOfEachOthersWay) {
  for (const Chart& chart : every_kind()) {
    for (const double width : {320.0, 340.0, 720.0, 1100.0}) {
      const std::vector<Words> all = words_in(svg(chart, {"c", width}));
      EXPECT_GE(all.size(), 5U);
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_GE(all[i].left, -1) << all[i].text << " at " << width;
        EXPECT_LE(all[i].right, width + 1) << all[i].text << " at " << width;
        for (std::size_t k = 0; k < i; ++k) {
          const bool meet = std::abs(all[i].base - all[k].base) < 10 && all[i].left < all[k].right - 1 &&
                            all[k].left < all[i].right - 1;
          EXPECT_FALSE(meet) << all[i].text << " on " << all[k].text << " at " << width << " of "
                             << words_of(chart).title;
        }
      }
    }
  }
}

TEST(Svg, IsNamedForThoseWhoCannotSeeItAndTheSameEveryTime) {
  for (const Chart& chart : every_kind()) {
    const std::string picture = svg(chart, {"fig-1", 720});
    EXPECT_THAT(picture, HasSubstr("role=\"img\" aria-labelledby=\"fig-1-title fig-1-description\""));
    EXPECT_THAT(picture, HasSubstr(fmt::format("<title id=\"fig-1-title\">{}</title>", words_of(chart).title)));
    EXPECT_THAT(picture, HasSubstr("<desc id=\"fig-1-description\">"));
    EXPECT_GT(marks(picture), 2U);
    EXPECT_EQ(picture, svg(chart, {"fig-1", 720}));
    EXPECT_EQ(count(picture, "<g "), count(picture, "</g>"));
    EXPECT_THAT(picture, Not(HasSubstr("http:")));
  }
  const std::string file = svg_file(bars(2), {"f", 720});
  EXPECT_THAT(file, HasSubstr("class=\"title\">Time</text>"));
  EXPECT_THAT(file, HasSubstr("prefers-color-scheme:dark"));
}

// Names are users': in every place that a chart has for text they become text.
TEST(Svg, NamesAreInert) {
  const std::string name = "<script>alert(\"x\")</script>&'🚀\x01";
  BarChart chart = bars(1);
  chart.words = {name, name};
  chart.rows[0] = chart.value.label = chart.series[0].name = name;
  chart.lines = {{name, 0.05}};
  LineChart lines = bandwidths();
  lines.series[0].name = lines.series[0].points[2].note = lines.at_x[0].label = lines.at_y[0].label = lines.x.label =
      lines.y.label = name;
  HeatMap cells = heat();
  cells.x[0] = cells.y[0] = cells.x_label = cells.y_label = cells.value_label = cells.cells[0].reason =
      cells.cells[1].label = name;
  ScatterChart points = front();
  points.series[1].name = points.series[1].points[0].note = name;
  GanttChart spans = gantt(2, 3, 0.1);
  spans.rows[0] = {name, name};
  spans.spans[0].name = spans.key[0].name = name;
  for (const Chart& each : {Chart(chart), Chart(lines), Chart(cells), Chart(points), Chart(spans)}) {
    const std::string picture = svg(each, {"c", 720});
    EXPECT_THAT(picture, Not(HasSubstr("<script")));
    EXPECT_THAT(picture, Not(HasSubstr("\x01")));
    EXPECT_THAT(picture, HasSubstr("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;🚀"));
  }
}

// 2 parts of 30 and 10 ms on each of 3 rows: 6 marks, each with its value as a tip and in it, and the sum of 40 ms beside it.
TEST(Svg, BarsSayTheirValues) {
  BarChart chart = bars(3);
  chart.lines = {{"target", 0.05}};
  const std::string picture = svg(chart, {"c", 720});
  EXPECT_EQ(count(picture, "<rect x=") - count(picture, "height=\"12\""), 6U);  // keys of the legend are 12 high
  EXPECT_EQ(count(picture, ">30.0</text>"), 3U);
  EXPECT_EQ(count(picture, ">40.00 ms</text>"), 3U);
  EXPECT_THAT(picture, HasSubstr("<title>rank 2, exposed: 10.00 ms</title>"));
  EXPECT_THAT(picture, HasSubstr(">target: 50.00 ms</text>"));
  EXPECT_THAT(picture, HasSubstr(">time [ms]</text>"));
  EXPECT_THAT(picture, HasSubstr("id=\"c-exposed\""));  // the pattern
  // 64 rows are thin: no sums of their own, but all bars.
  const std::string many = svg(bars(64), {"c", 720});
  EXPECT_EQ(count(many, ">40.00 ms</text>"), 0U);
  EXPECT_EQ(marks(many), 128U);
}

// 10 of 10 spans in a row are rectangles with tips. 100,000 spans, some with gaps of a third of a step, are few paths of under 2 MB, and the
// description says what was joined.
TEST(Svg, TimelinesOfManySpansStaySmall) {
  const std::string few = svg(gantt(4, 10, 0.1), {"c", 720});
  EXPECT_EQ(count(few, "<title>a; "), 40U);
  const std::string many = svg(gantt(16, 6250, 0.3), {"c", 720});
  EXPECT_LT(many.size(), 2'000'000U);
  EXPECT_EQ(marks(many), 32U);  // a path a row and tone
  EXPECT_THAT(many, HasSubstr("100,000 spans, drawn to a tenth of a pixel"));
  EXPECT_THAT(many, HasSubstr("<title>rank 7 send, late: 3,125 spans</title>"));
}

// In steps of a tenth of a pixel or so, two kinds in turn have 35 % of the time each and gaps 30 %: dashes of each sum up to 35 % of a row.
TEST(Svg, KindsOfManySpansHaveTheirSharesOfARow) {
  const std::string picture = svg(gantt(16, 6250, 0.3), {"c", 720});
  std::size_t paths = 0;
  for (std::size_t tip = picture.find("<title>rank 7 send"); tip != std::string::npos;
       tip = picture.find("<title>rank 7 send", tip + 1), ++paths) {
    const std::size_t begin = picture.rfind("<path d=\"", tip);
    const std::string dashes = picture.substr(begin, picture.find('"', begin + 9) - begin);
    double sum = 0;
    for (std::size_t h = dashes.find('h', 5); h != std::string::npos; h = dashes.find('h', h + 1)) {
      sum += std::stod(dashes.substr(h + 1, 8));
    }
    EXPECT_NEAR(sum / row_width(picture), 0.35, 0.01);
  }
  EXPECT_EQ(paths, 2U);
}

// 3,001 spans of 1 ms touch each other from 2 s on, in a window of 10 s: one dash from 0.2 of the row, 0.3001 of it long.
TEST(Svg, JoinedSpansCoverWhatTheyCovered) {
  GanttChart chart = gantt(1, 0, 0);
  chart.end_s = 10;
  for (int i = 0; i < 3001; ++i) chart.spans.push_back({0, 2 + 0.001 * i, 2 + 0.001 * (i + 1), Tone::attention, "a"});
  const std::string picture = svg(chart, {"c", 720});
  const std::regex path("<path d=\"M([0-9.]+) [0-9.]+h([0-9.]+)\" class=\"mark");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(picture, match, path)) << picture;
  EXPECT_NEAR(std::stod(match[1]), 720 - 16 - 0.8 * row_width(picture), 0.21);  // 16 are left free at the right
  EXPECT_NEAR(std::stod(match[2]), 0.3001 * row_width(picture), 0.21);
}

// A window that begins late counts from its start: ticks of ten digits say nothing.
TEST(Svg, ALateWindowCountsFromItsStart) {
  GanttChart chart = gantt(2, 10, 0.1);
  chart.start_s += 5000;
  chart.end_s += 5000;
  for (GanttSpan& span : chart.spans) {
    span.start_s += 5000;
    span.end_s += 5000;
  }
  EXPECT_THAT(svg(chart, {"c", 720}), HasSubstr(">time from 1.389 h [s]</text>"));
}

// Steps of a front: with ever more GPUs time falls, and between two plans the cheaper one is what can be had: right, then down.
TEST(Svg, FrontsAreStepsAndDiagonalsCrossTheFrame) {
  const std::string picture = svg(front(), {"c", 720});
  EXPECT_TRUE(std::regex_search(
      picture, std::regex("<path d=\"M[0-9.]+ [0-9.]+H[0-9.]+V[0-9.]+H[0-9.]+V[0-9.]+\" class=\"mark s-series-1\"")));
  EXPECT_THAT(picture, Not(HasSubstr("class=\"band\"")));
  ScatterChart both{.words = {"Right?", ""},
                    .x = {"measured", Quantity::seconds, Scale::logarithmic},
                    .y = {"predicted", Quantity::seconds, Scale::logarithmic},
                    .band = 0.1,
                    .series = {{.name = "all", .points = {{10, 1000}, {1000, 10}}}}};
  const std::string square = svg(both, {"c", 720});
  EXPECT_THAT(square, HasSubstr("class=\"band\""));
  // One scale on both axes: (10, 1000) and (1000, 10) are each other's mirror images, as far from the diagonal's ends.
  const std::regex frame(
      "<clipPath id=\"c-frame\"><rect x=\"([0-9.]+)\" y=\"([0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\"");
  std::smatch box;
  ASSERT_TRUE(std::regex_search(square, box, frame));
  EXPECT_EQ(box[3], box[4]);
  EXPECT_THAT(square, HasSubstr(fmt::format("class=\"diagonal\"")));
}

// A square plot on a narrow page is less high than one would guess from the chart's kind, a wide one more: its axis may then have other
// labels, with more digits ("0.005" where "0.01" was thought of). Whatever the values, labels end left of the plot and begin on the picture.
TEST(Svg, LabelsOfAnAxisHaveRoomWhateverTheyAre) {
  const std::regex label("<text x=\"([0-9.]+)\" y=\"[0-9.]+\" text-anchor=\"end\"[^>]*>([^<]*)</text>");
  int labels = 0;
  for (const double width : {320.0, 360.0, 480.0, 720.0, 960.0}) {
    for (double first = 1e-6; first < 10; first *= 1.37) {
      for (const double ratio : {1.02, 1.3, 2.0, 3.6, 9.0, 40.0}) {
        const ScatterChart chart{
            .words = {"Right?", ""},
            .x = {"measured", Quantity::seconds, Scale::logarithmic},
            .y = {"predicted", Quantity::seconds, Scale::logarithmic},
            .band = 0.1,
            .series = {{.name = "all", .points = {{first, first}, {first * ratio, first * ratio}}}}};
        const std::string picture = svg(chart, {"c", width});
        for (auto at = std::sregex_iterator(picture.begin(), picture.end(), label); at != std::sregex_iterator();
             ++at) {
          ++labels;
          EXPECT_GE(std::stod((*at)[1]), text_width((*at)[2].str())) << (*at)[2] << " at a width of " << width;
        }
      }
    }
  }
  EXPECT_GT(labels, 1000);
}

TEST(Svg, HeatMapsHatchWhatIsNotPossibleAndSayWhy) {
  const std::string picture = svg(heat(), {"c", 720});
  EXPECT_EQ(marks(picture), 12U);
  EXPECT_EQ(count(picture, "class=\"mark\" fill=\"url(#c-nothing)\""), 1U);
  EXPECT_THAT(picture, HasSubstr("<title>tensor 1, ring 1: does not fit in memory: 143.2 GB of 80.0 GB</title>"));
  // Low is good: 2 s is the best of all and gets the last step, 12 s the first.
  EXPECT_THAT(picture, HasSubstr("class=\"mark heat-8\"><title>tensor 2, ring 1: 2.000 s"));
  EXPECT_THAT(picture, HasSubstr("class=\"mark heat-0\"><title>tensor 8, ring 4: 12.00 s"));
  EXPECT_THAT(picture, HasSubstr("time [s], lower is better"));
}

// Nothing, one point, equal values, all zero: pictures all the same, and without numbers that are none.
TEST(Svg, DrawsWhatThereIsLittleOf) {
  BarChart zero = bars(2);
  for (BarSeries& series : zero.series) series.values.assign(2, 0);
  LineChart one{.words = {"One", ""}, .x = {"x"}, .y = {"y"}, .series = {{.name = "a", .points = {{3, 0}}}}};
  LineChart one_log = one;
  one_log.x.scale = one_log.y.scale = Scale::logarithmic;
  one_log.series[0].points = {{7, 7}};
  HeatMap equal = heat();
  for (HeatCell& cell : equal.cells) cell = {.value = 0};
  ScatterChart point{
      .words = {"P", ""}, .x = {"x"}, .y = {"y"}, .band = 0.1, .series = {{.name = "a", .points = {{0, 0}}}}};
  GanttChart instant = gantt(1, 0, 0);
  instant.end_s = 0;
  const std::vector<Chart> charts = {zero,       one,         one_log,   equal,          point,       instant,
                                     BarChart{}, LineChart{}, HeatMap{}, ScatterChart{}, GanttChart{}};
  for (const Chart& chart : charts) {
    for (const double width : {320.0, 720.0}) {
      const std::string picture = svg(chart, {"c", width});
      EXPECT_TRUE(picture.ends_with("</svg>\n"));
      EXPECT_THAT(picture, Not(HasSubstr("nan")));
      EXPECT_THAT(picture, Not(HasSubstr("inf")));
    }
  }
  EXPECT_THAT(svg(LineChart{}, {"c", 720}), HasSubstr("Nothing to show."));
}

TEST(Svg, RefusesWhatIsNoNumber) {
  BarChart chart = bars(1);
  chart.series[0].values[0] = std::numeric_limits<double>::infinity();
  try {
    (void)svg(chart, {"c", 720});
    FAIL() << "drew infinity";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "chart \"Time\": attention is inf");
  }
}

}  // namespace
}  // namespace ringsim::reports
