// Grouped sends and receives whose hops do not all go from r to r + 1: both ways round, inner and outer rings. A way is a
// permutation of the ranks; rank r's hop goes to target(r), and the one that comes in to it is that of source(r).
//
//   start_r = max(posted_r, posted_target(r))      end_r = start_r + time_r
//   the operation of rank r ends with end_r and end_source(r), of all its ways
#include "sim/recurrence/execution.hpp"

#include <algorithm>

namespace ringsim::sim {

RecurrenceEngine::Execution::Handle RecurrenceEngine::Execution::time_ways(const PendingShift& shift, Handle posted,
                                                                           Flight& flight) {
  flight = {registers_.acquire(), registers_.acquire(), registers_.acquire(), registers_.acquire()};
  const Handle to = registers_.acquire();
  const double* ready = registers_.at(posted);
  double* start = registers_.at(flight.start);
  double* end = registers_.at(flight.end);
  double* in_start = registers_.at(flight.in_start);
  double* in_end = registers_.at(flight.in_end);
  for (const Handle h : {flight.start, flight.end, flight.in_start, flight.in_end, to}) registers_.view(h).setZero();
  bool first = true;
  for (const std::shared_ptr<HopTimes>& way : shift.instruction->ways) {
    const Eigen::ArrayXd& seconds = times_.hops(*shift.instruction, *way, shift.layer, shift.step);
    for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
      const std::int64_t lane = layout_.first(l);
      for (std::int64_t r = 0; r < layout_.ranks(); ++r) {
        const std::int64_t from = lane + r;
        const std::int64_t at = lane + program_.target(way->way, r) % layout_.ranks();  // of a folded ring
        const double starts = std::max(ready[from], ready[at]);
        const double ends = starts + seconds[from];
        start[from] = first ? starts : std::min(start[from], starts);
        end[from] = first ? ends : std::max(end[from], ends);
        in_start[at] = first ? starts : std::min(in_start[at], starts);
        in_end[at] = first ? ends : std::max(in_end[at], ends);
      }
    }
    first = false;
  }
  registers_.view(to) = registers_.view(flight.end).max(registers_.view(flight.in_end));
  if (tape_ != nullptr) tape_ways(shift, posted, to);
  return to;
}

}  // namespace ringsim::sim
