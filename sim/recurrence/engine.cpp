#include "sim/recurrence/engine.hpp"

#include <algorithm>

#include "sim/recurrence/kernel_log.hpp"
#include "sim/recurrence/lowering.hpp"
#include "sim/recurrence/registers.hpp"

namespace ringsim::sim {

class RecurrenceEngine::Execution {
 public:
  Execution(const Program& program, const Machine& machine)
      : program_(program), machine_(machine), fused_(lower(program, machine, !machine.contest)),
        registers_(program.ring()), slowdown_(program.ring()) {
    if (!machine.contest) plain_ = lower(program, machine, false);
    for (std::int64_t r = 0; r < program.ring(); ++r) {
      slowdown_[r] = machine.slowdown.empty() ? 1.0 : machine.slowdown[static_cast<std::size_t>(r)];
    }
  }

  RunResult run(Observer* observer) {
    observer_ = observer;
    // Observers want every operation by itself; without them, or with a contest, there is one form only.
    const Lowered& lowered = observer != nullptr && !machine_.contest ? plain_ : fused_;
    reset(lowered);
    execute(lowered.body, 0, 0);
    resolve();
    RunResult result;
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

  void reset(const Lowered& lowered) {
    log_.forget_before(log_.next());
    for (Handle& h : streams_) registers_.release(h);
    for (RecordedEvent& e : events_) registers_.release(e.time);
    streams_.clear();
    events_.assign(lowered.events, {});
    for (std::size_t s = 0; s < lowered.streams; ++s) {
      streams_.push_back(registers_.acquire());
      for (std::int64_t r = 0; r < program_.ring(); ++r) {
        registers_.view(streams_[s])[r] = machine_.start_s.empty() ? 0.0 : machine_.start_s[static_cast<std::size_t>(r)];
      }
    }
    for (Handle* h : {&posted_, &hop_start_, &hop_end_}) {
      registers_.release(*h);
      *h = registers_.acquire();
      registers_.view(*h).setZero();
    }
    attention_segments_ = {};
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
      for (std::int64_t i = 0; i < loop.count; ++i, index += loop.increment) {
        execute(loop.body, loop.loop == Loop::layer ? index : layer, loop.loop == Loop::step ? index : step);
      }
    }
  }

  void issue(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
    using Code = Instruction::Code;
    switch (instruction.code) {
      case Code::record: record(instruction, step); break;
      case Code::wait: wait(instruction, layer, step); break;
      case Code::compute: compute(instruction, layer, step); break;
      case Code::shift: shift(instruction, layer, step); break;
      case Code::wait_then_shift: wait_then_shift(instruction, step); break;
    }
  }

  void record(const Instruction& instruction, std::int64_t step) {
    RecordedEvent& event = events_[instruction.event.at(step)];
    event.stream = instruction.stream;
    event.mark = log_.next();
    event.pending = pending_.instruction != nullptr && pending_.instruction->stream == instruction.stream;
    registers_.assign(event.time, event.pending ? Registers::none : streams_[instruction.stream]);
  }

  void wait(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
    RecordedEvent& event = events_[instruction.event.at(step)];
    settle(instruction.stream);
    if (event.pending) resolve();
    if (event.time == Registers::none || event.time == streams_[instruction.stream]) return;
    Handle& stream = streams_[instruction.stream];
    const double late = machine_.contest && event.stream != instruction.stream ? in_seconds(machine_.event_latency) : 0.0;
    if (observer_ != nullptr && instruction.stream == 0) {
      // Keep the time before the wait for the observer.
      registers_.retain(stream);
      const Handle before = registers_.successor(stream);
      registers_.view(stream) = registers_.view(before).max(registers_.view(event.time) + late);
      observer_->on_wait({layer, step, times(before), times(stream), times(hop_start_), times(hop_end_), attention_segments_});
      registers_.release(before);
    } else {
      const Handle before = registers_.successor(stream);
      if (late == 0.0) {
        registers_.view(stream) = registers_.view(before).max(registers_.view(event.time));
      } else {
        registers_.view(stream) = registers_.view(before).max(registers_.view(event.time) + late);
      }
    }
    if (instruction.stream != 0) waited_mark_ = std::max(waited_mark_, event.mark);
  }

  void compute(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
    settle(instruction.stream);
    const std::size_t mask = program_.mask_of_layer[static_cast<std::size_t>(layer)];
    const std::span<const SegmentCost> segments = instruction.costs[mask]->at(step);
    Handle& stream = streams_[instruction.stream];
    const bool keep = observer_ != nullptr || machine_.contest;
    if (keep) registers_.retain(stream);
    const Handle before = registers_.successor(stream);
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
    if (machine_.contest) log_.add(before, stream);
    if (observer_ != nullptr) {
      const bool attention = instruction.merge == nullptr;
      if (attention) attention_segments_ = segments;
      observer_->on_compute({attention, attention ? Accumulator::output : instruction.merge->accumulator,
                             instruction.attend->pass, layer, step, times(before), times(stream), segments});
    }
    if (keep) registers_.release(before);
  }

  void shift(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
    settle(instruction.stream);
    pending_ = {&instruction, layer, step};
    pending_mark_ = waited_mark_;
    if (!machine_.contest) resolve();
  }

  // An operation on the stream of an outstanding shift needs its end.
  void settle(StreamId stream) {
    if (pending_.instruction != nullptr && pending_.instruction->stream == stream) resolve();
  }

  // Executes the outstanding shift: grants it SMs, then times its hops.
  void resolve() {
    if (pending_.instruction == nullptr) return;
    const PendingShift now = pending_;
    pending_ = {};
    Handle& stream = streams_[now.instruction->stream];
    if (machine_.contest) {
      log_.forget_before(pending_mark_);
      log_.grant(stream, posted_);
    } else if (observer_ != nullptr) {
      registers_.view(posted_) = registers_.view(stream);
    }
    const Handle posted = machine_.contest ? posted_ : stream;
    registers_.close_ring(posted);
    HopTimes& hops = *now.instruction->hops;
    if (!hops.every_step_alike) fill_hop_times(program_, machine_, *now.instruction->shift, now.step, hops);
    registers_.view(hop_start_) = registers_.view(posted).max(registers_.shifted(posted, 1));
    if (hops.alike) {
      registers_.view(hop_end_) = registers_.view(hop_start_) + hops.seconds;
    } else {
      registers_.view(hop_end_) = registers_.view(hop_start_) + hops.per_hop;
    }
    registers_.close_ring(hop_start_);
    registers_.close_ring(hop_end_);
    registers_.successor(stream);
    registers_.view(stream) = registers_.view(hop_end_).max(registers_.shifted(hop_end_, -1));
    for (RecordedEvent& event : events_) {
      if (!event.pending) continue;
      event.pending = false;
      registers_.assign(event.time, stream);
    }
    if (observer_ != nullptr) {
      observer_->on_transfer({now.instruction->shift, now.layer, now.step, times(posted_), times(hop_start_),
                              times(hop_end_), times(stream)});
    }
  }

  // Without observer and contest: one pass. x_r = max(h_r, h_{r-1}) with p = max(stream, event) written out.
  void wait_then_shift(const Instruction& instruction, std::int64_t step) {
    Handle& stream = streams_[instruction.stream];
    const Handle event = events_[instruction.event.at(step)].time;
    const Handle other = event == Registers::none ? stream : event;
    registers_.close_ring(stream);
    registers_.close_ring(other);
    HopTimes& hops = *instruction.hops;
    if (!hops.every_step_alike) fill_hop_times(program_, machine_, *instruction.shift, step, hops);
    const Handle to = registers_.acquire();
    const auto own = registers_.view(stream).max(registers_.view(other));
    const auto next = registers_.shifted(stream, 1).max(registers_.shifted(other, 1));
    const auto last = registers_.shifted(stream, -1).max(registers_.shifted(other, -1));
    if (hops.alike) {
      registers_.view(to) = own.max(next).max(last) + hops.seconds;
    } else {
      auto out = registers_.view(hop_end_);
      out = own.max(next) + hops.per_hop;
      registers_.close_ring(hop_end_);
      registers_.view(to) = out.max(registers_.shifted(hop_end_, -1));
    }
    registers_.release(stream);
    stream = to;
  }

  RankTimes times(Handle handle) { return {registers_.at(handle), program_.ring()}; }

  const Program& program_;
  const Machine& machine_;
  Lowered fused_;
  Lowered plain_;
  Registers registers_;
  KernelLog log_{registers_};
  Eigen::ArrayXd slowdown_;
  Observer* observer_ = nullptr;
  std::vector<Handle> streams_;
  std::vector<RecordedEvent> events_;
  PendingShift pending_;
  std::int64_t pending_mark_ = 0;
  std::int64_t waited_mark_ = 0;  // kernels below it ended before the transfer stream's last wait
  Handle posted_ = Registers::none;
  Handle hop_start_ = Registers::none;
  Handle hop_end_ = Registers::none;
  std::span<const SegmentCost> attention_segments_;
};

RecurrenceEngine::RecurrenceEngine(const Program& program, const Machine& machine)
    : execution_(std::make_unique<Execution>(program, machine)) {}

RecurrenceEngine::~RecurrenceEngine() = default;

RunResult RecurrenceEngine::run(Observer* observer) { return execution_->run(observer); }

}  // namespace ringsim::sim
