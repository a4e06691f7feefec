// The window of spans that people look at.
#include "sim/timeline.hpp"

#include "sim/predict.hpp"
#include "tests/unit/models/shapes.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

Timeline timeline_of(const Ring& ring, Passes passes, const TimelineWindow& window) {
  const Program program = program_of(ring, passes);
  const Machine machine = ring.machine();
  TimelineObserver observer(program, window);
  RecurrenceEngine(program, machine).run(&observer);
  return observer.take();
}

std::int64_t count(const Timeline& t, SpanKind kind, const std::string& name) {
  return std::count_if(t.spans.begin(), t.spans.end(), [&](const Span& s) { return s.kind == kind && s.name == name; });
}

TEST(Timeline, HoldsEveryOperationOfAShortRun) {
  // Three ranks, forward and backward: 3 kernels a pass and rank; 2 output merges, 2 of each gradient; shifts: 2
  // forward; backward 1 of K/V, 1 of both, 2 of dK/dV.
  const Timeline t = timeline_of({.ranks = 3, .tokens = 3, .merge_bytes_per_s = 10}, Passes::both, {});
  EXPECT_FALSE(t.truncated);
  EXPECT_EQ(count(t, SpanKind::attention, "attend"), 9);
  EXPECT_EQ(count(t, SpanKind::attention, "attend backward"), 9);
  EXPECT_EQ(count(t, SpanKind::merge, "merge O"), 6);
  EXPECT_EQ(count(t, SpanKind::merge, "add dQ"), 6);
  EXPECT_EQ(count(t, SpanKind::merge, "add dK/dV"), 6);
  EXPECT_EQ(count(t, SpanKind::transfer, "shift K/V"), 6 + 3);
  EXPECT_EQ(count(t, SpanKind::transfer, "shift K/V + dK/dV"), 3);
  EXPECT_EQ(count(t, SpanKind::transfer, "shift dK/dV"), 6);
}

TEST(Timeline, LeavesOutKernelsThatTheMaskSkips) {
  // Causal, contiguous, four ranks: rank r attends to r + 1 blocks: 1 + 2 + 3 + 4.
  EXPECT_EQ(count(timeline_of({.tokens = 8, .causal = true}, Passes::forward, {}), SpanKind::attention, "attend"), 10);
}

TEST(Timeline, TellsWhenAndWhatAHopCarries) {
  // Rank 0 starts at 10: the hop 3 -> 0 of step 0 is posted by rank 3 at 0, flies 10-13, and rank 3 is done then.
  const Timeline t =
      timeline_of({.tokens = 8, .pair_s = 5, .token_s = 1.5, .start_s = {10, 0, 0, 0}}, Passes::forward, {});
  const auto hop = std::find_if(t.spans.begin(), t.spans.end(), [](const Span& s) {
    return s.kind == SpanKind::transfer && s.rank == 3 && s.step == 0;
  });
  ASSERT_NE(hop, t.spans.end());
  EXPECT_EQ(hop->peer, 0);
  EXPECT_DOUBLE_EQ(hop->bytes, 2 * 4);  // two tokens of 4 B
  EXPECT_DOUBLE_EQ(hop->start_s, 0);
  EXPECT_DOUBLE_EQ(hop->flight_start_s, 10);
  EXPECT_DOUBLE_EQ(hop->flight_end_s, 13);
  EXPECT_DOUBLE_EQ(hop->end_s, 13);
}

TEST(Timeline, IsCutToItsWindow) {
  const Ring ring{.ranks = 6, .tokens = 6, .layers = 3};
  const Timeline ranks = timeline_of(ring, Passes::forward, {.ranks = 2, .steps = 64, .layers = 3});
  EXPECT_TRUE(ranks.cut());
  EXPECT_FALSE(ranks.truncated) << "the two ranks' run is whole";
  EXPECT_EQ(ranks.ranks, 6);
  EXPECT_EQ(ranks.ranks_shown, 2);
  for (const Span& s : ranks.spans) EXPECT_LT(s.rank, 2);
  EXPECT_EQ(count(ranks, SpanKind::attention, "attend"), 2 * 6 * 3);

  const Timeline steps = timeline_of(ring, Passes::forward, {.ranks = 64, .steps = 2, .layers = 3});
  EXPECT_TRUE(steps.truncated);
  EXPECT_EQ(count(steps, SpanKind::attention, "attend"), 6 * 2 * 3);

  // Layers run 0, 1, 2 and back: the first layer of each pass is 0 forward and 2 backward.
  const Timeline layers = timeline_of(ring, Passes::both, {.ranks = 64, .steps = 64, .layers = 1});
  EXPECT_TRUE(layers.truncated);
  EXPECT_EQ(count(layers, SpanKind::attention, "attend"), 36);
  for (const Span& s : layers.spans) {
    const std::int64_t first = s.name == "attend" ? 0 : 2;
    if (s.kind == SpanKind::attention) {
      EXPECT_EQ(s.layer, first);
    }
  }
}

TEST(Timeline, IsOfRangesFromTheMiddle) {
  // Six ranks, three layers of six steps. Ranks 2 and 3 and the last one, steps 1 to 3, layer 1: a kernel each of 3 ranks x 3 steps.
  const Ring ring{.ranks = 6, .tokens = 6, .layers = 3};
  TimelineWindow window{{2, 2}, {1, 3}, {1, 1}};
  window.also = {5, 3};
  const Timeline t = timeline_of(ring, Passes::forward, window);
  EXPECT_EQ(t.ranks_shown, 3);
  EXPECT_EQ(count(t, SpanKind::attention, "attend"), 3 * 3);
  for (const Span& s : t.spans) {
    EXPECT_TRUE(s.rank == 2 || s.rank == 3 || s.rank == 5) << s.rank;
    EXPECT_TRUE(s.step >= 1 && s.step < 4) << s.step;
    EXPECT_EQ(s.layer, 1);
  }

  // The first layer that is executed is 0 and, backwards, 2; layer 0 by its number is the same one in both passes.
  window = {6, 6, 1};
  window.layer_order = LayerOrder::numbered;
  const Timeline numbered = timeline_of(ring, Passes::both, window);
  for (const Span& s : numbered.spans) EXPECT_EQ(s.layer, 0);
  EXPECT_EQ(count(numbered, SpanKind::attention, "attend"), 36);
  EXPECT_EQ(count(numbered, SpanKind::attention, "attend backward"), 36);
  window.pass = Pass::backward;
  EXPECT_EQ(count(timeline_of(ring, Passes::both, window), SpanKind::attention, "attend"), 0);
}

/// Llama-3-8B in four stages of eight layers, eight micro-batches of a sequence, everything recomputed.
Scenario staged() {
  Scenario s = shapes::scenario(shapes::llama3_8b(), 4096, 1, Layout::contiguous);
  s.workload.phase = Phase::train;
  s.workload.scope = Scope::model;
  s.workload.batch = 8;
  s.parallel.pipeline = 4;
  s.training.recompute = Recompute::full;
  s.cluster.gpus_per_node = 4;
  return s;
}

TEST(Timeline, OfAPipelineIsOneMicroBatchOfEveryStage) {
  // The third layer of every stage of micro-batch 5 alone. Stage k has layers 8k to 8k + 7: 8k + 2 forward, and from behind 8k + 5, where
  // the forward pass runs again first: two forward kernels a stage and one backward.
  TimelineWindow window{64, 64, {2, 1}};
  window.micro_batches = {5, 1};
  PredictOptions how;
  how.engine = EngineChoice::recurrence;
  how.interval = false;
  how.windows = {window, window, window};
  how.windows[1].pass = Pass::forward;
  how.windows[2].stages = {3, 1};
  const PredictResult result = predict(staged(), how);
  ASSERT_EQ(result.timelines.size(), 3U);
  const Timeline& all = result.timelines[0];
  EXPECT_EQ(count(all, SpanKind::attention, "attend"), 2 * 4);
  EXPECT_EQ(count(all, SpanKind::attention, "attend backward"), 4);
  for (const Span& s : all.spans) {
    if (s.kind != SpanKind::attention) continue;
    EXPECT_TRUE(s.layer == 8 * s.rank + 2 || s.layer == 8 * s.rank + 5) << s.layer << " of stage " << s.rank;
    EXPECT_TRUE(s.name == "attend" || s.layer == 8 * s.rank + 5);
  }
  EXPECT_EQ(count(result.timelines[1], SpanKind::attention, "attend"), 4) << "what runs again is backward";
  EXPECT_EQ(count(result.timelines[2], SpanKind::attention, "attend"), 2);
  for (const Span& s : result.timelines[2].spans) EXPECT_EQ(s.rank, 3);
}

TEST(Timeline, SettledRunsAreShownInTheMiddle) {
  // 32 layers, no windows: layer 16. Eight steps, four of them from the middle on: 4 to 7.
  Scenario s = shapes::scenario(shapes::llama3_8b(), 65536, 8, Layout::zigzag);
  const TimelineWindow steady = steady_window(s);
  EXPECT_EQ(steady.layers, (IndexRange{16, 1}));
  EXPECT_EQ(steady.steps, (IndexRange{4, 4}));
  EXPECT_EQ(steady.pass, Pass::forward);
  // Of four stages with eight layers each the fifth; of eight micro-batches the fifth.
  const TimelineWindow stages = steady_window(staged());
  EXPECT_EQ(stages.layers, (IndexRange{4, 1}));
  EXPECT_EQ(stages.micro_batches, (IndexRange{4, 1}));
  EXPECT_EQ(stages.steps.first, 0) << "one rank, one step: the whole layer";
  // Every other layer has a window, 16 among them: the nearest that has none is 15.
  s.model.sliding_window = 512;
  for (int layer = 0; layer < 32; ++layer) s.model.sliding_layer.push_back(layer % 2 == 0);
  EXPECT_EQ(steady_window(s).layers.first, 15);
}

TEST(Timeline, TheSlowestRankIsShownWhereverItIs) {
  // Rank 6 of eight is slow; the window is of the first two.
  Scenario s = shapes::scenario(shapes::llama3_8b(), 65536, 8, Layout::zigzag);
  s.noise.stragglers = {{6, 1.5}};
  PredictOptions how;
  how.engine = EngineChoice::recurrence;
  how.windows = {opening_window(s, 2)};
  const PredictResult result = predict(s, how);
  std::set<std::int64_t> shown;
  for (const Span& span : result.timelines.at(0).spans) shown.insert(span.rank);
  EXPECT_EQ(shown, (std::set<std::int64_t>{0, 1, 6}));
}

}  // namespace
}  // namespace ringsim::sim
