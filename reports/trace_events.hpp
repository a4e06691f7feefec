#pragma once
// A timeline as Trace Event JSON, which ui.perfetto.dev and chrome://tracing open; or several timelines side by side, such as what was
// predicted and what was measured.
//
//   process   rank; of a pipeline all stages' ranks, one stage after the other; of several timelines a rank's processes stand together
//   thread    as in trace_threads.hpp
//   slices    "X" events with ts and dur in microseconds
//   arrows    one for each hop, from the sender's transfer slice ("s", when its hop takes off) to the receiver's ("f", when it
//             has landed), where both slices are in the window
//   counters  GB/s that a rank's outgoing hops carry, and in a process of their own sums over the shown ranks by kind of link
//             (reports/trace_counters.hpp)
//
// Times are rounded to whole nanoseconds, which viewers do anyway: slices that touch still touch and never overlap.

#include "sim/spans.hpp"

#include <iosfwd>
#include <span>
#include <string>

namespace ringsim::reports {

/// What the trace says about itself.
struct TraceTitle {
  std::string scenario_name;
  std::string scenario_hash;
  std::string made_by;  // "recurrence", "measured on host"
};

/// Writes event by event. Says in `otherData` and with an instant event when the window does not hold the whole run.
void write_trace(std::ostream& out, const TraceTitle& title, const sim::Timeline& timeline);

/// One of several timelines in a trace.
struct TracePart {
  std::string label;  // "predicted": process "rank 3 predicted"
  const sim::Timeline* timeline = nullptr;
};
/// Each begins at 0 with its first operation.
void write_trace(std::ostream& out, const TraceTitle& title, std::span<const TracePart> parts);

}  // namespace ringsim::reports
