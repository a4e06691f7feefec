// Points of two quantities; the diagonal with its band, where both axes have one scale; a front that joins points by steps.
#include "reports/charts/chart_table.hpp"
#include "reports/charts/vega_kinds.hpp"
#include "reports/charts/vega_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ringsim::reports {
namespace {

Json place(const char* field, const ChartAxis& axis, const Extent& extent, bool nice) {
  const AxisUnit unit = axis_unit(axis.quantity, extent.high);
  const bool log = axis.scale == Scale::logarithmic && extent.any;
  return {{"field", field},
          {"type", "quantitative"},
          {"scale", vega_scale(axis.scale, extent, nice && !log)},
          {"axis", log ? vega_axis(axis, unit, log_ticks(extent.low, extent.high, 10, unit)) : vega_axis(axis, unit)}};
}

}  // namespace

Json vega_scatter(const ScatterChart& chart) {
  std::vector<std::string> names;
  std::vector<Tone> tones;
  for (const ScatterGroup& group : chart.series) {
    names.push_back(group.name);
    tones.push_back(group.tone);
  }
  names = told_apart(names);

  Json points = Json::array(), joined = Json::array();
  Extent xs, ys;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    for (const Point& point : chart.series[s].points) {
      xs.add(point.x);
      ys.add(point.y);
      Json row = {{"series", names[s]}, {"x", point.x}, {"y", point.y}};
      if (chart.series[s].joined) joined.push_back(row);
      row["x_text"] = human(chart.x.quantity, point.x);
      row["y_text"] = human(chart.y.quantity, point.y);
      row["note"] = point.note;
      points.push_back(std::move(row));
    }
  }
  if (chart.band && xs.any) {
    // One scale for both, with room at its ends.
    const bool log = chart.x.scale == Scale::logarithmic;
    const double low = std::min(xs.low, ys.low), high = std::max(xs.high, ys.high);
    const double room = log ? 1.25 : std::max(0.05 * (high - low), 1e-3 * std::abs(high));
    xs.add(log ? low / room : low - room);
    xs.add(log ? high * room : high + room);
    ys = xs;
  }
  const Json x = place("x", chart.x, xs, !chart.band), y = place("y", chart.y, ys, !chart.band);
  const Json color = {
      {"field", "series"}, {"type", "nominal"}, {"scale", vega_tone_scale(names, tones)}, {"legend", vega_legend()}};
  const Json shape = {
      {"field", "series"}, {"type", "nominal"}, {"scale", {{"domain", names}}}, {"legend", vega_legend()}};

  Json layers = Json::array();
  if (chart.band && xs.any) {
    Json ends = Json::array(), edges = Json::array();
    for (const double at : std::array{xs.low, xs.high}) {
      ends.push_back({{"x", at}, {"y", at}});
      edges.push_back({{"x", at}, {"y", at * (1.0 - *chart.band)}, {"y2", at * (1.0 + *chart.band)}});
    }
    layers.push_back({{"data", {{"values", std::move(edges)}}},
                      {"mark", {{"type", "area"}, {"color", "chart-ideal"}, {"opacity", 0.15}, {"clip", true}}},
                      {"encoding", {{"x", x}, {"y", y}, {"y2", {{"field", "y2"}}}}}});
    layers.push_back({{"data", {{"values", std::move(ends)}}},
                      {"mark", {{"type", "line"}, {"color", "chart-ideal"}, {"strokeDash", {6, 4}}, {"clip", true}}},
                      {"encoding", {{"x", x}, {"y", y}}}});
  }
  if (!joined.empty()) {
    layers.push_back({{"data", {{"values", std::move(joined)}}},
                      {"mark", {{"type", "line"}, {"interpolate", "step-after"}, {"strokeWidth", 1.5}}},
                      {"encoding", {{"x", x}, {"y", y}, {"color", color}}}});
  }
  layers.push_back(
      {{"data", {{"values", std::move(points)}}},
       {"mark", {{"type", "point"}, {"filled", true}, {"opacity", 0.9}, {"size", 60}}},
       {"encoding",
        {{"x", x},
         {"y", y},
         {"color", color},
         {"shape", shape},
         {"tooltip",
          vega_tooltip(
              {{"series", "group"}, {"x_text", chart.x.label}, {"y_text", chart.y.label}, {"note", "note"}})}}}});
  Json json = vega_head(chart.words, chart.band ? 420 : 320);
  json["layer"] = std::move(layers);
  return json;
}

}  // namespace ringsim::reports
