// The critical path of random rings accounts for every second of the run; derivatives are what a slightly different run shows; the
// critical cycle is what the run settles to.
#include "sim/critical/critical_cycle.hpp"
#include "sim/critical/one_sided.hpp"
#include "sim/critical/walk_back.hpp"
#include "tests/property/sim_random_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace ringsim::sim {
namespace {

using rings::Ring;
using Kind = TapeEntry::Kind;

struct Recorded {
  explicit Recorded(const Ring& ring, rings::Passes passes)
      : program(program_of(ring, passes)),
        machine(ring.machine()),
        tape(program.ring()),
        durations(program, {&machine}) {
    result = RecurrenceEngine(program, machine).record(tape);
  }
  Program program;
  Machine machine;
  Tape tape;
  OperationDurations durations;
  RunResult result;

  [[nodiscard]] std::int64_t last_rank() const {
    return std::max_element(result.end_s.begin(), result.end_s.end()) - result.end_s.begin();
  }
};

// Writing the run down changes none of its bits.
RC_GTEST_PROP(CriticalPath, OfARunThatIsTheSame, ()) {
  Ring ring = rings::any_ring();
  rings::disturb(ring);
  const Recorded run(ring, rings::any_passes());
  RC_ASSERT(run.result.end_s == RecurrenceEngine(run.program, run.machine).run().end_s);
  // Nor does a tape that gets full on the way, which is left alone from there on.
  Tape half(run.program.ring(), run.tape.bytes() / 2);
  RC_ASSERT(RecurrenceEngine(run.program, run.machine).record(half).end_s == run.result.end_s);
  RC_ASSERT(half.full());
  RC_ASSERT(half.entries.size() <= run.tape.entries.size());
}

// The end is a sum of durations with weights (Euler's theorem for what is homogeneous): of starts, operations, events and the host.
RC_GTEST_PROP(CriticalPath, AccountsForEverySecond, ()) {
  Ring ring = rings::any_ring();
  rings::disturb(ring);
  Recorded run(ring, rings::any_passes());
  const std::int64_t last = run.last_rank();
  PathWeights weights(run.tape);
  weights.add(run.tape.ends.front(), {last, 1.0});
  double total = 0;
  double without_signs = 0;  // kernels that slow hops down give weights of both signs, which may be large
  bool chain = true;
  weights.hand_back(
      [&](std::size_t, const TapeEntry& entry, std::span<const PathPart> parts) {
        for (const PathPart& part : parts) {
          chain = chain && part.weight == 1.0 && parts.size() == 1;
          double seconds = run.durations.of(entry)[part.rank];
          if (entry.kind == Kind::ready) seconds = run.result.start_s[static_cast<std::size_t>(part.rank)];
          if (entry.kind == Kind::issue) seconds = entry.constant;
          if (entry.kind == Kind::join && run.tape.side(entry, part.rank) == Larger::second) seconds = entry.constant;
          total += part.weight * seconds;
          without_signs += std::abs(part.weight * seconds);
        }
      },
      run.program);
  RC_ASSERT(std::abs(total - run.result.makespan_s) <= 1e-10 * without_signs);
  // Max and plus alone: one chain of operations.
  RC_ASSERT(chain || ring.sharing.has_value());
}

// A rank that gets slower by a fraction e: the makespan of a second run, against what the walk says, on either side. Random numbers from
// a coarse grid make ties on purpose; without a contest, under which an order can change.
RC_GTEST_PROP(CriticalPath, KnowsWhatALittleSlowerRankCosts, ()) {
  Ring ring = rings::any_ring();
  if (rings::coin()) {
    ring.slowdown.assign(static_cast<std::size_t>(ring.ranks), 1.0);
    ring.hop_factor.assign(static_cast<std::size_t>(ring.ranks), 1.0);
    ring.start_s.assign(static_cast<std::size_t>(ring.ranks), 0.0);
  }
  if (rings::coin()) ring.issue_s = rings::number(0, 3);
  const rings::Passes passes = rings::any_passes();
  Recorded run(ring, passes);
  const auto rank = *rc::gen::inRange<std::int64_t>(0, ring.ranks);
  std::vector<std::unique_ptr<StillToCome>> ends;
  ends.push_back(std::make_unique<StillToCome>(1, ring.ranks));
  for (std::int64_t r = 0; r < ring.ranks; ++r) {
    const double end = run.result.end_s[static_cast<std::size_t>(r)];
    ends.back()->reached[static_cast<std::size_t>(r)] = larger_of(end, run.result.makespan_s) == Larger::both ? 1 : 0;
  }
  const auto starts =
      walk_back_all(run.tape, run.program, std::move(ends), [&](const TapeEntry& entry, StillToCome& to) {
        if (entry.kind != Kind::work) return;
        const double seconds = run.durations.of(entry)[rank];
        to.most(0, rank) += seconds;
        to.least(0, rank) += seconds;
      });
  double most = -1, least = -1;
  for (const auto& start : starts) {
    for (std::int64_t r = 0; start && r < ring.ranks; ++r) {
      if (start->reached[static_cast<std::size_t>(r)] == 0) continue;
      most = most < 0 ? start->most(0, r) : std::max(most, start->most(0, r));
      least = least < 0 ? start->least(0, r) : std::min(least, start->least(0, r));
    }
  }
  const double e = 1e-7;
  const auto makespan_with = [&](double factor) {
    Ring other = ring;
    other.slowdown[static_cast<std::size_t>(rank)] *= factor;
    const Program program = program_of(other, passes);
    return RecurrenceEngine(program, other.machine()).run().makespan_s;
  };
  // What is within e of being critical may become so on the way: 1e-5 of the makespan is not.
  const double tolerance = 1e-5 * run.result.makespan_s;
  RC_ASSERT(std::abs((makespan_with(1 + e) - run.result.makespan_s) / e - most) <= tolerance);
  RC_ASSERT(std::abs((run.result.makespan_s - makespan_with(1 - e)) / e - least) <= tolerance);
}

// Ends of every layer's last step.
class LayerEnds final : public Observer {
 public:
  void on_compute(const ComputeEvent& event) override {
    const auto layer = static_cast<std::size_t>(event.layer);
    if (ends.size() <= layer) ends.resize(layer + 1);
    ends[layer] = event.end;
  }
  std::vector<Eigen::ArrayXd> ends;
};

// In the steady state c layers take every rank c times the cycle time. Layers of a forward pass, long enough to settle.
RC_GTEST_PROP(CriticalCycle, IsWhatTheRingSettlesTo, ()) {
  Ring ring = rings::any_ring();
  ring.ranks = *rc::gen::inRange<std::int64_t>(2, 17);
  ring.tokens = ring.ranks * 2 * *rc::gen::inRange<std::int64_t>(1, 4);
  if (ring.layout != Layout::zigzag) ring.tokens += *rc::gen::inRange<std::int64_t>(0, ring.ranks);
  for (std::vector<double>* each : {&ring.hop_factor, &ring.slowdown, &ring.start_s}) {
    each->resize(static_cast<std::size_t>(ring.ranks));
    for (double& v : *each) v = rings::number(0.5, 3);
  }
  ring.layers = 1500;
  const Program program = program_of(ring, rings::Passes::forward);
  const Machine machine = ring.machine();
  LayerEnds log;
  RecurrenceEngine(program, machine).run(&log);
  double settled = -1;
  for (std::size_t c = 1; c <= 120 && settled < 0; ++c) {
    const Eigen::ArrayXd step = log.ends[1498] - log.ends[1498 - c];
    const Eigen::ArrayXd before = log.ends[1498 - c] - log.ends[1498 - 2 * c];
    if ((step - step[0]).abs().maxCoeff() < 1e-9 * step[0] && (step - before).abs().maxCoeff() < 1e-9 * step[0]) {
      settled = step.mean() / static_cast<double>(c);
    }
  }
  RC_PRE(settled > 0);
  ring.layers = 6;
  const Program few = program_of(ring, rings::Passes::forward);
  Tape tape(few.ring());
  (void)RecurrenceEngine(few, machine).record(tape);
  OperationDurations durations(few, {&machine});
  const CycleFinding found = find_critical_cycle(tape, few, durations, 0);
  RC_ASSERT(found.cycle.has_value());
  RC_ASSERT(std::abs(found.cycle->layer_s - settled) <= 1e-9 * settled);
  // The cycle's own operations take that long.
  const double turn_s = found.cycle->segments.empty() ? 0.0 : found.cycle->segments.back().until_s;
  const auto periods = static_cast<double>(found.cycle->turns * found.cycle->period);
  RC_ASSERT(std::abs(turn_s / periods - settled) <= 1e-9 * settled);
}

}  // namespace
}  // namespace ringsim::sim
