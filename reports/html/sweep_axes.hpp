#pragma once
// A sweep's columns as axes, and which of its rows is the best: what its charts and its page have in common.

#include "reports/charts/chart.hpp"
#include "reports/html/sweep_table.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::reports {

/// Whether every row has a number there.
[[nodiscard]] bool is_numeric(const SweepTable& table, std::size_t axis);

/// Distinct values of an axis: numbers ascending, others in order of appearance.
[[nodiscard]] std::vector<std::string> values_of(const SweepTable& table, std::size_t axis);

/// A cell of that column for people.
[[nodiscard]] std::string value_text(const SweepTable& table, std::size_t axis, const SweepCell& cell);

/// Whether a row fits in memory; so does one that does not say.
[[nodiscard]] bool fits(const SweepTable& table, std::size_t row);

/// The column by which points are ranked: ttft_s, step_time_s, tpot_s, else makespan_s; absent where a sweep has no time.
[[nodiscard]] std::optional<std::string> time_column(const SweepTable& table);

/// The row with the least time that fits; absent where none does.
[[nodiscard]] std::optional<std::size_t> best_row(const SweepTable& table, const std::string& time);

/// "parallel.ring 8, cluster.inter_node.bandwidth 100.0 GB/s": a row's values on the axes.
[[nodiscard]] std::string place_of(const SweepTable& table, std::size_t row);

/// A column as an axis of a chart: its name without the unit, and the quantity that the unit says.
[[nodiscard]] ChartAxis axis_of_column(const std::string& column);

/// The same of a column of a table: numbers that are all whole are counts, and an axis goes by the last part of its key where no other
/// axis does.
[[nodiscard]] ChartAxis find_axis(const SweepTable& table, std::size_t column);

/// Rows by the values of some axes: of each combination the best row that has a time, in order of first appearance.
struct BestRows {
  std::vector<std::size_t> axes;
  std::vector<std::pair<std::vector<std::string>, std::size_t>> rows;
};
[[nodiscard]] BestRows best_of(const SweepTable& table, std::vector<std::size_t> axes, const std::string& time);

}  // namespace ringsim::reports
