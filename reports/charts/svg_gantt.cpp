// Rows of spans over time. A few thousand are rectangles that say what they are; more become a path for each row and tone.

#include "reports/charts/axes.hpp"
#include "reports/charts/fills.hpp"
#include "reports/charts/gantt_paths.hpp"
#include "reports/charts/legend.hpp"
#include "reports/charts/svg_kinds.hpp"
#include "reports/charts/text_widths.hpp"
#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::reports {
namespace {

constexpr double narrow_gantt = 520, right_edge = 16;
constexpr std::size_t most_rectangles = 3000;

struct GanttLayout {
  double bar = 0, pitch = 0, between_groups = 0;
  bool groups_above = false;  // their names stand in a line of their own
  bool names = true;          // rows have room for theirs
  double group_width = 0, left = 0, plot_width = 0;
  std::vector<double> tops;  // of the rows
  double bottom = 0;
};

bool begins_group(const GanttChart& chart, std::size_t row) {
  return row == 0 || chart.rows[row].group != chart.rows[row - 1].group;
}

GanttLayout gantt_layout(const GanttChart& chart, double width, double top) {
  GanttLayout layout;
  const std::size_t rows = chart.rows.size();
  layout.bar = rows <= 16 ? 18 : rows <= 32 ? 13 : rows <= 80 ? 8 : rows <= 240 ? 5 : 3;
  layout.pitch = layout.bar + (layout.bar > 10 ? 2 : 1);
  layout.names = layout.pitch >= 13;
  layout.between_groups = layout.names ? 7 : 3;
  double groups = 0;
  double names = 0;
  for (const GanttRow& row : chart.rows) {
    groups = std::max(groups, text_width(row.group) * 1.08);
    names = std::max(names, text_width(row.name));
  }
  layout.groups_above = layout.names && width < narrow_gantt && groups > 0;
  layout.group_width = layout.groups_above || groups == 0 ? 0 : std::min(groups, 0.2 * width) + 10;
  layout.left = layout.group_width + (layout.names && names > 0 ? std::min(names, 0.24 * width) + 8 : 0) + 2;
  layout.plot_width = width - layout.left - right_edge;
  double y = top;
  for (std::size_t row = 0; row < rows; ++row) {
    if (begins_group(chart, row)) {
      if (row > 0) y += layout.between_groups;
      if (layout.groups_above && !chart.rows[row].group.empty()) y += 17;
    }
    layout.tops.push_back(y);
    y += layout.pitch;
  }
  layout.bottom = y + 2;
  return layout;
}

void draw_names(Drawing& drawing, const GanttChart& chart, const GanttLayout& layout) {
  double free_from = 0;  // names of groups thin out where groups are lower than text
  for (std::size_t row = 0; row < chart.rows.size(); ++row) {
    const double middle = layout.tops[row] + layout.bar / 2 + 4;
    if (begins_group(chart, row)) {
      const std::string& group = chart.rows[row].group;
      if (layout.groups_above) {
        drawing.text(2, layout.tops[row] - 5, shortened(group, drawing.width() - 4), {.classes = "strong"});
      } else if (layout.group_width > 0) {
        const double at = layout.names ? middle : layout.tops[row] + 9;
        if (at - 11 >= free_from) {
          drawing.text(2, at, shortened(group, layout.group_width - 8), {.classes = layout.names ? "strong" : ""});
          free_from = at + 2;
        }
      }
    }
    if (layout.names) {
      drawing.text(layout.left - 7, middle, shortened(chart.rows[row].name, layout.left - layout.group_width - 8),
                   {.anchor = Anchor::end, .classes = "quiet"});
    }
  }
}

void draw_rectangles(Drawing& drawing, const GanttChart& chart, const GanttLayout& layout, const PlotScale& x) {
  for (const GanttSpan& span : chart.spans) {
    const double from = std::max(span.start_s, chart.start_s);
    const double to = std::min(span.end_s, chart.end_s);
    if (to < from) continue;
    const double width = x.at(to) - x.at(from);
    // Touching spans are told apart by a hair's breadth; what is hardly there is still to be seen.
    drawing.rect({x.at(from), layout.tops[span.row], std::max(width > 3 ? width - 0.6 : width, 0.4), layout.bar},
                 drawing.fill_of(span.tone),
                 fmt::format("{}; {} to {}", span.name, human_time(span.start_s), human_time(span.end_s)));
  }
}

}  // namespace

Drawn draw(const GanttChart& chart, Drawing& drawing) {
  if (chart.rows.empty() || !(chart.end_s > chart.start_s)) return {draw_nothing(drawing, drawing.top()), {}};
  std::vector<LegendEntry> legend;
  for (const GanttKey& key : chart.key) legend.push_back({.name = key.name, .tone = key.tone});
  const double top = draw_legend(drawing, legend, 2, drawing.width() - 2, drawing.top());
  const GanttLayout layout = gantt_layout(chart, drawing.width(), top + 2);

  // Late windows count from their start: ticks with ten digits say nothing.
  const double span = chart.end_s - chart.start_s;
  const bool relative = std::abs(chart.start_s) > 2 * span;
  const double origin = relative ? chart.start_s : 0;
  const PlotScale x(Scale::linear, chart.start_s, chart.end_s, layout.left, layout.left + layout.plot_width);
  const AxisUnit unit = axis_unit(Quantity::seconds, chart.end_s - origin);
  const std::vector<Tick> ticks = ticks_side_by_side(x, layout.plot_width, [&](std::size_t most) {
    std::vector<Tick> all = linear_ticks(chart.start_s - origin, chart.end_s - origin, most, unit);
    for (Tick& tick : all) tick.value += origin;
    return all;
  });
  const std::string name = relative ? fmt::format("time from {}", human_time(chart.start_s)) : "time";
  drawing.open_decoration("rows");
  for (const double row_top : layout.tops) {
    drawing.rect({layout.left, row_top, layout.plot_width, layout.bar}, "class=\"ground\"");
  }
  drawing.close();
  const double bottom = draw_x_axis(drawing, x, ticks, {layout.left, top, layout.plot_width, layout.bottom - top},
                                    fmt::format("{} [{}]", name, unit.name));
  draw_names(drawing, chart, layout);
  if (chart.spans.size() <= most_rectangles) {
    draw_rectangles(drawing, chart, layout, x);
    return {bottom, {}};
  }
  for (const GanttPath& path : gantt_paths(chart, x)) {
    const GanttRow& row = chart.rows[path.row];
    const auto key = std::ranges::find(chart.key, path.tone, &GanttKey::tone);
    drawing.path(path.commands(layout.tops[path.row] + layout.bar / 2),
                 fmt::format("{} stroke-width=\"{}\"", drawing.stroke_of(path.tone), px(layout.bar)),
                 fmt::format("{} {}{}{}: {} spans", row.group, row.name, key == chart.key.end() ? "" : ", ",
                             key == chart.key.end() ? "" : key->name, human_count(path.spans)));
  }
  return {
      bottom,
      fmt::format(
          "{} spans, drawn to a tenth of a pixel, {}: where they are shorter, each kind has its share of the tenths.",
          human_count(static_cast<std::int64_t>(chart.spans.size())), human_time(0.1 * span / layout.plot_width))};
}

}  // namespace ringsim::reports
