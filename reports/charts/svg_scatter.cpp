// Points of two quantities: fronts are joined by steps, and where both axes have one scale a diagonal with a band shows y = x.

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

constexpr double scatter_edge = 14, legend_column = 176;
constexpr std::size_t most_named = 12;  // points of a group with their names beside them
constexpr std::size_t most_names = 16;  // in all

struct ScatterPlot {
  Box box;
  PlotScale x, y;
};

/// A little room around the outermost points.
Range padded(Range range, Scale scale) {
  if (scale == Scale::logarithmic) {
    const double room = std::pow(range.high / range.low, 0.04);
    return {range.low / room, range.high * room};
  }
  const double room = 0.05 * (range.high - range.low);
  return {range.low == 0 ? 0 : range.low - room, range.high + room};
}

void draw_band(Drawing& drawing, const ScatterPlot& plot, double band) {
  const double low = plot.x.low();
  const double high = plot.x.high();
  drawing.define(
      fmt::format("<clipPath id=\"{}-frame\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                  drawing.id(), px(plot.box.x), px(plot.box.y), px(plot.box.width), px(plot.box.height)));
  drawing.open(fmt::format("clip-path=\"url(#{}-frame)\" aria-hidden=\"true\"", drawing.id()));
  // Beyond the frame a logarithmic scale goes on, but not below 0: the lower side ends there.
  const auto y_at = [&](double value) {
    return value > 0 || plot.y.low() <= 0 ? plot.y.at(value) : plot.box.y + 2 * plot.box.height;
  };
  if (band > 0) {
    drawing.path(fmt::format("M{} {}L{} {}L{} {}L{} {}z", px(plot.x.at(low)), px(y_at(low * (1 + band))),
                             px(plot.x.at(high)), px(y_at(high * (1 + band))), px(plot.x.at(high)),
                             px(y_at(high * (1 - band))), px(plot.x.at(low)), px(y_at(low * (1 - band)))),
                 "class=\"band\"");
  }
  drawing.path(
      fmt::format("M{} {}L{} {}", px(plot.x.at(low)), px(plot.y.at(low)), px(plot.x.at(high)), px(plot.y.at(high))),
      "class=\"diagonal\"");
  drawing.close();
}

void draw_front(Drawing& drawing, const ScatterGroup& group, const ScatterPlot& plot, LabelPlacer& labels) {
  std::vector<const Point*> points;
  for (const Point& point : group.points) points.push_back(&point);
  std::ranges::stable_sort(points, {}, [](const Point* point) { return point->x; });
  std::string line;
  double last_x = 0;
  double last_y = 0;
  for (const Point* point : points) {
    const double x = plot.x.at(point->x);
    const double y = plot.y.at(point->y);
    line += line.empty() ? fmt::format("M{} {}", px(x), px(y)) : fmt::format("H{}V{}", px(x), px(y));
    if (point != points.front()) {
      labels.avoid_line(last_x, last_y, x, last_y);
      labels.avoid_line(x, last_y, x, y);
    }
    last_x = x;
    last_y = y;
  }
  if (points.size() > 1) drawing.path(line, plain_stroke(group.tone, "mark") + " stroke-width=\"2\"", group.name);
}

void draw_points(Drawing& drawing, const ScatterChart& chart, std::size_t index, const ScatterPlot& plot) {
  const ScatterGroup& group = chart.series[index];
  const double radius = group.points.size() > most_named ? 3.2 : 4.5;
  for (const Point& point : group.points) {
    drawing.path(mark_path(index, plot.x.at(point.x), plot.y.at(point.y), radius), plain_fill(group.tone, "mark point"),
                 fmt::format("{}{}{}: {}, {}", group.name, point.note.empty() ? "" : ", ", point.note,
                             human(chart.x.quantity, point.x), human(chart.y.quantity, point.y)));
  }
}

/// Few points have names beside them: all of small groups while they are not many together, else those of fronts. The others' are tips.
void draw_point_names(Drawing& drawing, const ScatterChart& chart, const ScatterPlot& plot, LabelPlacer& labels) {
  std::size_t names = 0;
  for (const ScatterGroup& group : chart.series) {
    if (group.points.size() > most_named) continue;
    names +=
        static_cast<std::size_t>(std::ranges::count_if(group.points, [](const Point& p) { return !p.note.empty(); }));
  }
  // The last groups lie on top, and their names come first.
  for (auto group = chart.series.rbegin(); group != chart.series.rend(); ++group) {
    if (group->points.size() > most_named || (names > most_names && !group->joined)) continue;
    for (const Point& point : group->points) {
      if (!point.note.empty()) labels.draw(drawing, plot.x.at(point.x), plot.y.at(point.y), point.note, false);
    }
  }
}

}  // namespace

Drawn draw(const ScatterChart& chart, Drawing& drawing) {
  std::vector<double> xs;
  std::vector<double> ys;
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ScatterGroup& group = chart.series[i];
    for (const Point& point : group.points) {
      xs.push_back(point.x);
      ys.push_back(point.y);
    }
    if (group.points.empty()) continue;
    legend.push_back({.name = group.name,
                      .tone = group.tone,
                      .shape = group.joined ? KeyShape::line : KeyShape::mark,
                      .series = i,
                      .marked = true});
  }
  if (xs.empty()) return {draw_nothing(drawing, drawing.top()), {}};
  const double width = drawing.width();
  if (chart.band) {
    xs.insert(xs.end(), ys.begin(), ys.end());
    ys = xs;
  }
  const Range x_range = padded(range_of(xs, chart.x.scale, chart.x.scale == Scale::linear), chart.x.scale);
  const Range y_range = padded(range_of(ys, chart.y.scale, chart.y.scale == Scale::linear), chart.y.scale);
  const AxisUnit x_unit = axis_unit(chart.x.quantity, std::ranges::max(xs));
  const AxisUnit y_unit = axis_unit(chart.y.quantity, std::ranges::max(ys));

  const bool beside = chart.band.has_value() && legend.size() > 1 && width >= 640;
  double y = drawing.top();
  if (!beside && legend.size() > 1) y = draw_legend(drawing, legend, 2, width - 2, y);
  const double legend_top = y + 20;
  drawing.text(2, y + 12, shortened(axis_label(chart.y, y_unit), width - 4));
  y += 24;
  const double rough_height = chart.band ? 440 : std::clamp(0.5 * width, 240.0, 380.0);
  const auto y_ticks_in = [&](double height) {
    return axis_ticks(chart.y, y_range.low, y_range.high, static_cast<std::size_t>(height / 44), y_unit, false);
  };
  // The labels of the axis take room beside the plot, whose height says which labels there are, and they may be longer than those of the
  // height that was guessed.
  const auto room = [&](double height) {
    double longest = 0;
    for (const Tick& tick : y_ticks_in(height)) longest = std::max(longest, text_width(tick.text));
    return longest + 12;
  };
  const auto box_beside = [&](double left) {
    const double plot_width = width - left - scatter_edge - (beside ? legend_column : 0);
    const double side = std::min(plot_width, 500.0);
    return Box{left, y, chart.band ? side : plot_width, chart.band ? side : rough_height};
  };
  Box box = box_beside(room(rough_height));
  while (room(box.height) > box.x) box = box_beside(room(box.height));
  const ScatterPlot plot{box, PlotScale(chart.x.scale, x_range.low, x_range.high, box.x, box.x + box.width),
                         PlotScale(chart.y.scale, y_range.low, y_range.high, box.y + box.height, box.y)};
  draw_y_axis(drawing, plot.y, y_ticks_in(box.height), box);
  const std::vector<Tick> x_ticks = ticks_side_by_side(plot.x, box.width, [&](std::size_t most) {
    return axis_ticks(chart.x, x_range.low, x_range.high,
                      chart.band ? std::min(most, static_cast<std::size_t>(box.height / 40)) : most, x_unit, false);
  });
  double bottom = draw_x_axis(drawing, plot.x, x_ticks, box, axis_label(chart.x, x_unit));
  if (chart.band) draw_band(drawing, plot, *chart.band);

  LabelPlacer labels(box);
  for (const ScatterGroup& group : chart.series) {
    for (const Point& point : group.points) labels.avoid_point(plot.x.at(point.x), plot.y.at(point.y));
    if (group.joined) draw_front(drawing, group, plot, labels);
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) draw_points(drawing, chart, i, plot);
  draw_point_names(drawing, chart, plot, labels);
  if (beside) {
    bottom = std::max(bottom, draw_legend(drawing, legend, box.x + box.width + 18, width - 2, legend_top, true));
  }
  return {bottom, {}};
}

}  // namespace ringsim::reports
