// Lines, areas stacked below them, and reference lines; every point answers to the pointer.
#include "reports/charts/chart_table.hpp"
#include "reports/charts/vega_kinds.hpp"
#include "reports/charts/vega_parts.hpp"

#include <algorithm>
#include <set>

namespace ringsim::reports {
namespace {

/// Marks where the points are if these are few, as ring sizes are; else where they fall on the axis.
std::vector<Tick> ticks_of(const ChartAxis& axis, const std::set<double>& values, const Extent& extent,
                           const AxisUnit& unit) {
  if (!extent.any) return {};
  if (values.size() > 1 && are_powers_of_two(std::vector<double>(values.begin(), values.end()))) {
    return doubling_ticks(extent.low, extent.high, 12);
  }
  return axis.scale == Scale::logarithmic ? log_ticks(extent.low, extent.high, 12, unit)
                                          : linear_ticks(extent.low, extent.high, 8, unit);
}

}  // namespace

Json vega_lines(const LineChart& chart) {
  std::vector<std::string> names;
  std::vector<Tone> tones;
  Json dashes = Json::array();
  for (const LineSeries& series : chart.series) {
    names.push_back(series.name);
    tones.push_back(series.tone);
    dashes.push_back(series.stroke == Stroke::dashed ? Json({6, 4}) : Json({1, 0}));
  }
  names = told_apart(names);

  Json areas = Json::array(), lines = Json::array(), points = Json::array();
  Extent x, y;
  std::set<double> at;
  std::vector<double> stack;  // of the areas so far, by point
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const LineSeries& series = chart.series[s];
    stack.resize(std::max(stack.size(), series.points.size()), 0.0);
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const Point& point = series.points[i];
      const double top = series.area ? stack[i] += point.y : point.y;
      x.add(point.x);
      y.add(top);
      at.insert(point.x);
      Json row = {{"series", names[s]}, {"x", point.x}, {"y", point.y}};
      if (series.area) row["order"] = s;
      (series.area ? areas : lines).push_back(row);
      row["y"] = top;
      row["x_text"] = human(chart.x.quantity, point.x);
      row["y_text"] = human(chart.y.quantity, point.y);
      row["note"] = point.note;
      row["size"] = series.marks && !series.area ? 50 : 0;
      points.push_back(std::move(row));
    }
  }
  for (const ReferenceLine& line : chart.at_x) x.add(line.at);
  for (const ReferenceLine& line : chart.at_y) y.add(line.at);
  const AxisUnit x_unit = axis_unit(chart.x.quantity, x.high), y_unit = axis_unit(chart.y.quantity, y.high);
  if (chart.y.scale == Scale::linear) y.add(0.0);

  const Json x_axis = {{"field", "x"},
                       {"type", "quantitative"},
                       {"scale", vega_scale(chart.x.scale, x, false)},
                       {"axis", vega_axis(chart.x, x_unit, ticks_of(chart.x, at, x, x_unit))}};
  Json y_axis = {{"field", "y"},
                 {"type", "quantitative"},
                 {"scale", vega_scale(chart.y.scale, y, true)},
                 {"axis", vega_axis(chart.y, y_unit, ticks_of(chart.y, {}, y, y_unit))}};
  // Areas are stacked by Vega-Lite, everything else stands where it is.
  Json stacked = y_axis;
  stacked["stack"] = "zero";
  y_axis["stack"] = nullptr;
  // One legend for colours and dashes; where there are areas, they are squares.
  Json legend = vega_legend();
  legend["symbolType"] = areas.empty() ? "stroke" : "square";
  const Json color = {
      {"field", "series"}, {"type", "nominal"}, {"scale", vega_tone_scale(names, tones)}, {"legend", legend}};
  const Json dash = {{"field", "series"},
                     {"type", "nominal"},
                     {"scale", {{"domain", names}, {"range", std::move(dashes)}}},
                     {"legend", legend}};

  Json layers = Json::array();
  if (!areas.empty()) {
    layers.push_back({{"data", {{"values", std::move(areas)}}},
                      {"mark", {{"type", "area"}, {"opacity", 0.85}}},
                      {"encoding",
                       {{"x", x_axis},
                        {"y", stacked},
                        {"color", color},
                        {"order", {{"field", "order"}, {"type", "quantitative"}}}}}});
  }
  if (!lines.empty()) {
    layers.push_back({{"data", {{"values", std::move(lines)}}},
                      {"mark", {{"type", "line"}, {"strokeWidth", 2}}},
                      {"encoding", {{"x", x_axis}, {"y", y_axis}, {"color", color}, {"strokeDash", dash}}}});
  }
  add_reference_lines(layers, chart.at_x, LineLabels::along, chart.x.quantity);
  add_reference_lines(layers, chart.at_y, LineLabels::at_the_right, chart.y.quantity);
  const Json tooltip =
      vega_tooltip({{"series", "series"}, {"x_text", chart.x.label}, {"y_text", chart.y.label}, {"note", "note"}});
  const Json data = {{"values", std::move(points)}};
  // What is seen, and above it what is hit: a wider mark that nobody sees.
  layers.push_back({{"data", data},
                    {"transform", {{{"filter", "datum.size > 0"}}}},
                    {"mark", {{"type", "point"}, {"filled", true}, {"opacity", 1}, {"size", 45}}},
                    {"encoding", {{"x", x_axis}, {"y", y_axis}, {"color", color}}}});
  layers.push_back(
      {{"data", data},
       {"transform", {{{"filter", "datum.note != ''"}}}},
       {"mark", {{"type", "text"}, {"align", "left"}, {"dx", 7}, {"dy", -7}, {"color", "chart-ink"}, {"fontSize", 11}}},
       {"encoding", {{"x", x_axis}, {"y", y_axis}, {"text", {{"field", "note"}, {"type", "nominal"}}}}}});
  layers.push_back({{"data", data},
                    {"mark", {{"type", "point"}, {"filled", true}, {"opacity", 0}, {"size", 250}}},
                    {"encoding", {{"x", x_axis}, {"y", y_axis}, {"tooltip", tooltip}}}});
  Json json = vega_head(chart.words, 300);
  json["layer"] = std::move(layers);
  return json;
}

}  // namespace ringsim::reports
