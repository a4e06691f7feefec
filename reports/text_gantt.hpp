#pragma once
// A timeline on a terminal: a row for each stream of a rank, time to the right.
//
//   rank 0  compute   A█████████████████▓A███████████████
//           transfer  S━━━━━━━━━━┄┄┄     S━━━━━━━
//                 ms  0              5              10
//
// Every operation begins with a letter and goes on in the blocks of its kind, so that it reads without colour. A column shows what takes most
// of its time; operations that are too short to have a column are counted, not passed over in silence.

#include "reports/style.hpp"
#include "sim/spans.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ringsim::reports {

struct TextGanttSize {
  std::size_t width = 100;  // columns of a line
  std::int64_t ranks = 8;   // at most; of a pipeline as many stages as possible
};

/// Lines, of which the first is the title with what the timeline holds, and the last ones say what the signs mean.
[[nodiscard]] std::string text_gantt(const sim::Timeline& timeline, const std::string& title, const Style& style,
                                     const TextGanttSize& size = {});

/// The same as a block of code, with the title as a heading.
[[nodiscard]] std::string markdown_gantt(const sim::Timeline& timeline, const std::string& title,
                                         const TextGanttSize& size = {});

}  // namespace ringsim::reports
