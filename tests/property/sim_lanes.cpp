// Rings and replicas as columns of one sweep are what they are alone, bit for bit, whatever disturbs them.
#include "tests/property/sim_random_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>

namespace ringsim::sim {
namespace {

using rings::Ring;

Jitter any_jitter() {
  Jitter jitter;
  jitter.distribution =
      *rc::gen::element(Distribution::none, Distribution::normal, Distribution::lognormal, Distribution::pareto);
  jitter.spread = rings::coin() ? 0 : rings::number(0, 0.5);
  jitter.tail = rings::number(1.5, 6);
  return jitter;
}

bool equal(const rings::Recorder& a, const rings::Recorder& b) {
  const auto computes = [](const rings::Recorder::Compute& x, const rings::Recorder::Compute& y) {
    return x.attention == y.attention && x.accumulator == y.accumulator && x.pass == y.pass && x.layer == y.layer &&
           x.step == y.step && x.start == y.start && x.end == y.end;
  };
  const auto transfers = [](const rings::Recorder::Transfer& x, const rings::Recorder::Transfer& y) {
    return x.pass == y.pass && x.layer == y.layer && x.step == y.step && x.posted == y.posted &&
           x.hop_start == y.hop_start && x.hop_end == y.hop_end && x.done == y.done;
  };
  return std::equal(a.computes.begin(), a.computes.end(), b.computes.begin(), b.computes.end(), computes) &&
         std::equal(a.transfers.begin(), a.transfers.end(), b.transfers.begin(), b.transfers.end(), transfers);
}

RC_GTEST_PROP(Lanes, AreTheRunsOfEachAlone, ()) {
  Ring ring = rings::any_ring();
  rings::disturb(ring);
  const Program program = program_of(ring, rings::any_passes());
  // Machines that differ in hops, speed and start, each in any number of replicas.
  std::deque<Machine> machines;
  std::vector<Lane> lanes;
  const auto count = *rc::gen::inRange<std::int64_t>(1, 6);
  for (std::int64_t l = 0; l < count; ++l) {
    if (machines.empty() || rings::coin()) {
      Ring other = ring;
      for (std::size_t r = 0; r < other.hop_factor.size(); ++r) other.hop_factor[r] = rings::number(0.5, 3);
      if (rings::coin()) other.hop_factor.clear();
      if (rings::coin()) other.slowdown.clear();
      if (rings::coin()) other.start_s.clear();
      machines.push_back(other.machine());
    }
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    lanes.push_back({&machines.back(), JitterStream(any_jitter(), seed, compute_stream, l, 0),
                     JitterStream(any_jitter(), seed, link_stream, l, 0)});
  }
  RecurrenceEngine together(program, lanes);
  const std::vector<RunResult> joined = together.run_lanes();
  std::deque<rings::Recorder> logs(lanes.size());
  std::vector<Observer*> observers;
  for (rings::Recorder& log : logs) observers.push_back(rings::coin() ? &log : nullptr);
  const std::vector<RunResult> observed = together.run_lanes(observers);
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    rings::Recorder log;
    RecurrenceEngine alone(program, {lanes[l]});
    const RunResult result = alone.run(&log);
    RC_ASSERT(joined[l].end_s == result.end_s);
    RC_ASSERT(joined[l].start_s == result.start_s);
    RC_ASSERT(joined[l].makespan_s == result.makespan_s);
    RC_ASSERT(observed[l].end_s == result.end_s);
    RC_ASSERT(alone.run().end_s == result.end_s);
    RC_ASSERT(observers[l] == nullptr || equal(logs[l], log));
  }
}

// A factor never below 1 delays nothing ahead of time: max and plus are monotone. (Under a contest for SMs they are not.)
RC_GTEST_PROP(Lanes, ParetoJitterNeverMakesARingFaster, ()) {
  const Ring ring = rings::any_ring();
  const Program program = program_of(ring, rings::any_passes());
  const Machine machine = ring.machine();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Jitter jitter{Distribution::pareto, rings::number(0, 0.5), rings::number(1.5, 6)};
  Noise noise;
  noise.compute = noise.links = jitter;
  const std::vector<RunResult> runs =
      RecurrenceEngine(program, {{&machine}, lane_of(machine, noise, seed, 0, 0)}).run_lanes();
  for (std::size_t r = 0; r < runs[0].end_s.size(); ++r) RC_ASSERT(runs[1].end_s[r] >= runs[0].end_s[r]);
}

RC_GTEST_PROP(Lanes, JitterWithoutSpreadChangesNothing, ()) {
  Ring ring = rings::any_ring();
  rings::disturb(ring);
  const Program program = program_of(ring, rings::any_passes());
  const Machine machine = ring.machine();
  Noise noise;
  noise.compute = {*rc::gen::element(Distribution::normal, Distribution::lognormal, Distribution::pareto), 0.0, 3.0};
  noise.links = noise.compute;
  RC_ASSERT(RecurrenceEngine(program, {lane_of(machine, noise, 1, 2, 3)}).run().end_s ==
            RecurrenceEngine(program, machine).run().end_s);
}

}  // namespace
}  // namespace ringsim::sim
