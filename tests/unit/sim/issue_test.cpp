// What the driving program needs to issue operations: the n-th of a rank starts no earlier than n times that.
#include "sim/totals.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;
using rings::run;

// Two ranks of one token, kernels of 1 s, hops of 1 s; merging is free and takes no operation. In order of issue: shift 0, kernel 0 and
// kernel 1, at 10, 20 and 30 s. Kernel 1 has long had its keys then, and ends at 31 s.
TEST(Issue, AHostThatIsSlowerThanItsGpuSetsThePace) {
  const Ring ring{.ranks = 2, .tokens = 2, .issue_s = 10};
  TotalsObserver totals(ring.ranks);
  const RunResult result = run(ring, Passes::forward, &totals);
  EXPECT_DOUBLE_EQ(result.makespan_s, 31);
  EXPECT_EQ(run(ring, Passes::forward).end_s, result.end_s) << "whether anybody looks or not";
  for (const RankSummary& rank : totals.summaries(result)) {
    EXPECT_DOUBLE_EQ(rank.compute_s, 2);
    EXPECT_DOUBLE_EQ(rank.exposed_communication_s, 0) << "the hop of 10 s to 11 s was beside nothing that could run";
    EXPECT_DOUBLE_EQ(rank.bubble_s, 29);
  }
}

// A host that is ahead all the time costs what its first operation waits: of kernels of 100 s it has issued the next one, at 3 s
// and 4 s, before the first ends. Kernel 0 is its second operation and starts at 2 s.
TEST(Issue, AHostThatIsAheadCostsTheFirstOperations) {
  const Ring ring{.ranks = 2, .tokens = 2, .pair_s = 100, .issue_s = 1};
  EXPECT_DOUBLE_EQ(run(ring, Passes::forward).makespan_s, 2 + 100 + 100);
}

// It goes on from when the rank is ready.
TEST(Issue, ARankThatIsReadyLaterIsIssuedLater) {
  const Ring ring{.ranks = 1, .tokens = 1, .start_s = {7}, .issue_s = 3};
  EXPECT_DOUBLE_EQ(run(ring, Passes::forward).makespan_s, 7 + 3 + 1);
}

}  // namespace
}  // namespace ringsim::sim
