// The operations of a run that nobody observes and in which nothing is settled late, in as few passes over the ranks as they
// allow: the same bits as one by one.
#include "sim/recurrence/execution.hpp"
#include "sim/recurrence/passes.hpp"

#include <cassert>

namespace ringsim::sim {

void RecurrenceEngine::Execution::issue_joined(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  using Code = Instruction::Code;
  Handle& stream = streams_[instruction.stream].time;
  switch (instruction.code) {
    case Code::record:
      registers_.assign(events_[instruction.event.at(step)].time, stream);
      break;
    case Code::wait:
      if (const Handle event = events_[instruction.event.at(step)].time; event != Registers::none) {
        meet(stream, event, 0.0);
      }
      break;
    case Code::compute:
      if (instruction.meets) {
        compute_and_meet(instruction, layer, step);
      } else {
        compute(instruction, layer, step);
      }
      break;
    case Code::shift:
      if (instruction.hops && instruction.hops->alike && times_.nominal_hops()) {
        shift_alike(instruction);
      } else {
        shift(instruction, layer, step);
      }
      break;
    case Code::timed:
      timed(instruction, layer, step);
      break;
  }
}

// compute, record and wait in one pass: end = stream + cost, recorded; stream = max(end, awaited).
void RecurrenceEngine::Execution::compute_and_meet(const Instruction& instruction, std::int64_t layer,
                                                   std::int64_t step) {
  const Handle awaited = events_[instruction.awaited.at(step)].time;
  assert(awaited != Registers::none);  // lowering joins only where an arrival was recorded before
  Handle& stream = streams_[instruction.stream].time;
  const Handle end = registers_.acquire();
  const Handle met = registers_.acquire();
  const double* from = registers_.at(stream);
  const double* other = registers_.at(awaited);
  double* to = registers_.at(end);
  double* both = registers_.at(met);
  StepCosts& costs = costs_of(instruction, layer);
  if (times_.nominal_kernels()) {
    layout_.for_each_run(costs.at(step), [&](std::int64_t at, std::int64_t count, const SegmentCost& s) {
      add_then_max(from + at, s.seconds, other + at, to + at, both + at, count);
    });
  } else {
    const Eigen::ArrayXd& times = times_.kernel(instruction, costs, layer, step);
    add_each_then_max(from, times.data(), other, to, both, layout_.extent());
  }
  RecordedEvent& event = events_[instruction.recorded.at(step)];
  registers_.release(event.time);
  event.time = end;
  event.stream = instruction.stream;
  registers_.release(stream);
  stream = met;
  meeting_ = {registers_.stamp(awaited), registers_.stamp(end), registers_.stamp(met)};
}

// Both hops of every rank in one pass.
void RecurrenceEngine::Execution::shift_alike(const Instruction& instruction) {
  Handle& stream = streams_[instruction.stream].time;
  registers_.close_rings(stream);
  const Handle to = registers_.acquire();
  rotate(registers_.at(stream), instruction.hops->seconds, registers_.at(to), layout_.extent());
  registers_.release(stream);
  stream = to;
}

}  // namespace ringsim::sim
