// Stacked horizontal bars: a row a bar. Parts say their value where it fits, sums stand at the end of their bar.

#include "reports/charts/axes.hpp"
#include "reports/charts/chart_table.hpp"
#include "reports/charts/fills.hpp"
#include "reports/charts/legend.hpp"
#include "reports/charts/svg_kinds.hpp"
#include "reports/charts/text_widths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::reports {
namespace {

constexpr double narrow = 520;             // below: names of rows stand above their bars
constexpr std::size_t most_labelled = 40;  // rows; above: thin bars without their own sums
constexpr double edge = 12;

struct BarLayout {
  bool thin = false;
  bool names_above = false;
  double bar = 0, pitch = 0;      // height of a bar, from one bar to the next
  double left = 0, per_unit = 0;  // where bars begin; pixels per SI unit
};

std::vector<double> sums_of(const BarChart& chart) {
  std::vector<double> sums(chart.rows.size());
  for (const BarSeries& series : chart.series) {
    for (std::size_t row = 0; row < sums.size(); ++row) sums[row] += series.values[row];
  }
  return sums;
}

BarLayout bar_layout(const BarChart& chart, const std::vector<double>& sums, double width) {
  BarLayout layout;
  layout.thin = chart.rows.size() > most_labelled;
  double names = 0;
  for (const std::string& row : chart.rows) names = std::max(names, text_width(row));
  layout.names_above = width < narrow && !layout.thin && names > 0.15 * width;
  layout.bar = layout.thin ? 8 : chart.rows.size() > 16 ? 17 : 22;
  layout.pitch = layout.bar + (layout.thin ? 2 : layout.names_above ? 23 : 6);
  layout.left = layout.names_above ? 6 : std::min(names, 0.34 * width) + 10;
  // As wide as sums behind their bars and the lines allow.
  const double room = width - layout.left - edge;
  double per_unit = HUGE_VAL;
  double widest = 0;
  for (const double sum : sums) {
    const double label = layout.thin ? 0 : text_width(human(chart.value.quantity, sum)) - 2;
    widest = std::max(widest, label);
    if (sum > 0) {
      per_unit = std::min(per_unit, (room - label) / sum);
    }
  }
  for (const ReferenceLine& line : chart.lines) {
    if (line.at > 0) per_unit = std::min(per_unit, (room - widest) / line.at);
  }
  layout.per_unit = std::isfinite(per_unit) ? per_unit : room;
  return layout;
}

void draw_bar(Drawing& drawing, const BarChart& chart, std::size_t row, double y, const BarLayout& layout, double most,
              const AxisUnit& unit) {
  double x = layout.left;
  for (const BarSeries& series : chart.series) {
    const double value = series.values[row];
    const double width = value * layout.per_unit;
    if (value > 0) {
      // A hair's breadth between parts.
      const double gap = std::min(1.0, 0.25 * width);
      drawing.rect({x, y, std::max(width - gap, 0.1), layout.bar}, drawing.fill_of(series.tone),
                   fmt::format("{}, {}: {}", chart.rows[row], series.name, human(chart.value.quantity, value)));
      const std::string label = like_largest(value, most, unit);
      // A bar of one part has its value behind it.
      if (chart.series.size() > 1 && layout.bar >= 16 && text_width(label, 11) + 8 <= width) {
        drawing.text(x + (width - gap) / 2, y + layout.bar / 2 + 4, label,
                     {.anchor = Anchor::middle, .classes = fmt::format("small on-{}", tone_name(series.tone))});
      }
    }
    x += width;
  }
}

void draw_name(Drawing& drawing, const std::string& name, double y, const BarLayout& layout) {
  if (layout.names_above) {
    drawing.text(layout.left, y - 5, shortened(name, drawing.width() - 2 * layout.left));
  } else {
    drawing.text(layout.left - 8, y + layout.bar / 2 + 4, shortened(name, layout.left - 10), {.anchor = Anchor::end});
  }
}

}  // namespace

Drawn draw(const BarChart& chart, Drawing& drawing) {
  if (chart.rows.empty() || chart.series.empty()) return {draw_nothing(drawing, drawing.top()), {}};
  const std::vector<double> sums = sums_of(chart);
  const BarLayout layout = bar_layout(chart, sums, drawing.width());
  double most = std::ranges::max(sums);
  for (const ReferenceLine& line : chart.lines) most = std::max(most, line.at);
  const AxisUnit unit = axis_unit(chart.value.quantity, most);

  std::vector<LegendEntry> legend;
  for (const BarSeries& series : chart.series) {
    if (std::ranges::any_of(series.values, [](double value) { return value > 0; })) {
      legend.push_back({.name = series.name, .tone = series.tone});
    }
  }
  double y = drawing.top();
  if (chart.series.size() > 1) y = draw_legend(drawing, legend, 2, drawing.width() - 2, y);

  std::vector<LaneLabel> lanes;
  for (const ReferenceLine& line : chart.lines) {
    lanes.push_back({.x = layout.left + line.at * layout.per_unit,
                     .text = fmt::format("{}: {}", line.label, human(chart.value.quantity, line.at)),
                     .tone = line.tone});
  }
  y += lane_height * static_cast<double>(place_in_lanes(lanes, 2, drawing.width() - 2)) + 4;

  const double above = layout.names_above ? 18 : 2;
  const double height = above + layout.pitch * static_cast<double>(chart.rows.size() - 1) + layout.bar + 4;
  const Box plot{layout.left, y, drawing.width() - layout.left - edge, height};
  const double shown = plot.width / layout.per_unit;
  const PlotScale scale(Scale::linear, 0, shown, plot.x, plot.x + plot.width);
  const std::vector<Tick> ticks =
      most > 0 ? ticks_side_by_side(scale, plot.width,
                                    [&](std::size_t count) { return linear_ticks(0, shown, count, unit); })
               : std::vector<Tick>{{0, "0"}};
  const double bottom = draw_x_axis(drawing, scale, ticks, plot, axis_label(chart.value, unit));

  const auto every = static_cast<std::size_t>(std::ceil(13 / layout.pitch));
  for (std::size_t row = 0; row < chart.rows.size(); ++row) {
    const double bar_top = y + above + layout.pitch * static_cast<double>(row);
    if (row % every == 0) draw_name(drawing, chart.rows[row], bar_top, layout);
    draw_bar(drawing, chart, row, bar_top, layout, most, unit);
  }
  draw_lanes(drawing, lanes, plot);
  for (std::size_t row = 0; row < chart.rows.size() && !layout.thin; ++row) {
    const double bar_top = y + above + layout.pitch * static_cast<double>(row);
    const std::string text = human(chart.value.quantity, sums[row]);
    // Not across a line: then behind it.
    double x = layout.left + sums[row] * layout.per_unit + 5;
    for (auto lane = lanes.rbegin(); lane != lanes.rend(); ++lane) {
      if (lane->x > x - 4 && lane->x < x + text_width(text) + 3) x = lane->x + 5;
    }
    drawing.text(x, bar_top + layout.bar / 2 + 4, text, {.classes = "halo"});
  }
  return {bottom, {}};
}

}  // namespace ringsim::reports
