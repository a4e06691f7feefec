// Extrapolation: loops whose iterations repeat are run until they do, and then jumped over (physics §7, "Extrapolation").
//
// Between two iterations the run is in a state: the times of the streams that the loop uses, of the events that it records, of kernels
// and hops that are still open, each of all ranks. Told from the moment at which the first of its streams is free, clock, they are
// bounded, and the next state is a function of this one alone, as long as iterations cost the same. So where a state is the same to
// the bit as c iterations ago, all that follows is:
//
//   state(i + c) = state(i)   ⇒   state(i + k·c) = state(i),   clock(i + k·c) = clock(i) + k·(clock(i + c) - clock(i))
//
// and so many times what observers have added up since. That is a proof and no tolerance: it asks for all ranks, whatever has stood still on
// some of them for how long. What repeats is found by Brent's method: a state is kept at iterations 1, 2, 4, 8, ... and compared with those
// that follow (R. P. Brent, An improved Monte Carlo factorization algorithm, BIT 20, 1980, section 2).
//
// Times told from a clock that moves are rounded otherwise than times told from the start, by some 1e-16 of themselves an iteration.
//
// What iterations cost: steps the same from StepCosts::alike_from on; layers by their kind, so that a jump over layers goes as far as kinds
// repeat with c; micro-batches the same where their operations are (those of a pipeline of several stages are not: each has events of its
// own). An event that the loop waits for but does not record must lie behind its streams, where it changes nothing; such events, and
// streams that others use, stay where they are when the clock jumps.
//
// Not jumped over: random times, the host's clock (it counts operations from the start), runs on a tape, observers that cannot follow.
#include "sim/recurrence/execution.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace ringsim::sim {

struct RecurrenceEngine::Execution::LoopMark {
  bool valid = false;
  std::int64_t done = 0;  // iterations before it
  long double clock = 0;
  double iterations = 0;  // of innermost loops
  std::vector<double> times;
  std::vector<std::int64_t> numbers;
};

namespace {

// Of innermost loops.
double iterations_of(const std::vector<LoweredNode>& body) {
  double total = 0;
  for (const LoweredNode& node : body) {
    const auto* loop = std::get_if<std::unique_ptr<LoweredLoop>>(&node);
    if (loop == nullptr) continue;
    const auto count = static_cast<double>((*loop)->count);
    total += count * ((*loop)->innermost() ? 1.0 : iterations_of((*loop)->body));
  }
  return total;
}

}  // namespace

bool RecurrenceEngine::Execution::may_repeat(std::span<Observer* const> observers, const RunOptions& options) {
  if (!options.extrapolate) return false;
  if (iterations_of(lowered_.body) < options.least_iterations) return false;
  const Lane& lane = lanes_.front();
  if (lane.compute.on() || lane.links.on()) {
    why_in_full_ = "random times do not repeat";
  } else if (issues_) {
    why_in_full_ = "the host's clock counts operations from the start";
  } else if (lanes_.size() > 1 || tape_ != nullptr ||
             !std::all_of(observers.begin(), observers.end(),
                          [](const Observer* o) { return o == nullptr || o->takes_jumps(); })) {
    why_in_full_ = "every operation is looked at";
  } else {
    why_in_full_ = "no state of all ranks came again";  // until one does
    return true;
  }
  return false;
}

// Iterations of a loop before those that are alike; all of them where none are.
std::int64_t RecurrenceEngine::Execution::alike_from(const LoweredLoop& loop, std::int64_t layer) const {
  if (loop.loop != Loop::step) return 0;
  if (!loop.innermost() || loop.increment != 1 || !loop.use.steady) return loop.count;
  std::int64_t from = loop.first;
  for (const Instruction* instruction : loop.straight) {
    if (instruction->code == Instruction::Code::compute) {
      from = std::max(from, costs_of(*instruction, layer).alike_from());
    }
  }
  return std::min(loop.count, from - loop.first);
}

// After how many iterations a loop is looked at: its events are then in the same slots, and looking costs little beside them.
std::int64_t RecurrenceEngine::Execution::stride_of(const LoweredLoop& loop) const {
  if (loop.loop != Loop::step) return 1;
  constexpr std::int64_t long_ring = 512;
  const std::int64_t wanted = layout_.ranks() >= long_ring ? 64 : 4;
  return (wanted + loop.use.slots - 1) / loop.use.slots * loop.use.slots;
}

void RecurrenceEngine::Execution::iterate_repeating(const LoweredLoop& loop, std::int64_t layer, std::int64_t step) {
  const std::int64_t stride = stride_of(loop);
  std::int64_t done = alike_from(loop, layer);
  if (loop.count - done < 4 * stride) {
    iterate(loop, 0, loop.count, layer, step);
    return;
  }
  const std::size_t level = level_++;
  iterate(loop, 0, done, layer, step);
  LoopMark last;
  for (std::int64_t looks = 1; loop.count - done > stride; ++looks) {
    iterate(loop, done, stride, layer, step);
    done += stride;
    rebase(loop.use);
    const std::int64_t index = loop.first + done * loop.increment;
    if (last.valid && at_mark(loop, index, last)) {
      const std::int64_t cycle = done - last.done;
      const std::int64_t cycles = cycles_ahead(loop, done, layer, cycle);
      if (cycles == 0) continue;
      jump(loop, layer, done, cycles, last, level);
      // The state is the mark's again, later.
      done += cycles * cycle;
      last.done = done;
      last.clock = clock_;
      last.iterations = iterations_;
    } else if ((looks & (looks - 1)) == 0) {
      mark(loop, index, done, last);
    } else {
      continue;
    }
    for (Observer* observer : observers_) {
      if (observer != nullptr && last.valid) observer->on_mark(level);
    }
  }
  iterate(loop, done, loop.count - done, layer, step);
  level_ = level;
}

// The clock moves on to the moment at which the first of the loop's streams is free.
void RecurrenceEngine::Execution::rebase(const LoopUse& use) {
  double least = std::numeric_limits<double>::infinity();
  for (const StreamId s : use.streams) least = std::min(least, registers_.view(streams_[s].time).minCoeff());
  if (least == 0 || !std::isfinite(least)) return;
  registers_.rebase(least);
  if (flight_) flight_->rebase(least);
  clock_ += least;
  for (Observer* observer : observers_) {
    if (observer != nullptr) observer->on_clock(static_cast<double>(clock_));
  }
}

// Calls times(vector) and number(integer) for all that the state of a loop is made of, before its iteration `index`, until one of them
// returns false; returns whether none has. Kernels and open operations are numbered from the last one back, steps and layers from
// `index` on.
template <class Times, class Number>
bool RecurrenceEngine::Execution::visit_state(const LoweredLoop& loop, std::int64_t index, const Times& times,
                                              const Number& number) {
  const std::int64_t step = loop.loop == Loop::step ? index : 0;
  const std::int64_t layer = loop.loop == Loop::layer ? index : 0;
  const bool looks = observed_ || flight_;
  const auto vector = [&](Handle handle) {
    return number(handle != Registers::none ? 1 : 0) && (handle == Registers::none || times(registers_.at(handle)));
  };
  const auto flight = [&](const Flight& f) {
    return !looks || (vector(f.start) && vector(f.end) && vector(f.in_start) && vector(f.in_end));
  };
  const std::int64_t next = flight_ ? open_.next() : log_.next();
  const auto remembered = static_cast<std::int64_t>(flight_ ? open_.size() : log_.size());
  const auto counted_back = [&](std::int64_t mark) { return std::max(mark - next, -remembered); };
  for (const StreamId s : loop.use.streams) {
    const Stream& stream = streams_[s];
    const PendingShift& pending = stream.pending;
    if (!vector(stream.time) || !number(counted_back(stream.waited_mark)) || !flight(stream.flight)) return false;
    if (!number(pending.instruction != nullptr ? pending.instruction->number : -1)) return false;
    if (pending.instruction == nullptr) continue;
    if (!number(pending.layer - layer) || !number(pending.step - step) || !number(counted_back(pending.mark))) {
      return false;
    }
  }
  for (const std::size_t e : loop.use.records) {
    const RecordedEvent& event = events_[e];
    if (!vector(event.time) || !number(event.pending ? 1 : 0) || !number(static_cast<std::int64_t>(event.stream)) ||
        !number(counted_back(event.mark)) || !flight(event.flight)) {
      return false;
    }
  }
  if (!number(static_cast<std::int64_t>(role_))) return false;
  if (observed_ && !number(attention_step_ < 0 ? -1 : attention_step_ - step + loop.count)) return false;
  if (machine_.contest) {
    if (!number(static_cast<std::int64_t>(log_.size()))) return false;
    for (std::size_t i = 0; i < log_.size(); ++i) {
      if (!vector(log_.start(i)) || !vector(log_.end(i))) return false;
    }
  }
  if (!flight_) return true;
  if (!number(in_flight_ ? 1 : 0) || !number(static_cast<std::int64_t>(open_.size()))) return false;
  if (in_flight_ && (!vector(departed_) || !vector(arriving_) || !vector(posted_) || !times(flight_->start().data()) ||
                     !times(flight_->end().data()))) {
    return false;
  }
  bool same = true;
  open_.for_each([&](const OpenOperation& o) {
    same = same && vector(o.before) && vector(o.after) && vector(o.awaited) && number(o.layer - layer) &&
           number(o.step - step) && number(o.attention ? 1 : 0) && number(static_cast<std::int64_t>(o.role));
    same = same && vector(o.hop_start) && vector(o.hop_end) && vector(o.in_start) && vector(o.in_end);
  });
  return same;
}

// Whether the events that a loop waits for but does not record lie behind the streams that wait.
bool RecurrenceEngine::Execution::unreached(const LoopUse& use) {
  return std::all_of(use.awaits.begin(), use.awaits.end(), [&](const LoopUse::Awaited& a) {
    const RecordedEvent& event = events_[a.event];
    if (event.pending) return false;
    if (event.time == Registers::none) return true;
    const double late = machine_.contest ? in_seconds(machine_.event_latency) : 0.0;
    return registers_.view(event.time).maxCoeff() + late <= registers_.view(streams_[a.stream].time).minCoeff();
  });
}

void RecurrenceEngine::Execution::mark(const LoweredLoop& loop, std::int64_t index, std::int64_t done, LoopMark& mark) {
  mark.valid = unreached(loop.use);
  if (!mark.valid) return;
  mark.done = done;
  mark.clock = clock_;
  mark.iterations = iterations_;
  mark.times.clear();
  mark.numbers.clear();
  const std::int64_t n = layout_.ranks();
  visit_state(
      loop, index,
      [&](const double* times) {
        mark.times.insert(mark.times.end(), times, times + n);
        return true;
      },
      [&](std::int64_t number) {
        mark.numbers.push_back(number);
        return true;
      });
}

bool RecurrenceEngine::Execution::at_mark(const LoweredLoop& loop, std::int64_t index, const LoopMark& mark) {
  const auto n = static_cast<std::size_t>(layout_.ranks());
  std::size_t times_seen = 0;
  std::size_t numbers_seen = 0;
  const bool same = visit_state(
      loop, index,
      [&](const double* times) {
        if (times_seen + n > mark.times.size()) return false;
        const double* then = mark.times.data() + times_seen;
        times_seen += n;
        return std::equal(times, times + n, then);
      },
      [&](std::int64_t number) {
        if (numbers_seen == mark.numbers.size()) return false;
        return mark.numbers[numbers_seen++] == number;
      });
  return same && times_seen == mark.times.size() && numbers_seen == mark.numbers.size();
}

// How many more times the `cycle` iterations before number `done` are sure to follow, as far as observers let them go unseen.
std::int64_t RecurrenceEngine::Execution::cycles_ahead(const LoweredLoop& loop, std::int64_t done, std::int64_t layer,
                                                       std::int64_t cycle) const {
  std::int64_t alike = loop.count - done;
  if (loop.loop == Loop::layer) {
    const auto kind = [&](std::int64_t i) {
      return program_.mask_of_layer[static_cast<std::size_t>(loop.first + i * loop.increment)];
    };
    alike = 0;
    while (done + alike < loop.count && kind(done + alike) == kind(done + alike - cycle)) ++alike;
  }
  LoopStretch over{loop.loop,      layer,         loop.first + done * loop.increment,        alike / cycle * cycle,
                   loop.increment, loop.use.pass, program_.role_of(loop.use.streams.front())};
  for (const Observer* observer : observers_) {
    if (observer != nullptr) over.count = std::min(over.count, observer->may_skip(over));
  }
  return over.count / cycle;
}

void RecurrenceEngine::Execution::jump(const LoweredLoop& loop, std::int64_t layer, std::int64_t done,
                                       std::int64_t cycles, const LoopMark& mark, std::size_t level) {
  const std::int64_t iterations = cycles * (done - mark.done);
  const long double seconds = static_cast<long double>(cycles) * (clock_ - mark.clock);
  const double inner = static_cast<double>(cycles) * (iterations_ - mark.iterations);
  iterations_ += inner;
  jumped_ += inner;
  clock_ += seconds;
  why_in_full_.clear();
  leave_behind(loop.use, static_cast<double>(seconds));
  meeting_ = {};
  // What is under way is that of iterations so much later.
  const std::int64_t later = iterations * loop.increment;
  const auto move = [&](std::int64_t& of_layer, std::int64_t& of_step) {
    if (loop.loop == Loop::layer) of_layer += later;
    if (loop.loop == Loop::step) of_step += later;
  };
  for (const StreamId s : loop.use.streams) move(streams_[s].pending.layer, streams_[s].pending.step);
  open_.for_each([&](OpenOperation& o) { move(o.layer, o.step); });
  if (loop.loop == Loop::step && attention_step_ >= 0) attention_step_ += later;
  const LoopStretch over{loop.loop,      layer,         loop.first + done * loop.increment,        iterations,
                         loop.increment, loop.use.pass, program_.role_of(loop.use.streams.front())};
  for (Observer* observer : observers_) {
    if (observer == nullptr) continue;
    observer->on_jump(level, static_cast<double>(cycles), over);
    observer->on_clock(static_cast<double>(clock_));
  }
}

// The clock has jumped `seconds` ahead: what the loop has nothing to do with stays where it was.
void RecurrenceEngine::Execution::leave_behind(const LoopUse& use, double seconds) {
  const auto move = [&](Handle& handle) {
    if (handle == Registers::none) return;
    const Handle moved = registers_.acquire();
    registers_.view(moved) = registers_.view(handle) - seconds;
    registers_.release(handle);
    handle = moved;
  };
  const auto move_flight = [&](Flight& f) {
    for (Handle* h : {&f.start, &f.end, &f.in_start, &f.in_end}) move(*h);
  };
  for (StreamId s = 0; s < streams_.size(); ++s) {
    if (std::find(use.streams.begin(), use.streams.end(), s) != use.streams.end()) continue;
    move(streams_[s].time);
    move_flight(streams_[s].flight);
  }
  for (std::size_t e = 0; e < events_.size(); ++e) {
    if (std::binary_search(use.records.begin(), use.records.end(), e)) continue;
    move(events_[e].time);
    move_flight(events_[e].flight);
  }
}

}  // namespace ringsim::sim
