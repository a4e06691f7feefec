// Grouped send-receives. Each hop starts when both of its ranks have posted it; the operation ends with both of a rank's hops.
#include "sim/recurrence/execution.hpp"

#include <utility>

namespace ringsim::sim {

void RecurrenceEngine::Execution::shift(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  settle(instruction.stream);
  pending_ = {&instruction, layer, step};
  pending_mark_ = waited_mark_;
  if (flight_) depart();
  if (!settles_late_) resolve();
}

// Under sharing: the hops of the outstanding shift start; kernels issued from now on move their ends.
void RecurrenceEngine::Execution::depart() {
  registers_.view(posted_) = registers_.view(streams_[pending_.instruction->stream]);
  time_hops(posted_, departed_, arriving_);
  registers_.close_rings(departed_);
  registers_.close_rings(arriving_);
  flight_->begin(registers_.shifted(departed_, -1), registers_.shifted(arriving_, -1));
  close_before(pending_mark_);
  open_.lengthen(*flight_);
}

// Under sharing: the ends of the outstanding shift's hops stand.
void RecurrenceEngine::Execution::land() {
  // Open waits keep those of the shift before.
  for (Handle* h : {&hop_start_, &hop_end_}) registers_.release(*h);
  hop_start_ = std::exchange(departed_, registers_.acquire());
  hop_end_ = registers_.acquire();
  // The flight is by receiver, a hop's end by sender.
  registers_.view(arriving_) = flight_->end();
  registers_.close_rings(arriving_);
  registers_.view(hop_end_) = registers_.shifted(arriving_, 1);
}

// Of the outstanding shift: hops start when both ends have posted.
void RecurrenceEngine::Execution::time_hops(Handle posted, Handle start, Handle end) {
  registers_.close_rings(posted);
  registers_.view(start) = registers_.view(posted).max(registers_.shifted(posted, 1));
  registers_.view(end) = registers_.view(start) + times_.hops(*pending_.instruction, pending_.layer, pending_.step);
}

// An operation on the stream of an outstanding shift needs its end.
void RecurrenceEngine::Execution::settle(StreamId stream) {
  if (pending_.instruction != nullptr && pending_.instruction->stream == stream) resolve();
}

// Executes the outstanding shift: grants it SMs, then times its hops.
void RecurrenceEngine::Execution::resolve() {
  if (pending_.instruction == nullptr) return;
  const PendingShift now = pending_;
  Handle& stream = streams_[now.instruction->stream];
  if (flight_) {
    land();
  } else {
    if (machine_.contest) {
      log_.forget_before(pending_mark_);
      log_.grant(stream, posted_);
    } else if (observed_) {
      registers_.view(posted_) = registers_.view(stream);
    }
    time_hops(machine_.contest ? posted_ : stream, hop_start_, hop_end_);
  }
  pending_ = {};
  registers_.close_rings(hop_end_);
  const Handle to = registers_.acquire();
  registers_.view(to) = registers_.view(hop_end_).max(registers_.shifted(hop_end_, -1));
  registers_.release(stream);
  stream = to;
  if (settles_late_) {
    for (RecordedEvent& event : events_) {
      if (!event.pending) continue;
      event.pending = false;
      registers_.assign(event.time, stream);
    }
  }
  if (!observed_) return;
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
    Observer* observer = observers_[static_cast<std::size_t>(l)];
    if (observer == nullptr) continue;
    observer->on_transfer({now.instruction->shift, now.layer, now.step, registers_.lane(posted_, l),
                           registers_.lane(hop_start_, l), registers_.lane(hop_end_, l), registers_.lane(stream, l)});
  }
}

}  // namespace ringsim::sim
