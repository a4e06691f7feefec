#pragma once
// The kinds of charts that vega_lite() chooses from.

#include "reports/charts/chart.hpp"
#include "reports/json_parts.hpp"

namespace ringsim::reports {

[[nodiscard]] Json vega_bars(const BarChart& chart);
[[nodiscard]] Json vega_gantt(const GanttChart& chart);
[[nodiscard]] Json vega_lines(const LineChart& chart);
[[nodiscard]] Json vega_heat(const HeatMap& chart);
[[nodiscard]] Json vega_scatter(const ScatterChart& chart);

}  // namespace ringsim::reports
