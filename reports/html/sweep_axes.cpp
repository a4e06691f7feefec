#include "reports/html/sweep_axes.hpp"

#include "reports/charts/chart_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace ringsim::reports {
namespace {

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

bool better(const SweepTable& table, std::size_t a, std::size_t b, const std::string& time) {
  return std::pair(!fits(table, a), table.figure(a, time)) < std::pair(!fits(table, b), table.figure(b, time));
}

}  // namespace

bool is_numeric(const SweepTable& table, std::size_t axis) {
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return row[axis].value.has_value(); });
}

std::vector<std::string> values_of(const SweepTable& table, std::size_t axis) {
  std::vector<SweepCell> values;
  std::set<std::string_view> known;
  for (const auto& row : table.rows) {
    if (known.insert(row[axis].text).second) values.push_back(row[axis]);
  }
  if (is_numeric(table, axis)) {
    std::stable_sort(values.begin(), values.end(),
                     [](const SweepCell& a, const SweepCell& b) { return a.value < b.value; });
  }
  std::vector<std::string> texts;
  for (SweepCell& value : values) texts.push_back(std::move(value.text));
  return texts;
}

ChartAxis axis_of_column(const std::string& column) {
  struct Unit {
    const char* suffix;
    Quantity quantity;
  };
  // The longer ending first: "_bytes_per_s" ends like "_s".
  constexpr std::array<Unit, 3> units = {
      {{"_bytes_per_s", Quantity::bytes_per_second}, {"_bytes", Quantity::bytes}, {"_s", Quantity::seconds}}};
  struct Spoken {
    const char* column;
    const char* words;
    Quantity quantity;
  };
  constexpr std::array<Spoken, 8> spoken = {{{"ttft_s", "TTFT", Quantity::seconds},
                                             {"tpot_s", "TPOT", Quantity::seconds},
                                             {"step_time_s", "step time", Quantity::seconds},
                                             {"makespan_s", "makespan", Quantity::seconds},
                                             {"memory_total_bytes", "memory of a GPU", Quantity::bytes},
                                             {"ranks", "GPUs", Quantity::count},
                                             {"mfu", "MFU", Quantity::fraction},
                                             {"tokens_per_s", "tokens/s", Quantity::number}}};
  for (const Spoken& known : spoken) {
    if (column == known.column) return {known.words, known.quantity, Scale::linear};
  }
  for (const Unit& unit : units) {
    if (column.ends_with(unit.suffix)) {
      return {column.substr(0, column.size() - std::string_view(unit.suffix).size()), unit.quantity, Scale::linear};
    }
  }
  return {column, Quantity::number, Scale::linear};
}

ChartAxis find_axis(const SweepTable& table, std::size_t column) {
  ChartAxis about = axis_of_column(table.columns[column]);
  std::size_t alike = 0;
  for (std::size_t i = 0; i < table.axes; ++i) {
    alike += last_part(axis_of_column(table.columns[i]).label) == last_part(about.label) ? 1U : 0U;
  }
  if (column < table.axes && alike == 1) about.label = last_part(about.label);
  const bool whole = std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return !row[column].value || std::floor(*row[column].value) == *row[column].value;
  });
  if (about.quantity == Quantity::number && whole) about.quantity = Quantity::count;
  return about;
}

std::string value_text(const SweepTable& table, std::size_t axis, const SweepCell& cell) {
  const ChartAxis& about = table.about[axis];
  return cell.value ? human(about.quantity, *cell.value) : cell.text;
}

std::string place_of(const SweepTable& table, std::size_t row) {
  std::string text;
  for (std::size_t axis = 0; axis < table.axes; ++axis) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", table.about[axis].label,
                        value_text(table, axis, table.rows[row][axis]));
  }
  return text;
}

bool fits(const SweepTable& table, std::size_t row) {
  const auto at = table.column("memory_fits");
  return !at || table.rows[row][*at].text != "false";
}

std::optional<std::string> time_column(const SweepTable& table) {
  for (const char* name : {"ttft_s", "step_time_s", "tpot_s", "makespan_s"}) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      if (table.figure(row, name)) return name;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> best_row(const SweepTable& table, const std::string& time) {
  std::optional<std::size_t> best;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (!table.figure(row, time) || !fits(table, row)) continue;
    if (!best || better(table, row, *best, time)) best = row;
  }
  return best;
}

BestRows best_of(const SweepTable& table, std::vector<std::size_t> axes, const std::string& time) {
  BestRows best{std::move(axes), {}};
  std::map<std::vector<std::string>, std::size_t> known;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (!table.figure(row, time)) continue;
    std::vector<std::string> key;
    for (const std::size_t axis : best.axes) key.push_back(table.rows[row][axis].text);
    const auto [at, is_new] = known.try_emplace(key, best.rows.size());
    if (is_new) {
      best.rows.emplace_back(std::move(key), row);
    } else if (better(table, row, best.rows[at->second].second, time)) {
      best.rows[at->second].second = row;
    }
  }
  return best;
}

}  // namespace ringsim::reports
