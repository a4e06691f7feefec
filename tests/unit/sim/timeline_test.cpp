// The window of spans that people look at.
#include "sim/timeline.hpp"

#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

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
  EXPECT_TRUE(ranks.truncated);
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

}  // namespace
}  // namespace ringsim::sim
