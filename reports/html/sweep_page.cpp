#include "reports/html/sweep_page.hpp"

#include "reports/charts/chart_table.hpp"
#include "reports/html/sweep_axes.hpp"
#include "reports/html/sweep_charts.hpp"
#include "reports/humanise.hpp"
#include "reports/json_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ringsim::reports {
namespace {

/// As a sweep prints it in JSON, but in one list: a cell of an axis is a number or a text, of a figure also true or false.
std::string rows_as_json(const SweepTable& table) {
  const auto quoted = [](const std::string& text) {
    return Json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  std::string text = "[";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    text += row == 0 ? "\n{" : ",\n{";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const SweepCell& cell = table.rows[row][i];
      const bool flag = i >= table.axes && (cell.text == "true" || cell.text == "false");
      const std::string value = cell.text.empty() ? "null" : cell.value || flag ? cell.text : quoted(cell.text);
      text += fmt::format("{}{}:{}", i == 0 ? "" : ",", quoted(table.columns[i]), value);
    }
    text += "}";
  }
  return text + "\n]\n";
}

std::vector<KeyFigure> key_figures(const SweepTable& table, const std::string& time) {
  std::vector<KeyFigure> figures;
  const std::optional<std::size_t> best = best_row(table, time);
  if (!best) return figures;
  const std::size_t row = best.value();
  for (const char* name : {"ttft_s", "step_time_s", "tpot_s", "makespan_s", "exposed_communication_s", "ranks", "mfu",
                           "memory_total_bytes", "gpu_hours", "cost"}) {
    const std::optional<double> value = table.figure(row, name);
    if (!value) continue;
    const ChartAxis about = axis_of_column(name);
    const Quantity quantity = std::string_view(name) == "cost" ? Quantity::money : about.quantity;
    std::string label = about.label;
    std::replace(label.begin(), label.end(), '_', ' ');
    figures.push_back({label == "gpu hours" ? "GPU-hours" : label, fmt::format("{}.{}", row, name), *value,
                       human(quantity, *value), "at the best point"});
  }
  return figures;
}

std::string answer_of(const SweepTable& table, const std::optional<std::string>& time) {
  const auto failed =
      static_cast<std::int64_t>(std::count_if(table.rows.begin(), table.rows.end(), [&](const auto& row) {
        return table.failed(static_cast<std::size_t>(&row - table.rows.data()));
      }));
  std::string text = fmt::format("{} points", human_count(static_cast<std::int64_t>(table.rows.size())));
  if (failed > 0) text += fmt::format(", {} of which cannot be predicted", human_count(failed));
  if (!time) return text + ".";
  const std::optional<std::size_t> best = best_row(table, *time);
  if (!best) return text + "; none fits in memory.";
  const ChartAxis about = axis_of_column(*time);
  return fmt::format("{}. The least {}, {}, is that of {}.", text, about.label,
                     human(about.quantity, *table.figure(*best, *time)), place_of(table, *best));
}

Grid rows_grid(const SweepTable& table) {
  // Columns that no row fills say nothing.
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool filled =
        std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& r) { return !r[i].text.empty(); });
    if (i < table.axes || filled) shown.push_back(i);
  }
  Grid grid;
  for (const std::size_t i : shown) {
    const bool numbers =
        std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& r) { return r[i].value.has_value(); });
    const ChartAxis& about = table.about[i];
    grid.columns.push_back({about.label, numbers ? Align::right : Align::left});
  }
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::size_t i : shown) {
      cells.push_back(row[i].value ? human(table.about[i].quantity, *row[i].value) : row[i].text);
    }
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

}  // namespace

HtmlPage sweep_page(const SweepPage& sweep, const PageOrigin& origin) {
  const SweepTable& table = sweep.table;
  const std::optional<std::string> time = time_column(table);
  HtmlPage page = empty_page(sweep.name, "Sweep", origin);
  page.answer = answer_of(table, time);
  if (time) page.figures = key_figures(table, *time);
  page.result_json = rows_as_json(table);
  HtmlSection charts{"charts", "How the time depends on what was varied", "", {}};
  for (SweepChart& chart : sweep_charts(table)) charts.blocks.emplace_back(Figure{chart.id, std::move(chart.chart)});
  add_section(page, std::move(charts));
  const auto count = static_cast<std::int64_t>(table.rows.size());
  add_section(page, {"rows",
                     "Rows",
                     "rounded; exact numbers are in the file and in this page's source",
                     {rows_grid(table)},
                     fmt::format("All {} rows", human_count(count))});
  return page;
}

}  // namespace ringsim::reports
