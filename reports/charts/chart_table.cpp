#include "reports/charts/chart_table.hpp"

#include "models/quantity.hpp"
#include "reports/charts/chart_check.hpp"
#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace ringsim::reports {
namespace {

constexpr std::size_t most_spans = 200;

ChartCell words(std::string text) { return {std::move(text), std::nullopt}; }
ChartCell number(Quantity quantity, double value) { return {human(quantity, value), value}; }

ChartTable table(const BarChart& chart) {
  ChartTable table;
  table.header.push_back(chart.row_header);
  for (const BarSeries& series : chart.series) table.header.push_back(series.name);
  const bool sums = chart.series.size() > 1;
  if (sums) table.header.emplace_back("sum");
  for (std::size_t row = 0; row < chart.rows.size(); ++row) {
    std::vector<ChartCell> cells{words(chart.rows[row])};
    double sum = 0;
    for (const BarSeries& series : chart.series) {
      cells.push_back(number(chart.value.quantity, series.values[row]));
      sum += series.values[row];
    }
    if (sums) cells.push_back(number(chart.value.quantity, sum));
    table.rows.push_back(std::move(cells));
  }
  // What the bars are held against, where their sums stand.
  for (const ReferenceLine& line : chart.lines) {
    std::vector<ChartCell> cells(table.header.size());
    cells.front() = words(line.label);
    if (cells.size() > 1) cells.back() = number(chart.value.quantity, line.at);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ChartTable table(const GanttChart& chart) {
  ChartTable table;
  table.header = {"where", "stream", "what", "kind", "start", "end", "duration"};
  for (const GanttSpan& span : chart.spans) {
    if (table.rows.size() == most_spans) {
      table.left_out = fmt::format("The first {} of {} spans.", most_spans,
                                   human_count(static_cast<std::int64_t>(chart.spans.size())));
      break;
    }
    const auto key = std::ranges::find(chart.key, span.tone, &GanttKey::tone);
    const GanttRow& row = chart.rows[span.row];
    table.rows.push_back({words(row.group), words(row.name), words(span.name),
                          words(key == chart.key.end() ? std::string() : key->name),
                          number(Quantity::seconds, span.start_s), number(Quantity::seconds, span.end_s),
                          number(Quantity::seconds, span.end_s - span.start_s)});
  }
  return table;
}

/// A row an x; where a series has an x twice, its second value stands in a second row of that x.
ChartTable table(const LineChart& chart) {
  ChartTable table;
  table.header.push_back(chart.x.label);
  for (const LineSeries& series : chart.series) table.header.push_back(series.name);
  for (const ReferenceLine& line : chart.at_y) table.header.push_back(line.label);
  bool notes = !chart.at_x.empty();
  struct Row {
    std::vector<const Point*> points;
    std::string note;
  };
  std::map<double, std::vector<Row>> rows;
  const auto row_at = [&](double x, std::size_t series) -> Row& {
    std::vector<Row>& same = rows[x];
    for (Row& row : same) {
      if (row.points[series] == nullptr) return row;
    }
    return same.emplace_back(Row{std::vector<const Point*>(chart.series.size()), {}});
  };
  const auto add_note = [](Row& row, const std::string& note) {
    if (!note.empty()) row.note += (row.note.empty() ? "" : "; ") + note;
  };
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    for (const Point& point : chart.series[i].points) {
      Row& row = row_at(point.x, i);
      row.points[i] = &point;
      add_note(row, point.note);
      notes = notes || !point.note.empty();
    }
  }
  for (const ReferenceLine& line : chart.at_x) {
    std::vector<Row>& same = rows[line.at];
    if (same.empty()) same.push_back(Row{std::vector<const Point*>(chart.series.size()), {}});
    add_note(same.front(), line.label);
  }
  if (notes) table.header.emplace_back("note");
  for (const auto& [x, same] : rows) {
    for (const Row& row : same) {
      std::vector<ChartCell> cells{number(chart.x.quantity, x)};
      for (const Point* point : row.points) {
        cells.push_back(point == nullptr ? ChartCell{} : number(chart.y.quantity, point->y));
      }
      for (const ReferenceLine& line : chart.at_y) cells.push_back(number(chart.y.quantity, line.at));
      if (notes) cells.push_back(words(row.note));
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

ChartTable table(const HeatMap& chart) {
  ChartTable table;
  table.header.push_back(fmt::format("{} \\ {}", chart.y_label, chart.x_label));
  table.header.insert(table.header.end(), chart.x.begin(), chart.x.end());
  for (std::size_t y = 0; y < chart.y.size(); ++y) {
    std::vector<ChartCell> cells{words(chart.y[y])};
    for (std::size_t x = 0; x < chart.x.size(); ++x) {
      const HeatCell& cell = chart.cells[y * chart.x.size() + x];
      ChartCell shown{cell.value ? human(chart.quantity, *cell.value) : cell.reason, cell.value};
      if (cell.value && !cell.label.empty()) shown.remark = ", " + cell.label;
      if (cell.chosen) shown.remark += " (chosen)";
      cells.push_back(std::move(shown));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ChartTable table(const ScatterChart& chart) {
  ChartTable table;
  table.header = {"group", "point", chart.x.label, chart.y.label};
  for (const ScatterGroup& group : chart.series) {
    for (const Point& point : group.points) {
      table.rows.push_back(
          {words(group.name), words(point.note), number(chart.x.quantity, point.x), number(chart.y.quantity, point.y)});
    }
  }
  return table;
}

}  // namespace

std::string human(Quantity quantity, double value) {
  switch (quantity) {
    case Quantity::count:
      if (std::abs(value) < 1e15 && std::nearbyint(value) == value) {
        return human_count(static_cast<std::int64_t>(value));
      }
      return human_number(value);
    case Quantity::seconds:
      return human_time(value);
    case Quantity::bytes:
      return human_bytes(bytes(value));
    case Quantity::bytes_per_second:
      return human_bandwidth(bytes_per_second(value));
    case Quantity::fraction:
      return human_percent(value);
    case Quantity::money:
      return human_money(value);
    case Quantity::number:
      break;
  }
  return human_number(value);
}

ChartTable table_of(const Chart& chart) {
  check_chart(chart);
  return std::visit([](const auto& kind) { return table(kind); }, chart);
}

}  // namespace ringsim::reports
