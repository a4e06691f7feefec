// Runs that jump over what repeats: how much they jump over, when they must not, and what observers are told.
#include "scenarios/reader.hpp"
#include "sim/hop_use.hpp"
#include "sim/phase_program.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/schedules/model_program.hpp"
#include "sim/timeline.hpp"
#include "tests/unit/sim/rings.hpp"
#include "tests/unit/sim/shortened.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

/// The run in full to 1e-9, of which more than this part of the steps is jumped over.
void expect_jumps(const Program& program, const Machine& machine, double more_than) {
  const shortened::Outcome full = shortened::run(program, machine, run_in_full());
  const shortened::Outcome jumped = shortened::run(program, machine, shortened::both());
  EXPECT_LT(shortened::difference(jumped, full), 1e-9);
  EXPECT_GT(jumped.result.economy.jumped_rank_steps / jumped.result.economy.rank_steps, more_than);
}

// Kernels of 1 s forward and 2.5 s backward; hops of 0.5 s and, of K/V and dK/dV together, 1 s. All hide but the gradients' way home (0.5 s):
// a layer takes N · 1 s forward and N · 2.5 + 0.5 s backward.
TEST(Repetition, AMillionIdenticalRanksTakeWhatTheFormulaSays) {
  constexpr std::int64_t n = 1 << 20;
  const Ring ring{.ranks = n, .tokens = n, .layers = 126, .pair_s = 1, .token_s = 0.5};
  const RunResult result = rings::run(ring, Passes::both);
  const double expected_s = 126.0 * (n * 1.0 + n * 2.5 + 0.5);
  EXPECT_NEAR(result.makespan_s / expected_s, 1.0, 1e-12);
  EXPECT_EQ(result.end_s.size(), n);
  EXPECT_EQ(result.economy.folded_ranks, 1);
  // N steps of every rank, layer and pass; in each layer the first one stands outside of the loop of the others.
  EXPECT_GE(result.economy.rank_steps, 126.0 * 2 * (n - 1.0) * n * (1 - 1e-5));
  EXPECT_GT(result.economy.jumped_rank_steps / result.economy.rank_steps, 0.9999);
}

// All ranks compute for 1 s and have 0.5 s of slack, but rank 20 takes a thousandth longer. A neighbour is late for the first time once
// rank 20 is 0.5 s behind, after 500 steps, the next one after 500 more: the 31 ranks on either side of a ring of 64 need 32 · 500
// = 16,000 steps, 254 layers of 63. Until then most ranks go on as if nothing were, step for step.
Ring creeping(std::int64_t layers) {
  Ring ring{.ranks = 64, .tokens = 64, .layers = layers, .pair_s = 1, .token_s = 0.5};
  ring.slowdown.assign(64, 1.0);
  ring.slowdown[20] = 1.001;
  return ring;
}

TEST(Repetition, RanksThatStandStillDoNotSpeakForTheOthers) {
  // Increments of 63 of 64 ranks from layer 6 to 7 are those from 5 to 6.
  const auto ends = [](std::int64_t layers) { return rings::run(creeping(layers)).end_s; };
  const std::vector<double> five = ends(5), six = ends(6), seven = ends(7);
  int still = 0;
  for (std::size_t r = 0; r < five.size(); ++r) {
    if (std::abs((seven[r] - six[r]) - (six[r] - five[r])) < 1e-9 && std::abs(seven[r] - six[r] - 64) < 1e-9) ++still;
  }
  EXPECT_EQ(still, 63);

  const Ring ring = creeping(400);
  const Program program = rings::program_of(ring, Passes::forward);
  const Machine machine = ring.machine();
  const shortened::Outcome full = shortened::run(program, machine, run_in_full());
  const shortened::Outcome jumped = shortened::run(program, machine, shortened::both());
  EXPECT_LT(shortened::difference(jumped, full), 1e-9);
  // The last ranks settle in layer 254 or so: nothing before may be jumped over.
  EXPECT_LE(jumped.result.economy.jumped_rank_steps / jumped.result.economy.rank_steps, 150.0 / 400);

  const Ring shorter = creeping(200);
  const RunResult unsettled =
      RecurrenceEngine(rings::program_of(shorter, Passes::forward), machine).run(shortened::both());
  EXPECT_EQ(unsettled.economy.jumped_rank_steps, 0);
  EXPECT_EQ(unsettled.economy.why_in_full, "no state of all ranks came again");
}

// The same ring with a rank that is slow enough to be felt at once.
TEST(Repetition, AStragglerThatIsFeltAtOnceSettlesSoon) {
  Ring ring = creeping(400);
  ring.slowdown[20] = 2;
  const Program program = rings::program_of(ring, Passes::forward);
  const Machine machine = ring.machine();
  expect_jumps(program, machine, 0.9);
}

// Steps of a causal contiguous ring are all different, layers are all alike.
TEST(Repetition, LayersRepeatWhereStepsDoNot) {
  const Ring ring{.ranks = 16, .tokens = 32, .causal = true, .layers = 100, .token_s = 0.3};
  const Program program = rings::program_of(ring, Passes::both);
  const Machine machine = ring.machine();
  expect_jumps(program, machine, 0.8);
}

// Two layers of one kind and one of another in turn repeat in threes.
TEST(Repetition, LayersOfSeveralKindsRepeatWithTheirPattern) {
  Ring ring{.ranks = 8, .tokens = 64, .causal = true, .layers = 90, .token_s = 0.3};
  RingSpec spec = ring.spec();
  spec.masks.push_back(Mask{true, 12});
  for (std::size_t layer = 0; layer < spec.mask_of_layer.size(); ++layer)
    spec.mask_of_layer[layer] = layer % 3 == 2 ? 1 : 0;
  const Program program = ring_program_of(spec, true, true);
  const Machine machine = ring.machine();
  expect_jumps(program, machine, 0.7);
}

// 64 micro-batches of one sequence, the last of which also reduces gradients over the data-parallel ranks: 61 or so of them are jumped over,
// and within those that are run most layers.
TEST(Repetition, MicroBatchesRepeatToo) {
  const Scenario s = scenarios::read_scenario_text(
      "name: training\n"
      "model: {name: m, layers: 24, hidden: 512, heads: 16, kv_heads: 4, head_dim: 64, feed_forward: {intermediate: "
      "2048}, "
      "vocabulary: 32000}\n"
      "workload: {phase: train, tokens: 16Ki, causal: true, scope: model, batch: 128}\n"
      "cluster: {use: dgx-h100, nodes: 4}\n"
      "profile: h100-sxm\n"
      "parallel: {ring: 16, data: 2}\n"
      "training: {micro_batch: 1, zero: 1}\n"
      "ring: {layout: zigzag}\n",
      "training.yaml");
  const std::vector<PhaseProgram> phases = programs_of(s);
  const Program& program = phases.front().program;
  EXPECT_EQ(program.tasks.size(), 128u);  // 64 forward, 64 backward
  const Machine machine = machine_for(program, machine_of(s));
  const shortened::Outcome full = shortened::run(program, machine, run_in_full());
  const shortened::Outcome jumped = shortened::run(program, machine, shortened::extrapolated());
  EXPECT_LT(shortened::difference(jumped, full), 1e-9);
  EXPECT_GT(jumped.result.economy.jumped_rank_steps / jumped.result.economy.rank_steps, 1 - 8.0 / 64);
}

// A window in the middle is seen operation by operation, at the times that it has in a run in full.
TEST(Repetition, ATimelineHasItsWindowAndNothingElseIsRun) {
  const Ring ring{.ranks = 64, .tokens = 64, .layers = 80, .pair_s = 0.7, .token_s = 0.3};
  const Program program = rings::program_of(ring, Passes::both);
  const Machine machine = ring.machine();
  TimelineWindow window{IndexRange(60, 3), IndexRange(40, 5), IndexRange(50, 2)};
  const auto spans = [&](const RunOptions& how, RunEconomy& economy) {
    TimelineObserver observer(program, window);
    economy = RecurrenceEngine(program, machine).run(&observer, how).economy;
    return observer.take();
  };
  RunEconomy full, jumped;
  const Timeline expected = spans(run_in_full(), full);
  const Timeline found = spans(shortened::both(), jumped);
  // 3 ranks, 5 steps, 2 layers, 2 passes; forward a kernel and a transfer, backward as many.
  ASSERT_EQ(found.spans.size(), expected.spans.size());
  EXPECT_GE(found.spans.size(), 3u * 5 * 2 * 2 * 2);
  EXPECT_TRUE(found.truncated);
  for (std::size_t i = 0; i < found.spans.size(); ++i) {
    const Span& a = found.spans[i];
    const Span& b = expected.spans[i];
    EXPECT_EQ(std::tie(a.rank, a.name, a.layer, a.step, a.peer), std::tie(b.rank, b.name, b.layer, b.step, b.peer));
    EXPECT_NEAR(a.start_s / b.start_s, 1.0, 1e-9);
    EXPECT_NEAR(a.end_s / b.end_s, 1.0, 1e-9);
  }
  EXPECT_GT(jumped.jumped_rank_steps / jumped.rank_steps, 0.8);
}

TEST(Repetition, HopsCarryWhatIsJumpedOverToo) {
  const Ring ring{.ranks = 16, .tokens = 32, .layers = 60, .pair_s = 0.7, .token_s = 0.9};
  const Program program = rings::program_of(ring, Passes::both);
  const Machine machine = ring.machine();
  const auto usage = [&](const RunOptions& how) {
    HopUseObserver observer(program);
    (void)RecurrenceEngine(program, machine).run(&observer, how);
    return observer.usage();
  };
  const HopUsage expected = usage(run_in_full());
  const HopUsage found = usage(shortened::both());
  ASSERT_EQ(found.first.size(), 16u);
  for (std::size_t r = 0; r < 16; ++r) {
    EXPECT_DOUBLE_EQ(found.first[r].bytes, expected.first[r].bytes);
    EXPECT_NEAR(found.first[r].in_flight_s / expected.first[r].in_flight_s, 1.0, 1e-9);
  }
}

// The reasons for running in full.
TEST(Repetition, SaysWhyNothingIsJumpedOver) {
  Ring ring{.ranks = 8, .tokens = 16, .layers = 60};
  const Program program = rings::program_of(ring, Passes::forward);
  const Machine machine = ring.machine();
  rings::Recorder recorder;  // wants to see everything
  const RunOptions watched = shortened::both();
  EXPECT_EQ(RecurrenceEngine(program, machine).run(&recorder, watched).economy.why_in_full,
            "every operation is looked at");
  Noise noise;
  noise.compute = Jitter{Distribution::lognormal, 0.1, 3.0};
  RecurrenceEngine noisy(program, {lane_of(machine, noise, 1, 0, 0)});
  EXPECT_EQ(noisy.run(watched).economy.why_in_full, "random times do not repeat");
  ring.issue_s = 0.01;
  const Machine busy = ring.machine();
  EXPECT_EQ(RecurrenceEngine(program, busy).run(watched).economy.why_in_full,
            "the host's clock counts operations from the start");
  EXPECT_EQ(RecurrenceEngine(program, machine).run(watched).economy.why_in_full, "");
}

}  // namespace
}  // namespace ringsim::sim
