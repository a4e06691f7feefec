#pragma once
// Pieces that the Vega-Lite specifications of all charts share: https://vega.github.io/vega-lite/docs/
//
// Data are inline and in SI, with the text for people beside each number, so that tooltips say what the rest of the report says. Names
// that come from a scenario stand in data and in domains only, never in an expression.

#include "reports/charts/chart.hpp"
#include "reports/charts/ticks.hpp"
#include "reports/json_parts.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

/// {$schema, title, description, width, height, ...}: as wide as the place where the chart stands; `height` [px] is the plot's, without
/// axes and legends.
[[nodiscard]] Json vega_head(const ChartWords& words, double height);

/// "chart-attention": the page knows the colour.
[[nodiscard]] std::string vega_color(Tone tone);

/// The axis of a quantity: title with unit, labels divided by it.
[[nodiscard]] Json vega_axis(const ChartAxis& axis, const AxisUnit& unit);
/// The same with its marks at `ticks`.
[[nodiscard]] Json vega_axis(const ChartAxis& axis, const AxisUnit& unit, const std::vector<Tick>& ticks);

/// {title: null, orient, columns} of a legend: as many columns as there is room for.
[[nodiscard]] Json vega_legend(const std::string& orient = "top");

/// {domain: names, range: colours}.
[[nodiscard]] Json vega_tone_scale(const std::vector<std::string>& names, const std::vector<Tone>& tones);

/// [{field, title}, ...] of {field, title} pairs.
struct TooltipField {
  std::string field, title;
};
[[nodiscard]] Json vega_tooltip(const std::vector<TooltipField>& fields);

/// The values along an axis from the least to the largest.
struct Extent {
  double low = 0, high = 0;
  bool any = false;
  void add(double value);
};
/// Of a scale that shows all of `extent`, with the ends rounded where `nice`. Without a value it shows something, too.
[[nodiscard]] Json vega_scale(Scale scale, const Extent& extent, bool nice);

/// Adds layers with reference lines: upright ones at values of x, labelled along the line or above the plot, lying ones at values of y.
enum class LineLabels { along, above, at_the_right };
void add_reference_lines(Json& layers, const std::vector<ReferenceLine>& lines, LineLabels labels, Quantity quantity);

/// The same names where they differ; a name that was there before gets " (2)", " (3)", ...: what has one name would be one thing.
[[nodiscard]] std::vector<std::string> told_apart(std::vector<std::string> names);

}  // namespace ringsim::reports
