// Loops that run in tiles: what a tile does, and that it makes no difference to the run.
#include "sim/recurrence/lowering.hpp"
#include "sim/recurrence/tile_plan.hpp"
#include "sim/recurrence/worker_pool.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

// Speeds, hops and starts differ from rank to rank and do not repeat.
Ring uneven_ring(std::int64_t ranks) {
  Ring ring;
  ring.ranks = ranks;
  ring.tokens = 2 * ranks;
  ring.layers = 2;
  for (std::int64_t r = 0; r < ranks; ++r) {
    const auto x = static_cast<double>(r);
    ring.slowdown.push_back(1 + 0.5 * std::sin(x));
    ring.hop_factor.push_back(1 + 0.5 * std::sin(1.7 * x + 1));
    ring.start_s.push_back(3 + 3 * std::cos(0.3 * x));
  }
  return ring;
}

void expect_same(const Ring& ring, Passes passes, TileShape shape, int threads) {
  const Program program = program_of(ring, passes);
  const Machine machine = ring.machine();
  RecurrenceEngine engine(program, machine);
  RunOptions tiled;
  tiled.tile_shape = shape;
  tiled.threads = threads;
  tiled.extrapolate = false;
  EXPECT_EQ(engine.run(nullptr, tiled).end_s, engine.run(nullptr, run_in_full()).end_s)
      << ring.ranks << " ranks, tiles of " << shape.ranks << " ranks and " << shape.steps << " steps, " << threads
      << " threads";
}

const LoweredLoop& longest_loop(const std::vector<LoweredNode>& body) {
  const LoweredLoop* longest = nullptr;
  for (const LoweredNode& node : body) {
    const auto* loop = std::get_if<std::unique_ptr<LoweredLoop>>(&node);
    if (loop == nullptr) continue;
    const LoweredLoop& inner = (*loop)->straight.empty() ? longest_loop((*loop)->body) : **loop;
    if (longest == nullptr || inner.count > longest->count) longest = &inner;
  }
  return *longest;
}

struct Planned {
  Program program;
  Machine machine;
  std::vector<Lane> lanes{{&machine}};
  Lowered lowered = lower(program, lanes, {program.ring(), 1});
  const LoweredLoop& loop = longest_loop(lowered.body);
  TileNames names = names_of(loop, lowered.streams);

  Planned(const Ring& ring, Passes passes) : program(program_of(ring, passes)), machine(ring.machine()) {}
  // All names mean vectors of their own before it.
  [[nodiscard]] TilePlan plan(std::int64_t steps) const {
    std::vector<int> before(names.size());
    for (std::size_t i = 0; i < before.size(); ++i) before[i] = static_cast<int>(i);
    return plan_tile(loop, names, lowered.streams, before, loop.first, steps);
  }
};

// Two buffers: a step starts where kernel and arrival of the step before have met, and its hops are posted there, too. So a step
// is one pass: hops, kernel and their meeting. Only where the block begins nobody has seen that the streams meet: one maximum more.
// Each of the six hops reaches a rank further. After the block the compute stream, the last kernel's end, and the last two
// arrivals (two buffers, two events) are vectors that somebody may ask for; the transfer stream is the last arrival.
TEST(TilePlan, AStepOfTwoBuffersIsOnePass) {
  const Planned planned(uneven_ring(16), Passes::forward);
  const TilePlan plan = planned.plan(6);
  EXPECT_EQ(plan.passes.size(), 7U);
  EXPECT_EQ(plan.reach, 6);
  EXPECT_EQ(plan.reads.size(), 3U);  // compute stream, last arrival, last kernel
  EXPECT_EQ(plan.writes.size(), 4U);
  EXPECT_EQ(plan.hops.size(), 1U);
  EXPECT_EQ(plan.hot, 2);  // a step reads the vector that the one before made
  for (std::size_t i = 1; i < plan.passes.size(); ++i) {
    const TilePass& pass = plan.passes[i];
    EXPECT_GE(pass.posted, 0);
    EXPECT_EQ(pass.kernels, 1);
    EXPECT_GE(pass.met, 0);
    EXPECT_EQ(pass.reach, static_cast<std::int64_t>(plan.passes.size() - 1 - i));
    EXPECT_EQ(pass.x >= 0, i >= 5);  // an arrival is written down where an event still means it after the block
  }
}

// A merge follows its kernel and nobody asks for the time between: still one pass. Three buffers post a hop at
// max(arrival, the kernel before the last), which is a pass of its own.
TEST(TilePlan, MergesAddNoPassAndAThirdBufferOne) {
  Ring ring = uneven_ring(16);
  ring.merge_bytes_per_s = 30;
  const TilePlan merges = Planned(ring, Passes::forward).plan(6);
  EXPECT_EQ(merges.passes.size(), 7U);
  EXPECT_EQ(merges.passes.back().kernels, 2);
  ring.buffers = 3;
  EXPECT_EQ(Planned(ring, Passes::forward).plan(6).passes.size(), 12U);
}

// Backward the gradient is added after the arrival: it starts at m = max(kernel, arrival) and ends at d = m + merge. The next hop
// waits for d and for the arrival, but d is no earlier than the arrival that m waited for: no pass for that maximum.
TEST(TilePlan, AMaximumThatIsKnownIsNotTaken) {
  Ring ring = uneven_ring(16);
  ring.merge_bytes_per_s = 30;
  const TilePlan plan = Planned(ring, Passes::backward).plan(6);
  for (std::size_t i = 2; i < plan.passes.size(); ++i) {
    const TilePass& pass = plan.passes[i];
    EXPECT_TRUE(pass.kernels > 0) << "pass " << i << " is a maximum alone";
  }
  EXPECT_EQ(plan.passes.size(), 13U);  // two a step, and the maximum before the first
}

// Rings of less than a tile, of a tile, of one rank more, and of several: all around the line of 8 to which tiles are rounded up.
TEST(TiledLoop, GivesTheSameBitsForEverySizeOfRingAndTile) {
  for (const std::int64_t ranks : {2, 3, 5, 7, 8, 9, 15, 16, 17, 24, 25, 47}) {
    for (const TileShape shape : {TileShape{1, 1}, {8, 3}, {8, 64}, {16, 4}, {24, 5}, {100, 7}}) {
      expect_same(uneven_ring(ranks), Passes::both, shape, 1);
    }
  }
}

TEST(TiledLoop, GivesTheSameBitsUnderMasksWithMergesAndAThirdBuffer) {
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    for (const std::int64_t buffers : {2, 3}) {
      for (const double merge : {0.0, 30.0}) {
        Ring ring = uneven_ring(41);
        ring.layout = layout;
        ring.causal = true;
        ring.buffers = buffers;
        ring.merge_bytes_per_s = merge;
        expect_same(ring, Passes::both, {16, 6}, 1);
        ring.slowdown.clear();
        expect_same(ring, Passes::both, {8, 5}, 1);
        ring.hop_factor.clear();
        expect_same(ring, Passes::both, {8, 5}, 2);
      }
    }
  }
}

TEST(TiledLoop, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 4}) expect_same(uneven_ring(97), Passes::both, {8, 4}, threads);
}

// What no scheme does, but a program may: a second shift before anybody waits for the first, whose end so is needed before the kernel
// meets it; and a kernel whose end the transfer stream waits for although a merge follows right away.
TEST(TiledLoop, GivesTheSameBitsWhereASharedPassWouldBeTooLate) {
  Ring ring = uneven_ring(29);
  ring.tokens = 2 * ring.ranks;
  ring.merge_bytes_per_s = 30;
  Program program = program_of(ring, Passes::forward);
  int changed = 0;
  const std::function<void(std::vector<Operation>&)> change = [&](std::vector<Operation>& body) {
    for (Operation& operation : body) {
      auto* repeat = std::get_if<Repeat>(&operation.what);
      if (repeat == nullptr) continue;
      change(repeat->body);
      if (repeat->count < ring.ranks - 2) continue;
      // Wait computed | Shift | Record arrived | Attend | Merge | Record computed | Wait arrived
      auto& steps = repeat->body;
      ASSERT_EQ(steps.size(), 7U);
      const Operation wait = steps[0];
      const Operation shift = steps[1];
      const Operation record = steps[5];
      steps.insert(steps.begin() + 4, {record, wait});
      steps.insert(steps.begin() + 3, shift);
      ASSERT_TRUE(std::holds_alternative<Attend>(steps[4].what) && std::holds_alternative<Merge>(steps[7].what));
      ++changed;
    }
  };
  change(program.body);
  ASSERT_EQ(changed, 1);
  const Machine machine = ring.machine();
  RecurrenceEngine engine(program, machine);
  RunOptions tiled;
  tiled.tile_shape = {8, 5};
  EXPECT_EQ(engine.run(nullptr, tiled).end_s, engine.run(nullptr, run_in_full()).end_s);
}

// Sizes as they are chosen, of a ring that is several tiles and of one that is less.
TEST(TiledLoop, GivesTheSameBitsWithItsOwnSizes) {
  for (const std::int64_t ranks : {300, 2900}) {
    Ring ring = uneven_ring(ranks);
    ring.layers = 1;
    expect_same(ring, Passes::forward, {}, 2);
  }
}

// A ring of equal ranks is known by heart: a kernel of 2 s hides a hop of 1 s, so N steps take 2 N seconds, in tiles as otherwise.
TEST(TiledLoop, TakesAsLongAsTheKernelsThatHideTheHops) {
  Ring ring;
  ring.ranks = ring.tokens = 40;
  ring.pair_s = 2;
  const Program program = program_of(ring, Passes::forward);
  const Machine machine = ring.machine();
  RunOptions options;
  options.tile_shape = {16, 4};
  EXPECT_EQ(RecurrenceEngine(program, machine).run(nullptr, options).makespan_s, 80);
}

// Uneven blocks have other hops at every step: such loops are not tiled, and run nevertheless.
TEST(TiledLoop, LeavesUnevenBlocksToTheOtherLoop) {
  Ring ring = uneven_ring(20);
  ring.tokens = 47;
  expect_same(ring, Passes::both, {8, 4}, 2);
}

// Every task of every round once, and what it wrote is there after the round, however short rounds are.
TEST(WorkerPool, RunsEveryTaskOnce) {
  for (const int workers : {1, 2, 4}) {
    WorkerPool pool(workers);
    EXPECT_EQ(pool.workers(), workers);
    std::vector<std::int64_t> times(7, 0);
    std::atomic<bool> strange{false};
    for (std::int64_t round = 1; round <= 2000; ++round) {
      pool.run(round % 8, [&](std::int64_t task, int worker) {
        if (worker < 0 || worker >= workers) strange = true;
        ++times[static_cast<std::size_t>(task)];
      });
      if (round % 8 == 0) {
        EXPECT_EQ(times[0], round / 8 * 7);
      }
    }
    // Of eight rounds, with 0 to 7 tasks, task t is in those of more than t.
    for (std::int64_t t = 0; t < 7; ++t) EXPECT_EQ(times[static_cast<std::size_t>(t)], 250 * (7 - t));
    EXPECT_FALSE(strange);
  }
}

}  // namespace
}  // namespace ringsim::sim
