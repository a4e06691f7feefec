#pragma once
// The charts of `validate`.

#include "calibrate/compare/comparison.hpp"
#include "reports/charts/chart.hpp"
#include "sim/spans.hpp"

namespace ringsim::reports {

/// A point an operation that both have, or where they were not matched one by one, a point a kind of operation: its median. Of
/// more than 5,000 operations likewise, and the description says so; and how many took no time, which a logarithmic axis has no place for.
[[nodiscard]] ScatterChart operations_chart(const calibrate::Comparison& comparison);

/// The slowest rank's time, measured and predicted: two bars.
[[nodiscard]] BarChart compared_times_chart(const calibrate::Comparison& comparison);

/// The same ranks and streams, predicted under measured, over the first layers: as many whole ones as 600 spans hold, of at most eight ranks.
[[nodiscard]] GanttChart compared_timeline(const sim::Timeline& measured, const sim::Timeline& predicted);

}  // namespace ringsim::reports
