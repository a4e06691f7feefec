#pragma once
// The charts of a sweep, chosen by what was varied.
//
//   numbers along one axis           lines: the time against it, a line for every combination of the other values (up to eight;
//                                    of more the best over what is left)
//   one axis                         bars: where the time goes at every value
//   two axes or more                 heat map over the two with most values that can still be read; cells are the best over the others
//   memory known                     memory against the first chart's axis, with the capacity
//   ranks differ                     GPUs against time, with the front of what is not beaten
//
// The best of several points is the one with the least time that fits in memory.

#include "reports/charts/chart.hpp"
#include "reports/html/sweep_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim::reports {

struct SweepChart {
  std::string id;
  Chart chart;
};
[[nodiscard]] std::vector<SweepChart> sweep_charts(const SweepTable& table);

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
[[nodiscard]] ChartAxis axis_of(const SweepTable& table, std::size_t column);

}  // namespace ringsim::reports
