#include "reports/charts/vega_parts.hpp"

#include "reports/charts/chart_table.hpp"
#include "reports/charts/tones.hpp"
#include "reports/humanise.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace ringsim::reports {
Json vega_head(const ChartWords& words, double height) {
  return {{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
          {"title", words.title},
          {"description", words.description},
          {"width", "container"},
          {"height", height},
          {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}}};
}

void Extent::add(double value) {
  low = any ? std::min(low, value) : value;
  high = any ? std::max(high, value) : value;
  any = true;
}

Json vega_scale(Scale scale, const Extent& extent, bool nice) {
  const bool log = scale == Scale::logarithmic;
  double low = extent.any ? extent.low : log ? 1.0 : 0.0;
  double high = extent.any ? extent.high : low + 1.0;
  // One value alone stands in the middle.
  if (!(high > low)) {
    const double room = low == 0.0 ? 1.0 : std::abs(low) / 2.0;
    low -= low == 0.0 ? 0.0 : room;
    high += room;
  }
  Json json = {{"domain", {low, high}}, {"nice", nice}};
  if (log) {
    json["type"] = "log";
  } else {
    json["zero"] = false;
  }
  return json;
}

std::string vega_color(Tone tone) { return "chart-" + std::string(color_of(tone).name); }

Json vega_axis(const ChartAxis& axis, const AxisUnit& unit) {
  Json json = {{"title", axis_label(axis, unit)}, {"tickCount", 6}};
  // Ten digits, without zeros that say nothing: enough for a timeline that somebody zooms into.
  json["labelExpr"] = "format(datum.value / " + exact(unit.size) + ", ',.10~r')";
  return json;
}

Json vega_axis(const ChartAxis& axis, const AxisUnit& unit, const std::vector<Tick>& ticks) {
  Json json = {{"title", axis_label(axis, unit)}};
  json["values"] = Json::array();
  for (const Tick& tick : ticks) json["values"].push_back(tick.value);
  json["labelExpr"] = "format(datum.value / " + exact(unit.size) + ", ',.10~r')";
  json["labelOverlap"] = "greedy";
  return json;
}

Json vega_legend() {
  return {{"title", nullptr}, {"orient", "top"}, {"columns", {{"expr", "max(1, floor(width / 170))"}}}};
}

Json vega_tone_scale(const std::vector<std::string>& names, const std::vector<Tone>& tones) {
  Json range = Json::array();
  for (const Tone tone : tones) range.push_back(vega_color(tone));
  return {{"domain", names}, {"range", std::move(range)}};
}

Json vega_tooltip(const std::vector<TooltipField>& fields) {
  Json json = Json::array();
  for (const TooltipField& field : fields) {
    json.push_back({{"field", field.field}, {"type", "nominal"}, {"title", field.title}});
  }
  return json;
}

void add_reference_lines(Json& layers, const std::vector<ReferenceLine>& lines, LineAcross across, Quantity quantity) {
  const bool upright = across == LineAcross::x_axis;
  for (const ReferenceLine& line : lines) {
    const Json data = {{"values", {{{"at", line.at}, {"label", line.label}, {"text", human(quantity, line.at)}}}}};
    const Json place = {{"field", "at"}, {"type", "quantitative"}};
    Json tooltip = vega_tooltip({{"label", "line"}, {"text", "at"}});
    Json rule = {
        {"data", data},
        {"mark", {{"type", "rule"}, {"color", vega_color(line.tone)}, {"strokeWidth", 1.5}, {"strokeDash", {6, 3}}}},
        {"encoding", {{upright ? "x" : "y", place}, {"tooltip", tooltip}}}};
    Json label = {{"data", data}, {"mark", {{"type", "text"}, {"color", "chart-ink"}, {"fontSize", 11}}}};
    label["encoding"] = {{upright ? "x" : "y", place},
                         {upright ? "y" : "x", {{"value", upright ? Json(4) : Json("width")}}},
                         {"text", {{"field", "label"}, {"type", "nominal"}}}};
    label["mark"].update(upright ? Json{{"angle", 270}, {"align", "right"}, {"baseline", "bottom"}, {"dy", -3}}
                                 : Json{{"align", "right"}, {"baseline", "bottom"}, {"dx", -4}, {"dy", -3}});
    layers.push_back(std::move(rule));
    layers.push_back(std::move(label));
  }
}

std::vector<std::string> told_apart(std::vector<std::string> names) {
  std::set<std::string> seen;
  for (std::string& name : names) {
    const std::string first = name;
    for (int n = 2; !seen.insert(name).second; ++n) name = first + " (" + std::to_string(n) + ")";
  }
  return names;
}

}  // namespace ringsim::reports
