#include "sim/recurrence/execution.hpp"

#include "sim/kernel_shares.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ringsim::sim {

RecurrenceEngine::Execution::Execution(const Program& program, std::vector<Lane> lanes, std::int64_t ranks)
    : program_(program),
      lanes_(std::move(lanes)),
      layout_(ranks, static_cast<std::int64_t>(lanes_.size())),
      machine_(*lanes_.front().machine),
      lowered_(lower(program, lanes_, layout_)),
      times_(program, lanes_, layout_),
      registers_(layout_),
      observers_(lanes_.size(), nullptr),
      shares_(kernel_shares(program.shards, machine_.costs, machine_.sharing)),
      issues_(in_seconds(machine_.issue) > 0),
      settles_late_(machine_.contest || (machine_.sharing && program.ring() > 1)),
      whole_ring_{0, ranks, 0.0, false} {
  assert(!(machine_.contest && machine_.sharing));
  if (machine_.sharing && program.ring() > 1) flight_.emplace(layout_.extent());
}

std::vector<RunResult> RecurrenceEngine::Execution::run(std::span<Observer* const> observers, const RunOptions& options,
                                                        Tape* tape) {
  assert(observers.empty() || observers.size() == lanes_.size());
  std::fill(observers_.begin(), observers_.end(), nullptr);
  std::copy(observers.begin(), observers.end(), observers_.begin());
  observed_ = std::any_of(observers_.begin(), observers_.end(), [](const Observer* o) { return o != nullptr; });
  tape_ = tape;
  options_ = options;
  joined_ = !observed_ && !settles_late_ && !issues_ && tape_ == nullptr;
  reset();
  repeats_ = may_repeat(observers, options);
  for (Observer* observer : observers_) {
    if (observer != nullptr) observer->on_start(layout_.ranks());
  }
  execute_program();
  resolve_all();
  close_before(open_.next());
  pool_.reset();
  if (tape_ != nullptr) tape_ends();
  std::vector<RunResult> results;
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) results.push_back(result_of(l));
  return results;
}

RunResult RecurrenceEngine::Execution::result_of(std::int64_t lane) const {
  RunResult result;
  const auto ring = static_cast<std::size_t>(program_.ring());
  const auto folded = static_cast<std::size_t>(layout_.ranks());
  result.start_s = lanes_[static_cast<std::size_t>(lane)].machine->start_s;
  result.start_s.resize(program_.roles.size() * ring, 0.0);
  const auto clock_s = static_cast<double>(clock_);
  for (std::size_t role = 0; role < program_.roles.size(); ++role) {
    const auto end = registers_.lane(streams_[program_.compute_stream(role)].time, lane);
    // Ranks of a folded ring stand for those that are a multiple of its length further on.
    for (std::size_t r = 0; r < ring; r += folded) {
      for (std::size_t i = 0; i < folded; ++i) result.end_s.push_back(clock_s + end[static_cast<Eigen::Index>(i)]);
    }
  }
  result.makespan_s = *std::max_element(result.end_s.begin(), result.end_s.end());
  const auto ranks = static_cast<double>(program_.ring());
  result.economy = {program_.ring(), layout_.ranks(), iterations_ * ranks, jumped_ * ranks, why_in_full_};
  return result;
}

void RecurrenceEngine::Execution::reset() {
  meeting_ = {};
  log_.forget_before(log_.next());
  for (Stream& stream : streams_) {
    registers_.release(stream.time);
    drop(stream.flight);
  }
  for (RecordedEvent& e : events_) {
    registers_.release(e.time);
    drop(e.flight);
  }
  events_.assign(lowered_.events, {});
  streams_.assign(lowered_.streams, {});
  const auto ring = static_cast<std::ptrdiff_t>(program_.ring());
  for (StreamId s = 0; s < lowered_.streams; ++s) {
    Handle& time = streams_[s].time = registers_.acquire();
    registers_.view(time).setZero();
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(program_.role_of(s)) * ring;
    for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
      const std::vector<double>& start = lanes_[static_cast<std::size_t>(l)].machine->start_s;
      if (start.empty()) continue;
      assert(static_cast<std::ptrdiff_t>(start.size()) >= first + ring);
      std::copy_n(start.begin() + first, layout_.ranks(), registers_.at(time) + layout_.first(l));
    }
    if (tape_ != nullptr) tape_ready(time);
  }
  for (const Handle h : ready_) registers_.release(h);
  ready_.clear();
  host_s_.assign(program_.roles.size(), 0.0);
  if (issues_) {
    for (std::size_t role = 0; role < program_.roles.size(); ++role) {
      ready_.push_back(Registers::none);
      registers_.assign(ready_.back(), streams_[program_.compute_stream(role)].time);
    }
  }
  for (Handle* h : {&posted_, &hop_start_, &hop_end_, &departed_, &arriving_}) {
    registers_.release(*h);
    *h = registers_.acquire();
    registers_.view(*h).setZero();
  }
  attention_segments_ = {};
  attention_step_ = -1;
  next_task_ = 0;
  role_ = 0;
  clock_ = 0;
  level_ = 0;
  iterations_ = jumped_ = 0;
  why_in_full_.clear();
}

void RecurrenceEngine::Execution::execute_program() {
  const std::span<const LoweredNode> body = lowered_.body;
  std::size_t done = 0;
  for (const LoweredLoop& micro_batches : lowered_.micro_batches) {
    if (!repeats_) break;
    const auto first = static_cast<std::size_t>(micro_batches.outermost);
    execute(body.subspan(done, first - done), 0, 0);
    iterate_repeating(micro_batches, 0, 0);
    done = first + static_cast<std::size_t>(micro_batches.count) * micro_batches.nodes;
  }
  execute(body.subspan(done), 0, 0);
}

void RecurrenceEngine::Execution::execute(std::span<const LoweredNode> nodes, std::int64_t layer, std::int64_t step) {
  const LoweredNode* const program = lowered_.body.data();
  const bool outermost = !nodes.empty() && &nodes.front() >= program && &nodes.front() < program + lowered_.body.size();
  for (const LoweredNode& node : nodes) {
    if (outermost && observed_) tell_tasks(static_cast<std::size_t>(&node - program));
    if (const auto* instruction = std::get_if<Instruction>(&node)) {
      issue(*instruction, layer, step);
      continue;
    }
    const LoweredLoop& loop = *std::get<std::unique_ptr<LoweredLoop>>(node);
    if (repeats_) {
      iterate_repeating(loop, layer, step);
    } else {
      iterate(loop, 0, loop.count, layer, step);
    }
  }
}

// Iterations number first, first + 1, ... of a loop, count of them.
void RecurrenceEngine::Execution::iterate(const LoweredLoop& loop, std::int64_t first, std::int64_t count,
                                          std::int64_t layer, std::int64_t step) {
  std::int64_t index = loop.first + first * loop.increment;
  if (loop.innermost()) iterations_ += static_cast<double>(count);
  if (loop.loop == Loop::micro_batch) {
    const auto body = std::span(lowered_.body).subspan(static_cast<std::size_t>(loop.outermost));
    for (std::int64_t i = first; i < first + count; ++i) {
      execute(body.subspan(static_cast<std::size_t>(i) * loop.nodes, loop.nodes), layer, step);
    }
    return;
  }
  if (joined_ && loop.loop == Loop::step && loop.innermost()) {
    if (run_tiled(loop, layer, index, count)) return;
    for (std::int64_t i = 0; i < count; ++i, index += loop.increment) {
      for (const Instruction* instruction : loop.straight) issue_joined(*instruction, layer, index);
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i, index += loop.increment) {
    if (tape_ != nullptr && loop.outermost >= 0) {
      tape_->marks.push_back(
          {static_cast<std::size_t>(loop.outermost), index, static_cast<TapeValue>(tape_->entries.size())});
    }
    execute(loop.body, loop.loop == Loop::layer ? index : layer, loop.loop == Loop::step ? index : step);
  }
}

// Tasks that begin at a node of the program's body.
void RecurrenceEngine::Execution::tell_tasks(std::size_t node) {
  for (; next_task_ < lowered_.tasks.size() && lowered_.tasks[next_task_] <= node; ++next_task_) {
    for (Observer* observer : observers_) {
      if (observer != nullptr) observer->on_task(program_.tasks[next_task_]);
    }
  }
}

void RecurrenceEngine::Execution::issue(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  using Code = Instruction::Code;
  if (tape_ != nullptr && tape_->full()) tape_ = nullptr;
  if (const std::size_t role = program_.role_of(instruction.stream); role != role_) enter(role);
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
    case Code::timed:
      timed(instruction, layer, step);
      break;
  }
}

// Roles are other GPUs with the same coordinates: their kernels hold no SMs of this one's.
void RecurrenceEngine::Execution::enter(std::size_t role) {
  resolve_all();
  close_before(open_.next());
  log_.forget_before(log_.next());
  role_ = role;
}

void RecurrenceEngine::Execution::record(const Instruction& instruction, std::int64_t step) {
  RecordedEvent& event = events_[instruction.event.at(step)];
  const Stream& stream = streams_[instruction.stream];
  event.stream = instruction.stream;
  event.mark = flight_ ? open_.next() : log_.next();
  event.pending = stream.pending.instruction != nullptr;
  registers_.assign(event.time, event.pending ? Registers::none : stream.time);
  keep(event.flight, stream.flight);
}

void RecurrenceEngine::Execution::wait(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  RecordedEvent& event = events_[instruction.event.at(step)];
  settle(instruction.stream);
  if (event.pending) resolve(event.stream);
  Handle& time = streams_[instruction.stream].time;
  if (event.time == Registers::none || event.time == time) return;
  const double late = machine_.contest && event.stream != instruction.stream ? in_seconds(machine_.event_latency) : 0.0;
  const bool on_compute = program_.computes_on(instruction.stream);
  const Handle before = time;
  registers_.retain(before);
  meet(time, event.time, late);
  if (on_compute && (flight_ || observed_)) {
    // A shift outside the steps, such as the gradients' way home, is no masked step of anyone.
    const bool transferred = event.flight.start != Registers::none;
    done({.before = before,
          .after = time,
          .awaited = event.time,
          .layer = layer,
          .step = step,
          .hop_start = transferred ? event.flight.start : event.time,
          .hop_end = transferred ? event.flight.end : event.time,
          .in_start = event.flight.in_start,
          .in_end = event.flight.in_end,
          .segments = step == attention_step_ ? attention_segments_ : std::span(&whole_ring_, 1),
          .role = program_.role_of(instruction.stream)});
  }
  registers_.release(before);
  std::int64_t& mark = streams_[instruction.stream].waited_mark;
  if (!on_compute) mark = std::max(mark, event.mark);
}

void RecurrenceEngine::Execution::compute(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  settle(instruction.stream);
  issued(instruction.stream, layer, step);
  StepCosts& costs = costs_of(instruction, layer);
  const std::span<const SegmentCost> segments = costs.at(step);
  Handle& stream = streams_[instruction.stream].time;
  const Handle before = stream;
  stream = registers_.acquire();
  const auto from = registers_.view(before);
  auto to = registers_.view(stream);
  if (times_.nominal_kernels()) {
    layout_.for_each_run(segments, [&](std::int64_t at, std::int64_t count, const SegmentCost& s) {
      to.segment(at, count) = from.segment(at, count) + s.seconds;
    });
  } else {
    to = from + times_.kernel(instruction, costs, layer, step);
  }
  if (tape_ != nullptr) tape_after(TapeEntry::Kind::work, stream, before, instruction, layer, step);
  const bool attention = instruction.merge == nullptr;
  const RateShares& shares = !attention                            ? shares_.other
                             : instruction.pass() == Pass::forward ? shares_.forward
                                                                   : shares_.backward;
  if (flight_ && in_flight_) {
    if (tape_ != nullptr) tape_beside(from.data(), to.data(), registers_.value(before), stream, shares);
    flight_->meet(shares, from.data(), to.data());
  }
  if (machine_.contest) log_.add(before, stream);
  if (flight_ || observed_) {
    if (attention) {
      attention_segments_ = segments;
      attention_step_ = step;
    }
    done({.before = before,
          .after = stream,
          .attention = attention,
          .accumulator = attention ? Accumulator::output : instruction.merge->accumulator,
          .pass = instruction.pass(),
          .layer = layer,
          .step = step,
          .segments = segments,
          .role = program_.role_of(instruction.stream),
          .shares = shares});
  }
  registers_.release(before);
}

// The host's clock of a role goes on by one operation; its stream has nothing to run before that:
// stream = max(stream, when the rank became ready + operations issued so far · issue).
void RecurrenceEngine::Execution::issued(StreamId of, std::int64_t layer, std::int64_t step) {
  if (!issues_) return;
  const std::size_t role = program_.role_of(of);
  host_s_[role] += in_seconds(machine_.issue);
  Handle& stream = streams_[of].time;
  const Handle before = stream;
  const Handle host = registers_.acquire();
  registers_.view(host) = registers_.view(ready_[role]) + host_s_[role];
  stream = registers_.acquire();
  registers_.view(stream) = registers_.view(before).max(registers_.view(host));
  if (tape_ != nullptr) {
    tape_issue(host, role);
    registers_.name(stream, tape_join(registers_.value(before), registers_.at(before), registers_.value(host),
                                      registers_.at(host)));
  }
  // To observers it is a wait in which nothing is in flight.
  if (program_.computes_on(of) && (flight_ || observed_)) {
    done({.before = before,
          .after = stream,
          .awaited = host,
          .layer = layer,
          .step = step,
          .hop_start = host,
          .hop_end = host,
          .segments = step == attention_step_ ? attention_segments_ : std::span(&whole_ring_, 1),
          .role = role});
  }
  registers_.release(host);
  registers_.release(before);
}

// An operation of the compute stream has its times: for good, or under sharing until it is closed.
void RecurrenceEngine::Execution::done(const OpenOperation& operation) {
  if (flight_) {
    open_.add(operation, observed_);
  } else {
    tell_observers(operation);
  }
}

void RecurrenceEngine::Execution::close_before(std::int64_t mark) {
  open_.close_before(mark, [this](const OpenOperation& operation) { tell_observers(operation); });
}

void RecurrenceEngine::Execution::tell_observers(const OpenOperation& operation) {
  if (!observed_) return;
  for (std::int64_t l = 0; l < layout_.lanes(); ++l) {
    if (Observer* observer = observers_[static_cast<std::size_t>(l)]) tell(*observer, operation, registers_, l);
  }
}

}  // namespace ringsim::sim
