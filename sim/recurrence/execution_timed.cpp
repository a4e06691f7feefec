// Dense work, collectives and sends: each takes its stream a time that depends on the rank's block, and a collective of the
// ring's ranks first waits for all of them.
//
//   start = posted, or of a collective of the ring the maximum over its ranks       end = start + seconds
#include "sim/recurrence/execution.hpp"

#include <algorithm>

namespace ringsim::sim {

void RecurrenceEngine::Execution::timed(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  settle(instruction.stream);
  issued(instruction.stream, layer, step);
  const Timed& what = *instruction.timed;
  const std::size_t kind = what.amounts.size() == 1 ? 0 : program_.mask_of_layer[static_cast<std::size_t>(layer)];
  const std::vector<SegmentCost>& segments = what.seconds[kind];
  Stream& stream = streams_[instruction.stream];
  const Handle before = stream.time;
  Handle start = before;
  if (what.meets) {
    start = registers_.acquire();
    registers_.view(start) = registers_.view(before);
    meet_in_rings(start);
    if (tape_ != nullptr) tape_all(start, before, registers_.at(before));
  }
  stream.time = registers_.acquire();
  const auto from = registers_.view(start);
  auto to = registers_.view(stream.time);
  if (what.dense != nullptr ? times_.nominal_kernels() : times_.nominal_hops()) {
    layout_.for_each_run(segments, [&](std::int64_t at, std::int64_t count, const SegmentCost& s) {
      to.segment(at, count) = from.segment(at, count) + s.seconds;
    });
  } else {
    to = from + times_.timed(what, what.amounts[kind], segments, layer, step);
  }
  if (tape_ != nullptr) tape_after(TapeEntry::Kind::work, stream.time, start, instruction, layer, step);
  const bool computes = program_.computes_on(instruction.stream);
  if (what.dense != nullptr) {
    if (flight_ && in_flight_) {
      if (tape_ != nullptr) tape_beside(from.data(), to.data(), registers_.value(start), stream.time, shares_.other);
      flight_->meet(shares_.other, from.data(), to.data());
    }
    if (machine_.contest && computes) log_.add(start, stream.time);
  }
  if (observed_ || flight_) {
    // No step's attention is behind what follows.
    attention_step_ = -1;
    if (what.dense != nullptr) {
      done({.before = before,
            .after = stream.time,
            .attention = false,
            .pass = what.dense->pass,
            .layer = layer,
            .step = step,
            .segments = segments,
            .role = program_.role_of(instruction.stream),
            .dense = &program_.dense[what.amounts[kind]],
            .shares = shares_.other});
    } else {
      // Hops of a rank beside a collective are none of its business.
      close_before(open_.next());
      if (!computes) keep(stream.flight, {start, stream.time, start, stream.time});
      tell_collective(instruction, what.amounts[kind], {before, start, stream.time}, layer, step);
    }
  }
  if (what.meets) registers_.release(start);
  registers_.release(before);
}

void RecurrenceEngine::Execution::meet_in_rings(Handle times) {
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
    double* lane = registers_.at(times) + layout_.first(l);
    std::fill_n(lane, layout_.ranks(), *std::max_element(lane, lane + layout_.ranks()));
  }
}

void RecurrenceEngine::Execution::tell_collective(const Instruction& instruction, std::size_t amount,
                                                  const CollectiveTimes& times, std::int64_t layer, std::int64_t step) {
  if (!observed_) return;
  const Timed& what = *instruction.timed;
  const Pass pass = what.collective != nullptr ? what.collective->pass : what.send->pass;
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
    Observer* observer = observers_[static_cast<std::size_t>(l)];
    if (observer == nullptr) continue;
    CollectiveEvent event{.computes = program_.computes_on(instruction.stream),
                          .pass = pass,
                          .layer = layer,
                          .step = step,
                          .role = program_.role_of(instruction.stream),
                          .posted = registers_.lane(times.posted, l),
                          .start = registers_.lane(times.start, l),
                          .end = registers_.lane(times.end, l)};
    if (what.collective != nullptr) event.traffic = &program_.traffic[amount];
    event.send = what.send;
    observer->on_collective(event);
  }
}

}  // namespace ringsim::sim
