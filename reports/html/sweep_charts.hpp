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

}  // namespace ringsim::reports
