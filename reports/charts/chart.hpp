#pragma once
// Charts as data. What a chart shows is said once, here; each writer draws all of them: as SVG (svg.hpp), as a Vega-Lite
// specification (vega_lite.hpp), and as the table of its values (chart_table.hpp).
//
// All numbers are SI: seconds, bytes, bytes/s; fractions of 1. A writer turns them into text by the axis' Quantity.

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ringsim::reports {

/// How a number is written for people.
enum class Quantity { number, count, seconds, bytes, bytes_per_second, fraction, money };

/// What a mark stands for. A tone has one colour, and one pattern or stroke beside it, throughout all charts of all reports.
enum class Tone {
  attention,   // kernels of attention
  merge,       // merging partial results
  dense,       // matrix products and passes over memory
  exposed,     // communication that is waited for
  transfer,    // a hop in flight, hidden or not
  collective,  // a collective in flight
  late,        // bubble: waiting for a peer or for SMs
  masked,      // bubble: a step in which the mask leaves nothing to do
  end,         // bubble: waiting for the slowest rank
  ideal,       // what would be without losses
  limit,       // capacities, targets
  chosen,      // the scenario's own plan, the best plan
  series_1,    // what has no meaning of its own
  series_2,
  series_3,
  series_4,
  series_5,
  series_6,
  series_7,
  series_8,
};

struct ChartWords {
  std::string title;        // above the chart: a few words
  std::string description;  // for those who cannot see it: what is to be seen, in a sentence or two
};

enum class Scale { linear, logarithmic };

struct ChartAxis {
  std::string label;  // without the unit: writers add what they divide by
  Quantity quantity = Quantity::number;
  Scale scale = Scale::linear;  // logarithmic: every value is above 0
};

/// A line across the plot: a capacity, a data rate that can be bought.
struct ReferenceLine {
  std::string label;
  double at = 0;
  Tone tone = Tone::limit;
};

/// Stacked horizontal bars: a row a bar, a series a part of each.
struct BarSeries {
  std::string name;
  Tone tone = Tone::series_1;
  std::vector<double> values;  // by row, not below 0
};
struct BarChart {
  ChartWords words;
  std::string row_header;  // of the table: "rank"
  std::vector<std::string> rows;
  ChartAxis value;  // linear
  std::vector<BarSeries> series;
  std::vector<ReferenceLine> lines;  // vertical
};

/// Rows of spans over time. Spans of a row do not overlap and come by start.
struct GanttRow {
  std::string group;  // "rank 3": rows of one group stand together
  std::string name;   // "compute"
};
struct GanttSpan {
  std::size_t row = 0;
  double start_s = 0, end_s = 0;
  Tone tone = Tone::attention;
  std::string name;  // "attend, layer 3, step 2"
};
struct GanttKey {
  Tone tone = Tone::attention;
  std::string name;
};
struct GanttChart {
  ChartWords words;
  std::vector<GanttRow> rows;
  std::vector<GanttSpan> spans;
  std::vector<GanttKey> key;  // the tones that occur, in the order of the legend
  double start_s = 0, end_s = 0;
};

/// Lines, or a stack of areas with lines before it.
struct Point {
  double x = 0, y = 0;
  std::string note{};  // beside the point, where there is something to say; few points have one
};
enum class Stroke { solid, dashed };
struct LineSeries {
  std::string name;
  Tone tone = Tone::series_1;
  Stroke stroke = Stroke::solid;
  bool marks = true;            // a mark at every point
  bool area = false;            // stacked on the areas before it; all areas have the same x
  std::vector<Point> points{};  // by x
};
struct LineChart {
  ChartWords words;
  ChartAxis x, y;
  std::vector<LineSeries> series;
  std::vector<ReferenceLine> at_x, at_y;
};

/// Values over two sets of categories.
struct HeatCell {
  std::optional<double> value;
  std::string reason;   // without a value: why
  std::string label{};  // with a value: a few words under it ("ulysses 2")
  bool chosen = false;  // framed
};
struct HeatMap {
  ChartWords words;
  std::string x_label, y_label;
  std::vector<std::string> x, y;
  std::string value_label;
  Quantity quantity = Quantity::seconds;
  bool low_is_good = true;
  std::vector<HeatCell> cells;  // row by row: cell (x, y) is y * x.size() + x
};

/// Points of two quantities; a series may be joined to a front, and a diagonal with a band shows where y = x.
struct ScatterGroup {
  std::string name;
  Tone tone = Tone::series_1;
  bool joined = false;  // by steps: a Pareto front of two quantities that are to be small
  std::vector<Point> points{};
};
struct ScatterChart {
  ChartWords words;
  ChartAxis x, y;
  std::optional<double> band;  // y within (1 ± band) · x, and the diagonal; both axes then have one scale
  std::vector<ScatterGroup> series;
};

using Chart = std::variant<BarChart, GanttChart, LineChart, HeatMap, ScatterChart>;

[[nodiscard]] const ChartWords& words_of(const Chart& chart);

}  // namespace ringsim::reports
