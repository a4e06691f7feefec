#include "reports/charts/vega_lite.hpp"

#include "reports/charts/vega_kinds.hpp"

#include <variant>

namespace ringsim::reports {
namespace {

struct Write {
  Json operator()(const BarChart& chart) const { return vega_bars(chart); }
  Json operator()(const GanttChart& chart) const { return vega_gantt(chart); }
  Json operator()(const LineChart& chart) const { return vega_lines(chart); }
  Json operator()(const HeatMap& chart) const { return vega_heat(chart); }
  Json operator()(const ScatterChart& chart) const { return vega_scatter(chart); }
};

}  // namespace

Json vega_lite(const Chart& chart) { return std::visit(Write{}, chart); }

}  // namespace ringsim::reports
