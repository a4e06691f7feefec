#pragma once
// Charts as Vega-Lite specifications (https://vega.github.io/vega-lite/docs/spec.html), data included. Colours are names of CSS
// variables without their dashes ("chart-attention"); the page puts in what they are in its theme.

#include "reports/charts/chart.hpp"
#include "reports/json_parts.hpp"

namespace ringsim::reports {

[[nodiscard]] Json vega_lite(const Chart& chart);

}  // namespace ringsim::reports
