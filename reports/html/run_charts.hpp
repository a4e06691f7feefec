#pragma once
// The charts of a run: where each rank's time goes, what fills its memory, what its streams do over time.

#include "models/memory.hpp"
#include "reports/charts/chart.hpp"
#include "sim/spans.hpp"
#include "sim/summarize.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::reports {

/// A bar a rank: kernels, exposed communication, bubble by its cause. Of more than 64 ranks those that a reader would ask for.
[[nodiscard]] BarChart rank_times_chart(const sim::RunSummary& run);

/// A bar a memory, its terms by size (of more than eight the small ones together), and a line where it is full. All have one
/// capacity.
[[nodiscard]] BarChart memory_chart(const std::vector<std::pair<std::string, const Memory*>>& memories);

/// A window that holds stretches far apart, such as an embedding and the loss, which count as layer 0, comes down to the stretch in which
/// most is done: at gaps longer than half of the whole. `left_out` then says so.
struct BusiestPart {
  sim::Timeline timeline;
  std::string left_out;
};
[[nodiscard]] BusiestPart busiest_part(const sim::Timeline& timeline);

/// Ranks by streams. Of a transfer its outgoing hop in flight is drawn: from when both ends have posted it until it has landed.
/// `window`: what the timeline shows, for the title: "first steps".
[[nodiscard]] GanttChart gantt_chart(const sim::Timeline& timeline, const std::string& window);

}  // namespace ringsim::reports
