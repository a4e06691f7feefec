// Stacked horizontal bars: a bar a row, its sum at its end, reference lines above all.
#include "reports/charts/chart_table.hpp"
#include "reports/charts/vega_kinds.hpp"
#include "reports/charts/vega_parts.hpp"

#include <algorithm>

namespace ringsim::reports {

Json vega_bars(const BarChart& chart) {
  const std::vector<std::string> rows = told_apart(chart.rows);
  std::vector<std::string> names;
  std::vector<Tone> tones;
  for (const BarSeries& series : chart.series) {
    names.push_back(series.name);
    tones.push_back(series.tone);
  }
  names = told_apart(names);

  std::vector<double> sums(rows.size(), 0.0);
  Json parts = Json::array();
  Json totals = Json::array();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t s = 0; s < names.size(); ++s) {
      const double value = chart.series[s].values.at(row);
      sums[row] += value;
      parts.push_back({{"row", rows[row]},
                       {"part", names[s]},
                       {"order", s},
                       {"value", value},
                       {"text", human(chart.value.quantity, value)}});
    }
    totals.push_back({{"row", rows[row]}, {"value", sums[row]}, {"text", human(chart.value.quantity, sums[row])}});
  }
  Extent extent;
  extent.add(0.0);
  for (const double sum : sums) extent.add(sum * 1.12);  // with room for the sum in figures
  for (const ReferenceLine& line : chart.lines) extent.add(line.at);
  const AxisUnit unit = axis_unit(chart.value.quantity, extent.high);

  const Json y = {{"field", "row"}, {"type", "nominal"}, {"sort", nullptr}, {"title", chart.row_header}};
  Json layers = Json::array();
  layers.push_back(
      {{"data", {{"values", std::move(parts)}}},
       {"mark", {{"type", "bar"}}},
       {"encoding",
        {{"y", y},
         {"x",
          {{"field", "value"},
           {"type", "quantitative"},
           {"stack", "zero"},
           {"scale", vega_scale(Scale::linear, extent, true)},
           {"axis", vega_axis(chart.value, unit, linear_ticks(0, extent.high, 8, unit))}}},
         {"color",
          {{"field", "part"},
           {"type", "nominal"},
           {"scale", vega_tone_scale(names, tones)},
           {"legend", vega_legend(chart.lines.empty() ? "top" : "bottom")}}},
         {"order", {{"field", "order"}, {"type", "quantitative"}}},
         {"tooltip", vega_tooltip({{"row", chart.row_header}, {"part", "part"}, {"text", chart.value.label}})}}}});
  add_reference_lines(layers, chart.lines, LineLabels::above, chart.value.quantity);
  if (names.size() > 1) {
    layers.push_back(
        {{"data", {{"values", std::move(totals)}}},
         {"mark", {{"type", "text"}, {"align", "left"}, {"dx", 4}, {"color", "chart-ink"}, {"fontSize", 11}}},
         {"encoding",
          {{"y", y},
           {"x", {{"field", "value"}, {"type", "quantitative"}}},
           {"text", {{"field", "text"}, {"type", "nominal"}}}}}});
  }
  Json json =
      vega_head(chart.words, static_cast<double>(std::max<std::size_t>(rows.size(), 1)) * (rows.size() > 40 ? 12 : 22));
  json["layer"] = std::move(layers);
  return json;
}

}  // namespace ringsim::reports
