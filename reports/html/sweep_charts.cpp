#include "reports/html/sweep_charts.hpp"

#include "reports/charts/chart_table.hpp"
#include "reports/charts/tones.hpp"
#include "reports/html/sweep_axes.hpp"
#include "reports/html/titled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace ringsim::reports {
namespace {

constexpr std::size_t lines_drawn = 8;
constexpr std::size_t bars_drawn = 64;
constexpr std::size_t most_cells_across = 16, most_cells_down = 24;

/// A logarithmic axis where values above 0 spread over more than a factor.
Scale scale_for(const std::vector<double>& values, double factor) {
  if (values.empty()) return Scale::linear;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *least > 0 && *most / *least >= factor ? Scale::logarithmic : Scale::linear;
}

struct Dimensions {
  std::optional<std::size_t> x;        // numbers, to draw along
  std::vector<std::size_t> others;     // axes besides it
  std::vector<std::size_t> line_axes;  // of the others, those that tell lines apart; the best over the rest
};

std::size_t combinations(const SweepTable& table, const std::vector<std::size_t>& axes) {
  std::size_t product = 1;
  for (const std::size_t axis : axes) product *= values_of(table, axis).size();
  return product;
}

Dimensions dimensions_of(const SweepTable& table) {
  Dimensions d;
  std::size_t most = 1;
  for (std::size_t axis = 0; axis < table.axes; ++axis) {
    const std::size_t count = values_of(table, axis).size();
    if (count >= most && count > 1 && is_numeric(table, axis)) {
      d.x = axis;
      most = count;
    }
  }
  for (std::size_t axis = 0; axis < table.axes; ++axis) {
    if (axis == d.x) continue;
    d.others.push_back(axis);
    d.line_axes.push_back(axis);
    if (combinations(table, d.line_axes) > lines_drawn) d.line_axes.pop_back();
  }
  return d;
}

std::string best_over_text(const SweepTable& table, const std::vector<std::size_t>& shown) {
  std::string names;
  for (std::size_t axis = 0; axis < table.axes; ++axis) {
    if (std::find(shown.begin(), shown.end(), axis) != shown.end()) continue;
    names += (names.empty() ? "" : ", ") + table.about[axis].label;
  }
  return names.empty() ? "" : " Each is the best over " + names + ".";
}

/// A figure along the x axis, a line a combination.
LineChart lines(const SweepTable& table, const Dimensions& d, const std::string& time, const std::string& figure) {
  const std::size_t x = *d.x;
  LineChart chart{.words = {}, .x = table.about[x], .y = axis_of_column(figure), .series = {}, .at_x = {}, .at_y = {}};
  std::vector<std::size_t> axes = d.line_axes;
  axes.push_back(x);
  std::map<std::vector<std::string>, std::size_t> series_of;
  std::vector<double> xs;
  std::vector<double> ys;
  for (const auto& [key, row] : best_of(table, axes, time).rows) {
    const std::optional<double> y = table.figure(row, figure);
    if (!y) continue;
    const std::vector<std::string> line(key.begin(), key.end() - 1);
    const auto [at, is_new] = series_of.try_emplace(line, chart.series.size());
    if (is_new) {
      std::string name;
      for (const std::size_t axis : d.line_axes) {
        name += fmt::format("{}{} {}", name.empty() ? "" : ", ", table.about[axis].label,
                            value_text(table, axis, table.rows[row][axis]));
      }
      chart.series.push_back({.name = name.empty() ? chart.y.label : name, .tone = series_tone(at->second)});
    }
    chart.series[at->second].points.push_back({*table.rows[row][x].value, *y});
    xs.push_back(*table.rows[row][x].value);
    ys.push_back(*y);
  }
  for (LineSeries& series : chart.series) {
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](const Point& a, const Point& b) { return a.x < b.x; });
  }
  constexpr double octaves_x = 8, decades_y = 30;
  chart.x.scale = scale_for(xs, octaves_x);
  chart.y.scale = scale_for(ys, decades_y);
  chart.words.title = titled(fmt::format("{} against {}", chart.y.label, chart.x.label));
  chart.words.description =
      fmt::format("{} lines over {} values of {}.", chart.series.size(), values_of(table, x).size(), chart.x.label) +
      best_over_text(table, axes);
  return chart;
}

std::optional<BarChart> bars(const SweepTable& table, const std::string& time) {
  if (table.axes != 1 || !table.column("compute_s") || !table.column("exposed_communication_s") ||
      !table.column("bubble_s")) {
    return std::nullopt;
  }
  BarChart chart{.words = {"Where the time goes", "A bar a value of the axis: the slowest rank's time."},
                 .row_header = table.about[0].label,
                 .rows = {},
                 .value = axis_of_column(time),
                 .series = {{"compute", Tone::attention, {}},
                            {"exposed communication", Tone::exposed, {}},
                            {"bubble", Tone::late, {}}},
                 .lines = {}};
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto compute = table.figure(row, "compute_s");
    if (!compute) continue;
    chart.rows.push_back(value_text(table, 0, table.rows[row][0]));
    chart.series[0].values.push_back(*compute);
    chart.series[1].values.push_back(table.figure(row, "exposed_communication_s").value_or(0));
    chart.series[2].values.push_back(table.figure(row, "bubble_s").value_or(0));
  }
  if (chart.rows.empty() || chart.rows.size() > bars_drawn) return std::nullopt;
  return chart;
}

std::string reason_of(const SweepTable& table, std::size_t row) {
  const auto at = table.column("error");
  return at ? table.rows[row][*at].text : "";
}

/// The two axes with most values that can still be read; the one with more across.
std::optional<std::pair<std::size_t, std::size_t>> map_axes(const SweepTable& table) {
  std::vector<std::pair<std::size_t, std::size_t>> counts;
  for (std::size_t axis = 0; axis < table.axes; ++axis) {
    const std::size_t count = values_of(table, axis).size();
    if (count > 1 && count <= most_cells_down) counts.emplace_back(count, axis);
  }
  std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (counts.size() < 2) return std::nullopt;
  std::pair axes(counts[0].second, counts[1].second);
  if (counts[0].first > most_cells_across) std::swap(axes.first, axes.second);
  if (values_of(table, axes.first).size() > most_cells_across) return std::nullopt;
  return axes;
}

std::optional<HeatMap> heat_map(const SweepTable& table, const std::string& time) {
  const auto axes = map_axes(table);
  if (!axes) return std::nullopt;
  const auto [x, y] = *axes;
  const ChartAxis value = axis_of_column(time);
  HeatMap map{
      .words = {titled(fmt::format("{} over {} and {}", value.label, table.about[x].label, table.about[y].label)), ""},
      .x_label = table.about[x].label,
      .y_label = table.about[y].label,
      .x = {},
      .y = {},
      .value_label = value.label,
      .quantity = value.quantity,
      .low_is_good = true,
      .cells = {}};
  const std::vector<std::string> xs = values_of(table, x);
  const std::vector<std::string> ys = values_of(table, y);
  map.cells.resize(xs.size() * ys.size());
  const auto place = [&](std::size_t row) {
    const auto column = std::find(xs.begin(), xs.end(), table.rows[row][x].text) - xs.begin();
    const auto line = std::find(ys.begin(), ys.end(), table.rows[row][y].text) - ys.begin();
    return static_cast<std::size_t>(line) * xs.size() + static_cast<std::size_t>(column);
  };
  map.x.resize(xs.size());
  map.y.resize(ys.size());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::size_t at = place(row);
    map.x[at % xs.size()] = value_text(table, x, table.rows[row][x]);
    map.y[at / xs.size()] = value_text(table, y, table.rows[row][y]);
    if (map.cells[at].reason.empty()) map.cells[at].reason = reason_of(table, row);
  }
  const std::optional<std::size_t> best = best_row(table, time);
  for (const auto& [key, row] : best_of(table, {x, y}, time).rows) {
    HeatCell& cell = map.cells[place(row)];
    cell.value = table.figure(row, time);
    cell.reason.clear();
    if (!fits(table, row)) cell.label = "does not fit";
    cell.chosen = best && place(*best) == place(row);
  }
  map.words.description = fmt::format("{} by {} cells; the framed one holds the best of all.", xs.size(), ys.size()) +
                          best_over_text(table, {x, y});
  return map;
}

std::optional<ScatterChart> front(const SweepTable& table, const std::string& time) {
  ScatterChart chart{
      .words = {"GPUs against " + axis_of_column(time).label,
                "Every point that fits in memory; those than which none is both faster and smaller are "
                "joined."},
      .x = {"GPUs", Quantity::count, Scale::linear},
      .y = axis_of_column(time),
      .band = {},
      .series = {{.name = "points"}, {.name = "none is faster and smaller", .tone = Tone::chosen, .joined = true}}};
  std::vector<Point> points;
  std::vector<double> gpus;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto ranks = table.figure(row, "ranks");
    const auto seconds = table.figure(row, time);
    if (!ranks || !seconds || !fits(table, row)) continue;
    points.push_back({*ranks, *seconds, place_of(table, row)});
    gpus.push_back(*ranks);
  }
  if (points.empty() || *std::min_element(gpus.begin(), gpus.end()) == *std::max_element(gpus.begin(), gpus.end())) {
    return std::nullopt;
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
  for (const Point& point : points) {
    const std::vector<Point>& best = chart.series[1].points;
    const bool beats_all = best.empty() || point.y < best.back().y;
    chart.series[beats_all ? 1U : 0U].points.push_back(point);
  }
  constexpr double octaves = 8;
  chart.x.scale = scale_for(gpus, octaves);
  if (chart.series[0].points.empty()) chart.series.erase(chart.series.begin());
  return chart;
}

void add_memory(const SweepTable& table, const Dimensions& d, const std::string& time,
                std::vector<SweepChart>& charts) {
  if (!table.column("memory_total_bytes")) return;
  LineChart chart = lines(table, d, time, "memory_total_bytes");
  if (chart.series.empty()) return;
  std::optional<double> capacity;
  bool one = true;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::optional<double> here = table.figure(row, "memory_capacity_bytes");
    if (!here) continue;
    one = one && (!capacity || *capacity == *here);
    capacity = here;
  }
  if (capacity && one) chart.at_y.push_back({"capacity", *capacity, Tone::limit});
  charts.push_back({"sweep-memory", std::move(chart)});
}

}  // namespace

std::vector<SweepChart> sweep_charts(const SweepTable& table) {
  std::vector<SweepChart> charts;
  const std::optional<std::string> time = time_column(table);
  if (!time || table.axes == 0) return charts;
  const Dimensions d = dimensions_of(table);
  if (d.x) charts.push_back({"sweep-time", lines(table, d, *time, *time)});
  if (auto chart = bars(table, *time)) charts.push_back({"sweep-parts", std::move(*chart)});
  if (auto map = heat_map(table, *time)) charts.push_back({"sweep-map", std::move(*map)});
  if (auto chart = front(table, *time)) charts.push_back({"sweep-front", std::move(*chart)});
  if (d.x) add_memory(table, d, *time, charts);
  return charts;
}

}  // namespace ringsim::reports
