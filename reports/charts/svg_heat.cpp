// Values over two sets of categories: the better a value, the stronger its colour. Cells without a value are hatched and say why.

#include "reports/charts/axes.hpp"
#include "reports/charts/chart_table.hpp"
#include "reports/charts/fills.hpp"
#include "reports/charts/heat_colors.hpp"
#include "reports/charts/legend.hpp"
#include "reports/charts/svg_kinds.hpp"
#include "reports/charts/text_widths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::reports {
namespace {

constexpr double key_step = 22, text_line = 13;

/// Steps of colour between the worst and the best value; by ratio where values differ manifold.
class HeatSteps {
 public:
  explicit HeatSteps(const HeatMap& chart) : low_is_good_(chart.low_is_good) {
    for (const HeatCell& cell : chart.cells) {
      if (!cell.value) continue;
      low_ = any_ ? std::min(low_, *cell.value) : *cell.value;
      high_ = any_ ? std::max(high_, *cell.value) : *cell.value;
      any_ = true;
    }
    by_ratio_ = low_ > 0 && high_ / low_ > 5;
  }
  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] bool one_value() const { return !(high_ > low_); }
  [[nodiscard]] double worst() const { return low_is_good_ ? high_ : low_; }
  [[nodiscard]] double best() const { return low_is_good_ ? low_ : high_; }
  [[nodiscard]] double largest() const { return std::max(std::abs(low_), std::abs(high_)); }
  [[nodiscard]] std::size_t step(double value) const {
    if (one_value()) return heat_steps / 2;
    const double part = by_ratio_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
    const double good = low_is_good_ ? 1 - part : part;
    return std::min(heat_steps - 1, static_cast<std::size_t>(good * static_cast<double>(heat_steps)));
  }

 private:
  double low_ = 0, high_ = 0;
  bool low_is_good_, by_ratio_ = false, any_ = false;
};

std::string nothing_look(const Drawing& drawing, std::string_view classes) {
  return fmt::format("class=\"{}\" fill=\"url(#{}-nothing)\"", classes, drawing.id());
}

/// What the colours mean, from the worst to the best value.
double draw_heat_key(Drawing& drawing, const HeatMap& chart, const HeatSteps& steps, const AxisUnit& unit, double y) {
  drawing.text(2, y + 12,
               shortened(fmt::format("{}, {}", axis_label({chart.value_label, chart.quantity}, unit),
                                     chart.low_is_good ? "lower is better" : "higher is better"),
                         drawing.width() - 4));
  y += 20;
  drawing.open_decoration("key");
  double x = 2;
  if (steps.any()) {
    const std::string worst = in_axis_unit(steps.worst(), unit);
    const std::string best = in_axis_unit(steps.best(), unit);
    if (!steps.one_value()) {
      drawing.text(x, y + 11, worst, {.classes = "quiet"});
      x += text_width(worst) + 6;
    }
    const std::size_t first = steps.one_value() ? heat_steps / 2 : 0;
    const std::size_t last = steps.one_value() ? first : heat_steps - 1;
    const double step_width = drawing.width() < 480 ? 14 : key_step;
    for (std::size_t step = first; step <= last; ++step, x += step_width) {
      drawing.rect({x, y, step_width, 14}, fmt::format("class=\"heat-{}\"", step));
    }
    drawing.text(x + 6, y + 11, best, {.classes = "quiet"});
    x += text_width(best) + 24;
  }
  const auto entry = [&](const std::string& name, const std::string& look) {
    if (x + 24 + text_width(name) > drawing.width() && x > 2) {
      x = 2;
      y += 20;
    }
    drawing.rect({x + 1.5, y + 0.5, 13, 13}, look);
    drawing.text(x + 21, y + 11, name);
    x += 21 + text_width(name) + 16;
  };
  if (std::ranges::any_of(chart.cells, &HeatCell::chosen)) entry("chosen", "class=\"chosen\"");
  if (!std::ranges::all_of(chart.cells, [](const HeatCell& cell) { return cell.value.has_value(); })) {
    entry("not possible", nothing_look(drawing, "nothing-key"));
  }
  drawing.close();
  return y + 24;
}

void draw_lines(Drawing& drawing, const Box& box, const std::vector<std::string>& lines, std::string_view classes) {
  const double top = box.y + (box.height - text_line * static_cast<double>(lines.size())) / 2 + 10;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    drawing.text(box.x + box.width / 2, top + text_line * static_cast<double>(i), lines[i],
                 {.anchor = Anchor::middle, .classes = classes});
  }
}

void draw_cell(Drawing& drawing, const HeatMap& chart, const HeatCell& cell, const std::string& where, const Box& box,
               const HeatSteps& steps, const AxisUnit& unit) {
  constexpr double small = 11, padding = 6;
  const double room = box.width - padding;
  if (!cell.value) {
    drawing.rect(box, nothing_look(drawing, "mark"), fmt::format("{}: {}", where, cell.reason));
    const auto most = static_cast<std::size_t>((box.height - 6) / text_line);
    std::vector<std::string> lines = broken_lines(cell.reason, room, most, small);
    // A letter or two of each word say nothing.
    if (room < 40) lines.clear();
    draw_lines(drawing, box, lines, "small on-nothing");
    return;
  }
  const std::size_t step = steps.step(*cell.value);
  drawing.rect(
      box, fmt::format("class=\"mark heat-{}\"", step),
      fmt::format("{}: {}{}{}", where, human(chart.quantity, *cell.value), cell.label.empty() ? "" : ", ", cell.label));
  std::vector<std::string> lines;
  if (const std::string value = in_axis_unit(*cell.value, unit); text_width(value) <= room) lines.push_back(value);
  if (const std::string label = shortened(cell.label, room, small); !label.empty() && room >= 40)
    lines.push_back(label);
  const std::string classes = fmt::format("on-heat-{}", step);
  draw_lines(drawing, box, lines, lines.size() > 1 ? "small " + classes : classes);
}

}  // namespace

Drawn draw(const HeatMap& chart, Drawing& drawing) {
  if (chart.cells.empty()) return {draw_nothing(drawing, drawing.top()), {}};
  drawing.define(empty_pattern(drawing.id()));
  const HeatSteps steps(chart);
  const AxisUnit unit = axis_unit(chart.quantity, steps.largest());
  const double top = draw_heat_key(drawing, chart, steps, unit, drawing.top());

  double names = 0;
  for (const std::string& name : chart.y) names = std::max(names, text_width(name));
  const double left = std::min(names, 0.28 * drawing.width()) + 10;
  const double cell_width = std::min(150.0, (drawing.width() - left - 4) / static_cast<double>(chart.x.size()));
  const double cell_height = chart.y.size() > 24 ? 22 : cell_width < 60 ? 34 : cell_width < 100 ? 48 : 40;
  drawing.text(2, top + 12, shortened(chart.y_label, drawing.width() - 4), {.classes = "quiet"});
  const double grid_top = top + 20;
  double bottom = grid_top;
  for (std::size_t y = 0; y < chart.y.size(); ++y) {
    drawing.text(left - 7, grid_top + cell_height * (static_cast<double>(y) + 0.5) + 4, shortened(chart.y[y], left - 9),
                 {.anchor = Anchor::end});
    for (std::size_t x = 0; x < chart.x.size(); ++x) {
      const Box box{left + cell_width * static_cast<double>(x), grid_top + cell_height * static_cast<double>(y),
                    cell_width - 2, cell_height - 2};
      const std::string where = fmt::format("{} {}, {} {}", chart.x_label, chart.x[x], chart.y_label, chart.y[y]);
      draw_cell(drawing, chart, chart.cells[y * chart.x.size() + x], where, box, steps, unit);
    }
    bottom += cell_height;
  }
  // Frames lie over the neighbours.
  for (std::size_t i = 0; i < chart.cells.size(); ++i) {
    if (!chart.cells[i].chosen) continue;
    const auto x = static_cast<double>(i % chart.x.size());
    const auto y = static_cast<double>(i / chart.x.size());
    const Box frame{left + cell_width * x - 0.5, grid_top + cell_height * y - 0.5, cell_width - 1, cell_height - 1};
    drawing.rect(frame, "class=\"seam\" stroke-width=\"6\"");  // told from any colour of the cell
    drawing.rect(frame, "class=\"chosen\"");
  }
  for (std::size_t x = 0; x < chart.x.size(); ++x) {
    drawing.text(left + cell_width * (static_cast<double>(x) + 0.5) - 1, bottom + 14, shortened(chart.x[x], cell_width),
                 {.anchor = Anchor::middle});
  }
  const double grid_width = cell_width * static_cast<double>(chart.x.size());
  drawing.text(left + grid_width / 2, bottom + 32, shortened(chart.x_label, drawing.width() - left),
               {.anchor = Anchor::middle, .classes = "quiet"});
  return {bottom + 40, {}};
}

}  // namespace ringsim::reports
