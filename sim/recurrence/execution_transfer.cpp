// Grouped send-receives. Each hop starts when both of its ranks have posted it; the operation ends with both of a rank's hops.
#include "sim/recurrence/execution.hpp"

#include <utility>

namespace ringsim::sim {

void RecurrenceEngine::Execution::shift(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  settle(instruction.stream);
  issued(instruction.stream, layer, step);
  Stream& stream = streams_[instruction.stream];
  stream.pending = {&instruction, layer, step, stream.waited_mark};
  if (flight_) depart(stream);
  if (!settles_late_) resolve(instruction.stream);
}

// Under sharing: the hops of the outstanding shift start; kernels issued from now on move their ends.
void RecurrenceEngine::Execution::depart(const Stream& stream) {
  registers_.view(posted_) = registers_.view(stream.time);
  if (tape_ != nullptr) registers_.name(posted_, registers_.value(stream.time));
  time_hops(stream.pending, posted_, departed_, arriving_);
  registers_.close_rings(departed_);
  registers_.close_rings(arriving_);
  flight_->begin(registers_.shifted(departed_, -1), registers_.shifted(arriving_, -1));
  in_flight_ = true;
  if (tape_ != nullptr) {
    flight_start_ = tape_through(TapeEntry::Kind::receive, registers_.value(departed_));
    flight_end_ = tape_through(TapeEntry::Kind::receive, registers_.value(arriving_));
  }
  close_before(stream.pending.mark);
  tape_before_ = no_value;
  open_.lengthen(*flight_, [this](const OpenOperation& operation, const Eigen::ArrayXd& late) {
    if (tape_ != nullptr) tape_lengthened(operation, late);
  });
}

// Under sharing: the ends of the outstanding shift's hops stand.
void RecurrenceEngine::Execution::land() {
  // The flight is by receiver, a hop's end by sender.
  registers_.view(hop_start_) = registers_.view(departed_);
  registers_.view(arriving_) = flight_->end();
  registers_.close_rings(arriving_);
  registers_.view(hop_end_) = registers_.shifted(arriving_, 1);
  if (tape_ != nullptr) {
    registers_.name(hop_start_, registers_.value(departed_));
    registers_.name(hop_end_, tape_through(TapeEntry::Kind::send, flight_end_));
  }
  in_flight_ = false;
}

// Of the outstanding shift: hops start when both ends have posted.
void RecurrenceEngine::Execution::time_hops(const PendingShift& shift, Handle posted, Handle start, Handle end) {
  registers_.close_rings(posted);
  registers_.view(start) = registers_.view(posted).max(registers_.shifted(posted, 1));
  registers_.view(end) =
      registers_.view(start) + times_.hops(*shift.instruction, *shift.instruction->hops, shift.layer, shift.step);
  if (tape_ != nullptr) {
    tape_neighbours(TapeEntry::Kind::pair, start, posted, Way::up);
    tape_after(TapeEntry::Kind::hop, end, start, *shift.instruction, shift.layer, shift.step);
  }
}

// An operation on the stream of an outstanding shift needs its end.
void RecurrenceEngine::Execution::settle(StreamId stream) {
  if (streams_[stream].pending.instruction != nullptr) resolve(stream);
}

void RecurrenceEngine::Execution::resolve_all() {
  for (StreamId s = 0; s < streams_.size(); ++s) settle(s);
}

// Executes the outstanding shift of a stream: grants it SMs, then times its hops.
void RecurrenceEngine::Execution::resolve(StreamId of) {
  Stream& stream = streams_[of];
  if (stream.pending.instruction == nullptr) return;
  const PendingShift now = std::exchange(stream.pending, {});
  const bool looks = observed_ || flight_ || tape_ != nullptr;
  // Those that look keep the times of hops: each shift gets registers of its own.
  if (looks) {
    for (Handle* h : {&hop_start_, &hop_end_}) {
      registers_.release(*h);
      *h = registers_.acquire();
    }
  }
  Handle posted = stream.time;
  if (!flight_) {
    if (machine_.contest) {
      // Kernels that end before every outstanding shift's last wait are nobody's concern any more.
      std::int64_t mark = now.mark;
      for (const Stream& s : streams_) {
        if (s.pending.instruction != nullptr) mark = std::min(mark, s.pending.mark);
      }
      log_.forget_before(mark);
      log_.grant(stream.time, posted_);
      if (tape_ != nullptr) tape_grant(posted_, stream.time);
      posted = posted_;
    } else if (observed_) {
      registers_.view(posted_) = registers_.view(stream.time);
    }
  }
  Handle to = Registers::none;
  Flight flight;
  if (now.instruction->hops) {
    if (flight_) {
      land();
    } else {
      time_hops(now, posted, hop_start_, hop_end_);
    }
    registers_.close_rings(hop_end_);
    to = registers_.acquire();
    registers_.view(to) = registers_.view(hop_end_).max(registers_.shifted(hop_end_, -1));
    if (tape_ != nullptr) tape_neighbours(TapeEntry::Kind::arrive, to, hop_end_, Way::up);
    flight = {hop_start_, hop_end_, Registers::none, Registers::none};
    if (looks) keep(stream.flight, flight);
  } else {
    to = time_ways(now, posted, flight);
    if (looks) keep(stream.flight, flight);
  }
  registers_.release(stream.time);
  stream.time = to;
  if (settles_late_) {
    for (RecordedEvent& event : events_) {
      if (!event.pending || event.stream != of) continue;
      event.pending = false;
      registers_.assign(event.time, stream.time);
      keep(event.flight, stream.flight);
    }
  }
  if (observed_) tell_transfer(now, stream, flight);
  if (!now.instruction->hops) drop(flight);
}

void RecurrenceEngine::Execution::tell_transfer(const PendingShift& now, const Stream& stream, const Flight& flight) {
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
    Observer* observer = observers_[static_cast<std::size_t>(l)];
    if (observer == nullptr) continue;
    const auto incoming = [&](Handle handle) {
      return handle == Registers::none ? nullptr : registers_.lane(handle, l).data();
    };
    observer->on_transfer({now.instruction->shift, now.layer, now.step, registers_.lane(posted_, l),
                           registers_.lane(flight.start, l), registers_.lane(flight.end, l),
                           registers_.lane(stream.time, l), program_.role_of(now.instruction->stream),
                           incoming(flight.in_start), incoming(flight.in_end)});
  }
}

void RecurrenceEngine::Execution::keep(Flight& to, const Flight& from) {
  registers_.assign(to.start, from.start);
  registers_.assign(to.end, from.end);
  registers_.assign(to.in_start, from.in_start);
  registers_.assign(to.in_end, from.in_end);
}

void RecurrenceEngine::Execution::drop(Flight& flight) {
  for (const Handle h : {flight.start, flight.end, flight.in_start, flight.in_end}) registers_.release(h);
  flight = {};
}

}  // namespace ringsim::sim
