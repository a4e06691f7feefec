// A run is spoken of by the rank that ends last.
#include "sim/summarize.hpp"

#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Ring;

RunSummary summary_of(const Ring& ring, rings::Passes passes = rings::Passes::forward) {
  TotalsObserver totals(ring.ranks);
  return summarize(totals, run(ring, passes, &totals));
}

TEST(Summarize, SpeaksOfTheRankThatEndsLast) {
  // Causal, contiguous, three ranks of two tokens, hops of 4: kernels 3 | 3 4 | 3 4 4 and a wait of 1 behind each first
  // kernel. Rank 2 ends at 12 after 11 of compute; of the 8 in which its hops fly (twice 4, in and out at
  // the same time) 1 is exposed.
  const RunSummary run = summary_of({.ranks = 3, .tokens = 6, .causal = true, .token_s = 2});
  EXPECT_EQ(run.slowest_rank, 2);
  EXPECT_NEAR(run.makespan_s, 12, 1e-12);
  EXPECT_NEAR(run.compute_s, 11, 1e-12);
  EXPECT_NEAR(run.exposed_communication_s, 1, 1e-12);
  EXPECT_NEAR(run.bubble_s, 0, 1e-12);
  EXPECT_NEAR(run.overlap.value(), 1 - 1.0 / 8, 1e-12);
  EXPECT_EQ(run.per_rank.size(), 3U);
}

TEST(Summarize, OfRanksThatEndTogetherTakesTheOneThatComputesLongest) {
  // Backward, two ranks, kernels of 2.5 and, rank 1 being slow, of 5: rank 1 computes until 10, and the hop of 1 that
  // brings the gradients home ends for both at 11.
  const RunSummary run = summary_of({.ranks = 2, .tokens = 2, .slowdown = {1, 2}}, rings::Passes::backward);
  EXPECT_NEAR(run.makespan_s, 11, 1e-12);
  EXPECT_EQ(run.per_rank[0].end_s, run.per_rank[1].end_s);
  EXPECT_EQ(run.slowest_rank, 1);
  EXPECT_NEAR(run.compute_s, 10, 1e-12);
}

TEST(Summarize, ARingOfOneHasNoOverlapToSpeakOf) {
  EXPECT_FALSE(summary_of({.ranks = 1, .tokens = 1}).overlap.has_value());
}

}  // namespace
}  // namespace ringsim::sim
