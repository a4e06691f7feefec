#include "sim/recurrence/engine.hpp"

#include "sim/recurrence/kernel_log.hpp"
#include "sim/recurrence/lowering.hpp"
#include "sim/recurrence/open_operations.hpp"
#include "sim/recurrence/passes.hpp"
#include "sim/recurrence/rate_sharing.hpp"
#include "sim/recurrence/registers.hpp"
#include "sim/schedules/ring.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace ringsim::sim {

class RecurrenceEngine::Execution {
 public:
  Execution(const Program& program, const Machine& machine)
      : program_(program),
        machine_(machine),
        lowered_(lower(program, machine)),
        registers_(program.ring()),
        open_(registers_, program.ring()),
        slowdown_(program.ring()),
        settles_late_(machine.contest || (machine.sharing && program.ring() > 1)),
        whole_ring_{0, program.ring(), 0.0, false} {
    for (std::int64_t r = 0; r < program.ring(); ++r) {
      slowdown_[r] = machine.slowdown.empty() ? 1.0 : machine.slowdown[static_cast<std::size_t>(r)];
    }
    assert(!(machine.contest && machine.sharing));
    if (machine.sharing && program.ring() > 1) flight_.emplace(*machine.sharing, program.ring());
  }

  RunResult run(Observer* observer) {
    observer_ = observer;
    plain_ = observer == nullptr && !settles_late_;
    reset();
    execute(lowered_.body, 0, 0);
    resolve();
    close_before(open_.next());
    RunResult result;
    result.start_s = machine_.start_s;
    result.start_s.resize(static_cast<std::size_t>(program_.ring()), 0.0);
    const auto end = registers_.view(streams_[0]);
    result.end_s.assign(end.begin(), end.end());
    result.makespan_s = end.maxCoeff();
    return result;
  }

 private:
  using Handle = Registers::Handle;
  struct RecordedEvent {
    Handle time = Registers::none;
    StreamId stream = 0;
    std::int64_t mark = 0;  // kernels numbered below it had been issued
    bool pending = false;   // waits for the outstanding shift
  };
  struct PendingShift {
    const Instruction* instruction = nullptr;
    std::int64_t layer = 0;
    std::int64_t step = 0;
  };

  void reset() {
    meeting_ = {};
    log_.forget_before(log_.next());
    for (Handle& h : streams_) registers_.release(h);
    for (RecordedEvent& e : events_) registers_.release(e.time);
    streams_.clear();
    events_.assign(lowered_.events, {});
    for (std::size_t s = 0; s < lowered_.streams; ++s) {
      streams_.push_back(registers_.acquire());
      for (std::int64_t r = 0; r < program_.ring(); ++r) {
        registers_.view(streams_[s])[r] =
            machine_.start_s.empty() ? 0.0 : machine_.start_s[static_cast<std::size_t>(r)];
      }
    }
    for (Handle* h : {&posted_, &hop_start_, &hop_end_, &departed_, &arriving_}) {
      registers_.release(*h);
      *h = registers_.acquire();
      registers_.view(*h).setZero();
    }
    attention_segments_ = {};
    attention_step_ = -1;
    waited_mark_ = 0;
  }

  void execute(const std::vector<LoweredNode>& body, std::int64_t layer, std::int64_t step) {
    for (const LoweredNode& node : body) {
      if (const auto* instruction = std::get_if<Instruction>(&node)) {
        issue(*instruction, layer, step);
        continue;
      }
      const LoweredLoop& loop = *std::get<std::unique_ptr<LoweredLoop>>(node);
      std::int64_t index = loop.first;
      if (plain_ && loop.loop == Loop::step && !loop.straight.empty()) {
        for (std::int64_t i = 0; i < loop.count; ++i, index += loop.increment) {
          for (const Instruction* instruction : loop.straight) issue_plainly(*instruction, layer, index);
        }
        continue;
      }
      for (std::int64_t i = 0; i < loop.count; ++i, index += loop.increment) {
        execute(loop.body, loop.loop == Loop::layer ? index : layer, loop.loop == Loop::step ? index : step);
      }
    }
  }

  void issue(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
    using Code = Instruction::Code;
    switch (instruction.code) {
      case Code::record:
        record(instruction, step);
        break;
      case Code::wait:
        wait(instruction, layer, step);
        break;
      case Code::compute:
        compute(instruction, layer, step);
        break;
      case Code::shift:
        shift(instruction, layer, step);
        break;
    }
  }

  // Without observer, contest and sharing a shift is never outstanding and nobody looks at single operations.
  void issue_plainly(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
    using Code = Instruction::Code;
    Handle& stream = streams_[instruction.stream];
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
        if (instruction.hops->alike) {
          registers_.close_ring(stream);
          const Handle to = registers_.acquire();
          rotate(registers_.at(stream), instruction.hops->seconds, registers_.at(to), program_.ring());
          registers_.release(stream);
          stream = to;
        } else {
          shift(instruction, layer, step);
        }
        break;
    }
  }

  void record(const Instruction& instruction, std::int64_t step) {
    RecordedEvent& event = events_[instruction.event.at(step)];
    event.stream = instruction.stream;
    event.mark = flight_ ? open_.next() : log_.next();
    event.pending = pending_.instruction != nullptr && pending_.instruction->stream == instruction.stream;
    registers_.assign(event.time, event.pending ? Registers::none : streams_[instruction.stream]);
  }

  void wait(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
    RecordedEvent& event = events_[instruction.event.at(step)];
    settle(instruction.stream);
    if (event.pending) resolve();
    if (event.time == Registers::none || event.time == streams_[instruction.stream]) return;
    const double late =
        machine_.contest && event.stream != instruction.stream ? in_seconds(machine_.event_latency) : 0.0;
    Handle& stream = streams_[instruction.stream];
    const bool on_compute = instruction.stream == ring_program::compute;
    const Handle before = stream;
    registers_.retain(before);
    meet(stream, event.time, late);
    if (on_compute && (flight_ || observer_ != nullptr)) {
      // A shift outside the steps, such as the gradients' way home, is no masked step of anyone.
      done({.before = before,
            .after = stream,
            .awaited = event.time,
            .layer = layer,
            .step = step,
            .hop_start = hop_start_,
            .hop_end = hop_end_,
            .segments = step == attention_step_ ? attention_segments_ : std::span(&whole_ring_, 1)});
    }
    registers_.release(before);
    if (!on_compute) waited_mark_ = std::max(waited_mark_, event.mark);
  }

  // stream = max(stream, event + late). Two streams that wait for each other meet at the same time: the second one to
  // ask finds the vector that the first one computed.
  void meet(Handle& stream, Handle event, double late) {
    // (Not under sharing, where an open operation's register is its own.)
    if (late == 0.0 && !flight_ && registers_.alive(meeting_.result)) {
      const auto own = registers_.stamp(stream);
      const auto other = registers_.stamp(event);
      if ((meeting_.a == own && meeting_.b == other) || (meeting_.a == other && meeting_.b == own)) {
        registers_.assign(stream, meeting_.result.handle);
        return;
      }
    }
    const Handle to = registers_.acquire();
    if (late == 0.0) {
      registers_.view(to) = registers_.view(stream).max(registers_.view(event));
      meeting_ = {registers_.stamp(stream), registers_.stamp(event), registers_.stamp(to)};
    } else {
      registers_.view(to) = registers_.view(stream).max(registers_.view(event) + late);
    }
    registers_.release(stream);
    stream = to;
  }

  // compute, record and wait in one pass: end = stream + cost, recorded; stream = max(end, awaited).
  void compute_and_meet(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
    const Handle awaited = events_[instruction.awaited.at(step)].time;
    assert(awaited != Registers::none);  // lowering joins only where an arrival was recorded before
    Handle& stream = streams_[instruction.stream];
    const Handle end = registers_.acquire();
    const Handle met = registers_.acquire();
    const double* from = registers_.at(stream);
    const double* other = registers_.at(awaited);
    const std::size_t mask = program_.mask_of_layer[static_cast<std::size_t>(layer)];
    for (const SegmentCost& s : instruction.costs[mask]->at(step)) {
      if (machine_.slowdown.empty()) {
        add_then_max(from + s.begin, s.seconds, other + s.begin, registers_.at(end) + s.begin,
                     registers_.at(met) + s.begin, s.end - s.begin);
      } else {
        scaled_add_then_max(from + s.begin, slowdown_.data() + s.begin, s.seconds, other + s.begin,
                            registers_.at(end) + s.begin, registers_.at(met) + s.begin, s.end - s.begin);
      }
    }
    RecordedEvent& event = events_[instruction.recorded.at(step)];
    registers_.release(event.time);
    event.time = end;
    event.stream = instruction.stream;
    registers_.release(stream);
    stream = met;
    meeting_ = {registers_.stamp(awaited), registers_.stamp(end), registers_.stamp(met)};
  }

  void compute(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
    settle(instruction.stream);
    const std::size_t mask = program_.mask_of_layer[static_cast<std::size_t>(layer)];
    const std::span<const SegmentCost> segments = instruction.costs[mask]->at(step);
    Handle& stream = streams_[instruction.stream];
    const Handle before = stream;
    stream = registers_.acquire();
    const auto from = registers_.view(before);
    auto to = registers_.view(stream);
    for (const SegmentCost& s : segments) {
      const std::int64_t n = s.end - s.begin;
      if (machine_.slowdown.empty()) {
        to.segment(s.begin, n) = from.segment(s.begin, n) + s.seconds;
      } else {
        to.segment(s.begin, n) = from.segment(s.begin, n) + slowdown_.segment(s.begin, n) * s.seconds;
      }
    }
    if (flight_ && pending_.instruction != nullptr) flight_->meet(from.data(), to.data());
    if (machine_.contest) log_.add(before, stream);
    if (flight_ || observer_ != nullptr) {
      const bool attention = instruction.merge == nullptr;
      if (attention) {
        attention_segments_ = segments;
        attention_step_ = step;
      }
      done({.before = before,
            .after = stream,
            .attention = attention,
            .accumulator = attention ? Accumulator::output : instruction.merge->accumulator,
            .pass = instruction.attend->pass,
            .layer = layer,
            .step = step,
            .segments = segments});
    }
    registers_.release(before);
  }

  // An operation of the compute stream has its times: for good, or under sharing until it is closed.
  void done(const OpenOperation& operation) {
    if (flight_) {
      open_.add(operation, observer_ != nullptr);
    } else {
      tell(operation);
    }
  }
  void close_before(std::int64_t mark) {
    open_.close_before(mark, [this](const OpenOperation& operation) {
      if (observer_ != nullptr) tell(operation);
    });
  }
  void tell(const OpenOperation& o) {
    if (o.awaited == Registers::none) {
      observer_->on_compute(
          {o.attention, o.accumulator, o.pass, o.layer, o.step, times(o.before), times(o.after), o.segments});
    } else {
      observer_->on_wait(
          {o.layer, o.step, times(o.before), times(o.after), times(o.hop_start), times(o.hop_end), o.segments});
    }
  }

  void shift(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
    settle(instruction.stream);
    pending_ = {&instruction, layer, step};
    pending_mark_ = waited_mark_;
    if (flight_) depart();
    if (!settles_late_) resolve();
  }

  // Under sharing: the hops of the outstanding shift start; kernels issued from now on move their ends.
  void depart() {
    registers_.view(posted_) = registers_.view(streams_[pending_.instruction->stream]);
    time_hops(posted_, departed_, arriving_);
    registers_.close_ring(departed_);
    registers_.close_ring(arriving_);
    flight_->begin(registers_.shifted(departed_, -1), registers_.shifted(arriving_, -1));
    close_before(pending_mark_);
    open_.lengthen(*flight_);
  }

  // Under sharing: the ends of the outstanding shift's hops stand.
  void land() {
    // Open waits keep those of the shift before.
    for (Handle* h : {&hop_start_, &hop_end_}) registers_.release(*h);
    hop_start_ = std::exchange(departed_, registers_.acquire());
    hop_end_ = registers_.acquire();
    const Eigen::Index n = program_.ring();
    auto end = registers_.view(hop_end_);
    end.head(n - 1) = flight_->end().tail(n - 1);
    end[n - 1] = flight_->end()[0];
  }

  // Of the outstanding shift: hops start when both ends have posted.
  void time_hops(Handle posted, Handle start, Handle end) {
    registers_.close_ring(posted);
    HopTimes& hops = *pending_.instruction->hops;
    if (!hops.every_step_alike) {
      fill_hop_times(program_, machine_, *pending_.instruction->shift, pending_.step, hops);
    }
    registers_.view(start) = registers_.view(posted).max(registers_.shifted(posted, 1));
    registers_.view(end) = registers_.view(start) + hops.per_hop;
  }

  // An operation on the stream of an outstanding shift needs its end.
  void settle(StreamId stream) {
    if (pending_.instruction != nullptr && pending_.instruction->stream == stream) resolve();
  }

  // Executes the outstanding shift: grants it SMs, then times its hops.
  void resolve() {
    if (pending_.instruction == nullptr) return;
    const PendingShift now = pending_;
    Handle& stream = streams_[now.instruction->stream];
    if (flight_) {
      land();
    } else {
      if (machine_.contest) {
        log_.forget_before(pending_mark_);
        log_.grant(stream, posted_);
      } else if (observer_ != nullptr) {
        registers_.view(posted_) = registers_.view(stream);
      }
      time_hops(machine_.contest ? posted_ : stream, hop_start_, hop_end_);
    }
    pending_ = {};
    registers_.close_ring(hop_end_);
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
    if (observer_ != nullptr) {
      observer_->on_transfer({now.instruction->shift, now.layer, now.step, times(posted_), times(hop_start_),
                              times(hop_end_), times(stream)});
    }
  }

  RankTimes times(Handle handle) { return {registers_.at(handle), program_.ring()}; }

  const Program& program_;
  const Machine& machine_;
  Lowered lowered_;
  Registers registers_;
  KernelLog log_{registers_};
  OpenOperations open_;
  Eigen::ArrayXd slowdown_;
  Observer* observer_ = nullptr;
  std::optional<SharedFlight> flight_;  // where kernels and hops slow each other down: the outstanding shift's hops
  const bool settles_late_;             // a shift is outstanding until something needs its end
  bool plain_ = false;                  // no observer, contest or sharing: operations may be joined
  std::vector<Handle> streams_;
  std::vector<RecordedEvent> events_;
  PendingShift pending_;
  struct Meeting {
    Registers::Stamp a, b, result;
  };
  Meeting meeting_;  // the last maximum of two vectors
  std::int64_t pending_mark_ = 0;
  std::int64_t waited_mark_ = 0;  // kernels below it ended before the transfer stream's last wait
  Handle posted_ = Registers::none;
  Handle hop_start_ = Registers::none;
  Handle hop_end_ = Registers::none;
  Handle departed_ = Registers::none;  // starts of the outstanding shift's hops, and their ends alone
  Handle arriving_ = Registers::none;
  std::span<const SegmentCost> attention_segments_;  // of the last attention kernel, and its step
  std::int64_t attention_step_ = -1;
  const SegmentCost whole_ring_;
};

RecurrenceEngine::RecurrenceEngine(const Program& program, const Machine& machine)
    : execution_(std::make_unique<Execution>(program, machine)) {}

RecurrenceEngine::~RecurrenceEngine() = default;

RunResult RecurrenceEngine::run(Observer* observer) { return execution_->run(observer); }

}  // namespace ringsim::sim
