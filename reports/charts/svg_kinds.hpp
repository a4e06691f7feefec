#pragma once
// A function a kind of chart. They draw from drawing.top() downwards.

#include "reports/charts/drawing.hpp"

#include <string>

namespace ringsim::reports {

struct Drawn {
  double height = 0;     // of the picture
  std::string remark{};  // for the description: what the drawing leaves to be said
};

[[nodiscard]] Drawn draw(const BarChart& chart, Drawing& drawing);
[[nodiscard]] Drawn draw(const GanttChart& chart, Drawing& drawing);
[[nodiscard]] Drawn draw(const LineChart& chart, Drawing& drawing);
[[nodiscard]] Drawn draw(const HeatMap& chart, Drawing& drawing);
[[nodiscard]] Drawn draw(const ScatterChart& chart, Drawing& drawing);

}  // namespace ringsim::reports
