// Lines with marks, over a stack of areas. Series have a mark and dashes of their own; names stand at their ends where there is room, else
// in a legend.

#include "reports/charts/axes.hpp"
#include "reports/charts/chart_table.hpp"
#include "reports/charts/fills.hpp"
#include "reports/charts/labels.hpp"
#include "reports/charts/legend.hpp"
#include "reports/charts/line_layout.hpp"
#include "reports/charts/svg_kinds.hpp"
#include "reports/charts/text_widths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::reports {
namespace {

constexpr double wide_lines = 560, line_edge = 14;
constexpr std::size_t most_named_ends = 6;

struct LinePlot {
  Box box;
  PlotScale x, y;
  std::vector<std::vector<double>> bases;
  [[nodiscard]] double top_of(std::size_t series, std::size_t point, double value) const {
    return bases[series].empty() ? value : bases[series][point] + value;
  }
};

std::vector<double> x_values(const LineChart& chart, bool with_lines) {
  std::vector<double> values;
  for (const LineSeries& series : chart.series) {
    for (const Point& point : series.points) values.push_back(point.x);
  }
  for (const ReferenceLine& line : chart.at_x) {
    if (with_lines) values.push_back(line.at);
  }
  return values;
}

std::vector<double> y_values(const LineChart& chart, const std::vector<std::vector<double>>& bases) {
  std::vector<double> values;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    for (std::size_t k = 0; k < chart.series[i].points.size(); ++k) {
      values.push_back(chart.series[i].points[k].y + (bases[i].empty() ? 0 : bases[i][k]));
    }
  }
  for (const ReferenceLine& line : chart.at_y) values.push_back(line.at);
  return values;
}

void draw_area(Drawing& drawing, const LineSeries& series, std::size_t index, const LinePlot& plot) {
  std::string over;
  std::string under;
  for (std::size_t k = 0; k < series.points.size(); ++k) {
    const double x = plot.x.at(series.points[k].x);
    const double base = plot.bases[index][k];
    over += fmt::format("{}{} {}", k == 0 ? "M" : "L", px(x), px(plot.y.at(base + series.points[k].y)));
    under = fmt::format("L{} {}", px(x), px(plot.y.at(base))) + under;
  }
  if (over.empty()) return;
  drawing.path(over + under + "z", drawing.fill_of(series.tone), series.name);
  drawing.path(over, "class=\"seam\"");
}

void draw_line(Drawing& drawing, const LineSeries& series, std::size_t index, const LinePlot& plot, bool over_areas) {
  std::string line;
  for (const Point& point : series.points) {
    line += fmt::format("{}{} {}", line.empty() ? "M" : "L", px(plot.x.at(point.x)), px(plot.y.at(point.y)));
  }
  if (line.empty()) return;
  if (over_areas) drawing.path(line, "class=\"seam\" stroke-width=\"4\"");
  const std::string dashed = dashes(index, series.stroke);
  drawing.path(line,
               fmt::format("{} stroke-width=\"2\" stroke-linejoin=\"round\"{}{}", plain_stroke(series.tone, "mark"),
                           dashed.empty() ? "" : " ", dashed),
               series.name);
}

void draw_marks(Drawing& drawing, const LineChart& chart, std::size_t index, const LinePlot& plot) {
  const LineSeries& series = chart.series[index];
  for (std::size_t k = 0; k < series.points.size(); ++k) {
    const Point& point = series.points[k];
    if (!series.marks && series.points.size() > 1) continue;
    drawing.path(mark_path(index, plot.x.at(point.x), plot.y.at(plot.top_of(index, k, point.y)), 4),
                 plain_fill(series.tone, "mark point"),
                 fmt::format("{}, {}: {}{}{}", series.name, human(chart.x.quantity, point.x),
                             human(chart.y.quantity, point.y), point.note.empty() ? "" : "; ", point.note));
  }
}

void draw_levels(Drawing& drawing, const LineChart& chart, const LinePlot& plot, LabelPlacer& labels) {
  for (const ReferenceLine& line : chart.at_y) {
    const double y = plot.y.at(line.at);
    drawing.path(fmt::format("M{} {}h{}", px(plot.box.x), px(y), px(plot.box.width)),
                 plain_stroke(line.tone, "mark") + " stroke-width=\"1.5\" stroke-dasharray=\"8 3\"", line.label);
    // Its name on one of four places along it.
    const std::string name = fmt::format("{}: {}", line.label, human(chart.y.quantity, line.at));
    labels.draw(drawing, plot.box.x + plot.box.width, y, name, true);
  }
}

void draw_notes(Drawing& drawing, const LineChart& chart, const LinePlot& plot, LabelPlacer& labels) {
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    for (std::size_t k = 0; k < chart.series[i].points.size(); ++k) {
      const Point& point = chart.series[i].points[k];
      if (point.note.empty()) continue;
      labels.draw(drawing, plot.x.at(point.x), plot.y.at(plot.top_of(i, k, point.y)), point.note, true);
    }
  }
}

void avoid_series(LabelPlacer& labels, const LineChart& chart, const LinePlot& plot) {
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const std::vector<Point>& points = chart.series[i].points;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double x = plot.x.at(points[k].x);
      const double y = plot.y.at(plot.top_of(i, k, points[k].y));
      labels.avoid_point(x, y);
      if (k == 0) continue;
      labels.avoid_line(plot.x.at(points[k - 1].x), plot.y.at(plot.top_of(i, k - 1, points[k - 1].y)), x, y);
    }
  }
}

/// Where the series end [px], if all end at the right side: the middle of an area's end.
std::vector<double> ends_of(const LineChart& chart, const LinePlot& plot) {
  std::vector<double> ends;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const std::vector<Point>& points = chart.series[i].points;
    if (points.empty() || plot.x.at(points.back().x) < plot.box.x + 0.97 * plot.box.width) return {};
    const double top = plot.top_of(i, points.size() - 1, points.back().y);
    const double y = chart.series[i].area ? (plot.y.at(top) + plot.y.at(top - points.back().y)) / 2 : plot.y.at(top);
    ends.push_back(y);
  }
  return ends;
}

double widest_name(const LineChart& chart) {
  double widest = 0;
  for (const LineSeries& series : chart.series) widest = std::max(widest, text_width(series.name));
  return widest;
}

std::vector<LegendEntry> legend_of(const LineChart& chart) {
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const LineSeries& series = chart.series[i];
    legend.push_back({.name = series.name,
                      .tone = series.tone,
                      .shape = series.area ? KeyShape::area : KeyShape::line,
                      .series = i,
                      .stroke = series.stroke,
                      .marked = series.marks && !series.area});
  }
  return legend;
}

}  // namespace

Drawn draw(const LineChart& chart, Drawing& drawing) {
  const std::vector<double> data_x = x_values(chart, false);
  if (data_x.empty()) return {draw_nothing(drawing, drawing.top()), {}};
  const double width = drawing.width();
  const double plot_height = std::clamp(0.44 * width, 220.0, 340.0);
  const bool areas = std::ranges::any_of(chart.series, &LineSeries::area);
  std::vector<std::vector<double>> bases = area_bases(chart);
  const Range x_range = range_of(x_values(chart, true), chart.x.scale, false);
  Range y_range = range_of(y_values(chart, bases), chart.y.scale, true);
  const bool all_of_it = chart.y.quantity == Quantity::fraction && std::abs(y_range.high - 1) < 1e-6;
  if (chart.y.scale == Scale::logarithmic) {
    const double room = std::pow(y_range.high / y_range.low, 0.05);
    y_range = {y_range.low / room, y_range.high * room};
  } else if (!all_of_it) {
    y_range.high += 0.06 * (y_range.high - y_range.low);
  }
  const AxisUnit x_unit = axis_unit(chart.x.quantity, x_range.high);
  const AxisUnit y_unit = axis_unit(chart.y.quantity, std::max(std::abs(y_range.low), y_range.high));
  const auto most_levels = static_cast<std::size_t>(plot_height / (chart.y.scale == Scale::linear ? 38 : 26));
  const std::vector<Tick> y_ticks = axis_ticks(chart.y, y_range.low, y_range.high, most_levels, y_unit, false);
  double left = 0;
  for (const Tick& tick : y_ticks) left = std::max(left, text_width(tick.text));
  left += 12;

  // Names at the ends if all find a place there.
  const auto plot_at = [&](double top, double right_margin) {
    const Box box{left, top, width - left - right_margin, plot_height};
    const double inset = areas ? 0 : 8;
    return LinePlot{box, PlotScale(chart.x.scale, x_range.low, x_range.high, box.x + inset, box.x + box.width - inset),
                    PlotScale(chart.y.scale, y_range.low, y_range.high, box.y + box.height, box.y), bases};
  };
  double margin = line_edge;
  std::vector<double> ends;
  const double names = widest_name(chart) + 10;
  if (width >= wide_lines && chart.series.size() > 1 && chart.series.size() <= most_named_ends &&
      names < 0.28 * width) {
    ends = ends_of(chart, plot_at(0, names));
    if (!ends.empty()) ends = spread(ends, 6, plot_height - 2);
    if (!ends.empty()) margin = names;
  }
  double y = drawing.top();
  if (ends.empty() && chart.series.size() > 1) y = draw_legend(drawing, legend_of(chart), 2, width - 2, y);

  const std::string y_name = axis_label(chart.y, y_unit);
  drawing.text(2, y + 12, shortened(y_name, width - 4));
  y += 24;
  LinePlot plot = plot_at(y, margin);
  std::vector<LaneLabel> lanes;
  for (const ReferenceLine& line : chart.at_x) {
    lanes.push_back({.x = plot.x.at(line.at), .text = line.label, .tone = line.tone});
  }
  const double lane_room = lane_height * static_cast<double>(place_in_lanes(lanes, left, width - 2));
  plot = plot_at(y + lane_room, margin);

  draw_y_axis(drawing, plot.y, y_ticks, plot.box);
  const bool doubling = chart.x.quantity == Quantity::count && are_powers_of_two(data_x);
  const std::vector<Tick> x_ticks = ticks_side_by_side(plot.x, plot.box.width, [&](std::size_t most) {
    return axis_ticks(chart.x, x_range.low, x_range.high, most, x_unit, doubling);
  });
  const double bottom = draw_x_axis(drawing, plot.x, x_ticks, plot.box, axis_label(chart.x, x_unit));
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    if (chart.series[i].area) draw_area(drawing, chart.series[i], i, plot);
  }
  draw_lanes(drawing, lanes, plot.box);
  LabelPlacer labels(plot.box);
  avoid_series(labels, chart, plot);
  for (const LaneLabel& lane : lanes) labels.avoid_line(lane.x, plot.box.y, lane.x, plot.box.y + plot.box.height);
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    if (!chart.series[i].area) draw_line(drawing, chart.series[i], i, plot, areas);
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    if (!chart.series[i].area) draw_marks(drawing, chart, i, plot);
  }
  draw_levels(drawing, chart, plot, labels);
  draw_notes(drawing, chart, plot, labels);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    drawing.text(plot.box.x + plot.box.width + 6, plot.box.y + ends[i] + 4, chart.series[i].name);
  }
  return {bottom, {}};
}

}  // namespace ringsim::reports
