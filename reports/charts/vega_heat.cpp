// Values over two sets of categories. The nearer to the best, the farther from the page is the colour of a cell; a cell without a value is
// crossed out, and says why under the pointer.
#include "reports/charts/chart_table.hpp"
#include "reports/charts/heat_colors.hpp"
#include "reports/charts/vega_kinds.hpp"
#include "reports/charts/vega_parts.hpp"

#include <algorithm>

namespace ringsim::reports {
namespace {

/// The step of `value`, of equal steps between the extremes of a map.
std::size_t step_between(const Extent& all, double value, bool low_is_good) {
  const double share = all.high > all.low ? (value - all.low) / (all.high - all.low) : 0.5;
  const double steps = static_cast<double>(heat_steps);
  return static_cast<std::size_t>(std::min((low_is_good ? 1.0 - share : share) * steps, steps - 1.0));
}

/// {domain: 0 to 8, range: PREFIX-0 to PREFIX-8}.
Json step_scale(const std::string& prefix) {
  Json domain = Json::array(), range = Json::array();
  for (std::size_t step = 0; step < heat_steps; ++step) {
    domain.push_back(step);
    range.push_back(prefix + std::to_string(step));
  }
  return {{"domain", std::move(domain)}, {"range", std::move(range)}};
}

Json step_color(const std::string& prefix) {
  return {{"field", "step"}, {"type", "ordinal"}, {"scale", step_scale(prefix)}, {"legend", nullptr}};
}

Json text_layer(const Json& place, const char* field, int dy, double least_width) {
  Json encoding = place;
  encoding["text"] = {{"field", field}, {"type", "nominal"}};
  // A cell that is too narrow for its text leaves it to the tooltip.
  return {
      {"mark",
       {{"type", "text"},
        {"dy", dy},
        {"fontSize", {{"expr", "bandwidth('x') < " + std::to_string(static_cast<int>(least_width)) + " ? 0 : 11"}}}}},
      {"encoding", std::move(encoding)}};
}

}  // namespace

Json vega_heat(const HeatMap& chart) {
  const std::vector<std::string> xs = told_apart(chart.x), ys = told_apart(chart.y);
  Extent values;
  for (const HeatCell& cell : chart.cells) {
    if (cell.value) values.add(*cell.value);
  }
  Json cells = Json::array();
  bool labels = false;
  for (std::size_t i = 0; i < chart.cells.size(); ++i) {
    const HeatCell& cell = chart.cells[i];
    Json row = {{"x", xs.at(i % xs.size())}, {"y", ys.at(i / xs.size())}, {"value", nullptr}};
    if (cell.value) {
      row["value"] = *cell.value;
      row["step"] = step_between(values, *cell.value, chart.low_is_good);
      row["text"] = human(chart.quantity, *cell.value);
      row["label"] = cell.label;
      labels = labels || !cell.label.empty();
    } else {
      row["text"] = "not feasible";
      row["label"] = cell.reason;
    }
    if (cell.chosen) row["chosen"] = true;
    cells.push_back(std::move(row));
  }

  const auto category = [](const char* field, const std::vector<std::string>& domain, const std::string& title) {
    return Json{
        {"field", field}, {"type", "nominal"}, {"sort", nullptr}, {"scale", {{"domain", domain}}}, {"title", title}};
  };
  Json place = {{"x", category("x", xs, chart.x_label)}, {"y", category("y", ys, chart.y_label)}};
  place["x"]["axis"] = {{"labelAngle", 0}, {"labelOverlap", "greedy"}};
  const Json tooltip =
      vega_tooltip({{"y", chart.y_label}, {"x", chart.x_label}, {"text", chart.value_label}, {"label", "note"}});
  const Json with_value = {{{"filter", "datum.value !== null"}}};
  const Json without_value = {{{"filter", "datum.value === null"}}};
  Json layers = Json::array();
  const auto layer = [&](const Json& filter, Json mark, Json encoding) {
    encoding.update(place);
    layers.push_back({{"transform", filter}, {"mark", std::move(mark)}, {"encoding", std::move(encoding)}});
  };
  layer(with_value, {{"type", "rect"}, {"stroke", "chart-page"}},
        {{"color", step_color("chart-heat-")}, {"tooltip", tooltip}});
  layer(without_value, {{"type", "rect"}, {"color", "chart-ground"}, {"stroke", "chart-page"}}, {{"tooltip", tooltip}});
  layer(without_value, {{"type", "point"}, {"shape", "M-1,-1L1,1M-1,1L1,-1"}, {"size", 60}, {"color", "chart-frame"}},
        {{"tooltip", tooltip}});
  Json text = text_layer(place, "text", labels ? -7 : 0, 58);
  text["transform"] = with_value;
  text["encoding"]["color"] = step_color("chart-on-heat-");
  Json label = text_layer(place, "label", 8, 84);
  label["transform"] = with_value;
  label["encoding"]["color"] = step_color("chart-on-heat-");
  layers.push_back(std::move(text));
  if (labels) layers.push_back(std::move(label));
  layer({{{"filter", "datum.chosen"}}},
        {{"type", "rect"}, {"filled", false}, {"color", "chart-chosen"}, {"strokeWidth", 3}}, {{"tooltip", tooltip}});

  Json json = vega_head(chart.words, 44.0 * static_cast<double>(std::max<std::size_t>(ys.size(), 1)));
  json["title"] = {{"text", chart.words.title},
                   {"subtitle", chart.value_label + (chart.low_is_good ? "; the less, the stronger the colour"
                                                                       : "; the more, the stronger the colour")}};
  json["data"] = {{"values", std::move(cells)}};
  json["layer"] = std::move(layers);
  // Cells and the text on them have colours of their own.
  json["resolve"] = {{"scale", {{"color", "independent"}}}};
  return json;
}

}  // namespace ringsim::reports
