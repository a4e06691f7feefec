// A run is spoken of by the rank that ends last.
#include "sim/summarize.hpp"

#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Ring;

RunSummary summary_of(const Ring& ring) {
  TotalsObserver totals(ring.ranks);
  return summarize(totals, run(ring, rings::Passes::forward, &totals));
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
  // Uneven blocks of two and one tokens: rank 0 has kernels of 2·2 = 4 and 2·1 = 2, rank 1 of 1·1 = 1 and 1·2 = 2. Hops
  // of 20 for rank 0's two tokens and 10 for rank 1's; both wait for the longer. They end at 22 together; rank 0
  // computed 6, rank 1 only 3.
  const RunSummary uneven = summary_of({.ranks = 2, .tokens = 3, .token_s = 10});
  EXPECT_NEAR(uneven.makespan_s, 22, 1e-12);
  EXPECT_EQ(uneven.per_rank[1].end_s, uneven.makespan_s);
  EXPECT_EQ(uneven.slowest_rank, 0);
  EXPECT_NEAR(uneven.compute_s, 6, 1e-12);
}

TEST(Summarize, ARingOfOneHasNoOverlapToSpeakOf) {
  EXPECT_FALSE(summary_of({.ranks = 1, .tokens = 1}).overlap.has_value());
}

}  // namespace
}  // namespace ringsim::sim
