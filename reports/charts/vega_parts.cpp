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

Json vega_legend(const std::string& orient) {
  return {
      {"title", nullptr},
      {"orient", orient},
      // Of the place, not of the plot, whose width in turn is what the legend leaves. Without a page there is no place.
      {"columns", {{"expr", "width && containerSize()[0] ? max(1, floor(containerSize()[0] / 190)) : 4"}}}};
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

void add_reference_lines(Json& layers, const std::vector<ReferenceLine>& lines, LineLabels labels, Quantity quantity) {
  const bool upright = labels != LineLabels::at_the_right;
  double above = 0;  // of the plot's top edge: one below the other where they may be side by side
  for (const ReferenceLine& line : lines) {
    const Json data = {{"values", {{{"at", line.at}, {"label", line.label}, {"text", human(quantity, line.at)}}}}};
    const Json place = {{"field", "at"}, {"type", "quantitative"}};
    Json tooltip = vega_tooltip({{"label", "line"}, {"text", "at"}});
    Json mark = {
        {"type", "text"}, {"color", "chart-ink"}, {"fontSize", 11}, {"baseline", "bottom"}, {"align", "right"}};
    Json other;
    switch (labels) {
      case LineLabels::along:
        mark.update({{"angle", 270}, {"dy", -3}});
        other = {{"y", {{"value", 4}}}};
        break;
      case LineLabels::above:
        mark["dy"] = above - 3.0;
        above -= 13.0;
        other = {{"y", {{"value", 0}}}};
        break;
      case LineLabels::at_the_right:
        mark.update({{"dx", -4}, {"dy", -3}});
        other = {{"x", {{"value", "width"}}}};
        break;
    }
    layers.push_back(
        {{"data", data},
         {"mark", {{"type", "rule"}, {"color", vega_color(line.tone)}, {"strokeWidth", 1.5}, {"strokeDash", {6, 3}}}},
         {"encoding", {{upright ? "x" : "y", place}, {"tooltip", std::move(tooltip)}}}});
    Json encoding = {{upright ? "x" : "y", place}, {"text", {{"field", "label"}, {"type", "nominal"}}}};
    encoding.update(other);
    layers.push_back({{"data", data}, {"mark", std::move(mark)}, {"encoding", std::move(encoding)}});
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
