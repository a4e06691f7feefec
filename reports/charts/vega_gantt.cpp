// A timeline: a row a stream, a rectangle a span; it is moved and zoomed along the time.
//
// Spans may be 100,000, so they are columns of small integers, which `flatten` makes rows of: row, kind, name as indices into lists, start
// and duration as multiples of a tick. The tick is a power of ten of seconds below 1e-9 of the whole: no drawing shows less.
#include "reports/charts/vega_kinds.hpp"
#include "reports/charts/vega_parts.hpp"
#include "reports/humanise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace ringsim::reports {
namespace {

/// Texts by number, each once, in the order in which they first come.
class Names {
 public:
  std::size_t number(const std::string& name) {
    const auto [at, fresh] = numbers_.try_emplace(name, list_.size());
    if (fresh) list_.push_back(name);
    return at->second;
  }
  [[nodiscard]] const std::vector<std::string>& list() const { return list_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> list_;
};

std::int64_t ticks(double seconds, double tick_s) { return std::llround(seconds / tick_s); }

/// An expression: `seconds` in the unit that suits it, with six significant digits.
std::string in_seconds(const std::string& seconds) {
  const auto in = [&seconds](const char* times, const char* unit) {
    return "format((" + seconds + ") * " + times + ", '.6~r') + ' " + unit + "'";
  };
  return seconds + " >= 1 ? " + in("1", "s") + " : " + seconds + " >= 1e-3 ? " + in("1e3", "ms") + " : " +
         in("1e6", "us");
}

Json columns(const GanttChart& chart, const std::vector<std::string>& rows, double tick_s) {
  Names names;
  std::map<Tone, std::size_t> kind_of;
  std::vector<std::string> kinds;
  for (const GanttKey& key : chart.key) {
    kind_of.emplace(key.tone, kinds.size());
    kinds.push_back(key.name);
  }
  Json row = Json::array(), kind = Json::array(), name = Json::array(), start = Json::array(), length = Json::array();
  for (const GanttSpan& span : chart.spans) {
    const std::int64_t from = ticks(span.start_s - chart.start_s, tick_s);
    row.push_back(span.row);
    kind.push_back(kind_of.at(span.tone));
    name.push_back(names.number(span.name));
    start.push_back(from);
    length.push_back(ticks(span.end_s - chart.start_s, tick_s) - from);
  }
  return {{"origin_s", chart.start_s}, {"tick_s", tick_s},      {"rows", rows},         {"kinds", told_apart(kinds)},
          {"names", names.list()},     {"r", std::move(row)},   {"k", std::move(kind)}, {"n", std::move(name)},
          {"s", std::move(start)},     {"d", std::move(length)}};
}

}  // namespace

Json vega_gantt(const GanttChart& chart) {
  std::vector<std::string> rows, names;
  for (const GanttRow& row : chart.rows) rows.push_back(row.group.empty() ? row.name : row.group + " · " + row.name);
  rows = told_apart(rows);
  std::vector<Tone> tones;
  for (const GanttKey& key : chart.key) {
    names.push_back(key.name);
    tones.push_back(key.tone);
  }
  names = told_apart(names);

  const double whole_s = chart.end_s > chart.start_s ? chart.end_s - chart.start_s : 1.0;
  const double tick_s = std::pow(10.0, std::floor(std::log10(whole_s)) - 9.0);
  const AxisUnit unit = axis_unit(Quantity::seconds, std::max(std::abs(chart.start_s), std::abs(chart.end_s)));

  Json json =
      vega_head(chart.words, static_cast<double>(std::max<std::size_t>(rows.size(), 1)) * (rows.size() > 64   ? 9
                                                                                           : rows.size() > 32 ? 13
                                                                                                              : 18));
  json["data"] = {{"values", Json::array({columns(chart, rows, tick_s)})}};
  json["transform"] = {
      {{"flatten", {"r", "k", "n", "s", "d"}}},
      {{"calculate", "datum.origin_s + datum.s * datum.tick_s"}, {"as", "start"}},
      {{"calculate", "datum.origin_s + (datum.s + datum.d) * datum.tick_s"}, {"as", "end"}},
      {{"calculate", "datum.rows[datum.r]"}, {"as", "row"}},
      {{"calculate", "datum.kinds[datum.k]"}, {"as", "kind"}},
      {{"calculate", "datum.names[datum.n]"}, {"as", "name"}},
      {{"calculate", in_seconds("datum.start")}, {"as", "start_text"}},
      {{"calculate", in_seconds("datum.d * datum.tick_s")}, {"as", "length_text"}},
  };
  // Moved by dragging; zoomed by the wheel with Ctrl, so that the page still scrolls; all again by a double click.
  json["params"] = {
      {{"name", "window"},
       {"select", {{"type", "interval"}, {"encodings", {"x"}}, {"zoom", "wheel![event.ctrlKey || event.metaKey]"}}},
       {"bind", "scales"}}};
  json["mark"] = {{"type", "bar"}, {"clip", true}, {"height", {{"band", 0.8}}}};
  json["encoding"] = {
      {"y",
       {{"field", "row"}, {"type", "nominal"}, {"sort", nullptr}, {"scale", {{"domain", rows}}}, {"title", nullptr}}},
      {"x",
       {{"field", "start"},
        {"type", "quantitative"},
        {"scale", {{"domain", {chart.start_s, chart.start_s + whole_s}}, {"nice", false}, {"zero", false}}},
        {"axis", vega_axis({"time", Quantity::seconds, Scale::linear}, unit)}}},
      {"x2", {{"field", "end"}}},
      {"color",
       {{"field", "kind"}, {"type", "nominal"}, {"scale", vega_tone_scale(names, tones)}, {"legend", vega_legend()}}}};
  json["encoding"]["tooltip"] = vega_tooltip(
      {{"name", "span"}, {"row", "on"}, {"kind", "kind"}, {"start_text", "start"}, {"length_text", "duration"}});
  return json;
}

}  // namespace ringsim::reports
