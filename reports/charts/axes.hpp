#pragma once
// A plot's frame: how values become coordinates, marks along its sides, lines across it with their labels.

#include "reports/charts/drawing.hpp"
#include "reports/charts/ticks.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::reports {

/// Maps [low, high] to [from, to] pixels; from > to where values grow upwards.
class PlotScale {
 public:
  PlotScale(Scale kind, double low, double high, double from, double to);
  [[nodiscard]] double at(double value) const;
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] bool covers(double value) const { return value >= low_ && value <= high_; }

 private:
  Scale kind_;
  double low_, high_, from_, to_;
};

/// The most ticks whose texts stand apart: tries `ticks(n)` with fewer and fewer.
[[nodiscard]] std::vector<Tick> ticks_side_by_side(const PlotScale& x, double room,
                                                   const std::function<std::vector<Tick>(std::size_t)>& ticks);

/// Grid lines over `plot`, texts and the axis' name below it; returns where the next thing may begin.
double draw_x_axis(Drawing& drawing, const PlotScale& x, const std::vector<Tick>& ticks, const Box& plot,
                   std::string_view name);
/// Grid lines, and texts to the left of `plot`.
void draw_y_axis(Drawing& drawing, const PlotScale& y, const std::vector<Tick>& ticks, const Box& plot);

/// Labels of vertical lines stand above the plot, in as many lanes as they need not to meet.
struct LaneLabel {
  double x = 0;  // of the line
  std::string text{};
  Tone tone = Tone::limit;
  double left = 0;       // of the text, once placed
  std::size_t lane = 0;  // 0 is next to the plot
};
inline constexpr double lane_height = 15;
/// Between `left` and `right`; returns the number of lanes.
std::size_t place_in_lanes(std::vector<LaneLabel>& labels, double left, double right);
/// Lines from their labels down to the end of `plot`.
void draw_lanes(Drawing& drawing, const std::vector<LaneLabel>& labels, const Box& plot);

/// What a chart without anything to show shows.
double draw_nothing(Drawing& drawing, double top);

}  // namespace ringsim::reports
