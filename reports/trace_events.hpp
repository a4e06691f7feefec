#pragma once
// A timeline as Trace Event JSON, which ui.perfetto.dev and chrome://tracing open.
//
//   process   rank; of a pipeline all stages' ranks, one stage after the other
//   thread    as in trace_threads.hpp
//   slices    "X" events with ts and dur in microseconds
//   arrows    one for each hop, from the sender's transfer slice ("s", when its hop takes off) to the receiver's ("f", when it
//             has landed), where both slices are in the window
//
// Times are rounded to whole nanoseconds, which viewers do anyway: slices that touch still touch and never overlap.

#include "sim/spans.hpp"

#include <iosfwd>
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

}  // namespace ringsim::reports
