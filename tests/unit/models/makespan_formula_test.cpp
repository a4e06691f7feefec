// Closed forms of makespans at numbers that can be drawn on paper: steps of 5 s compute, hops of 3 or 8 s, four ranks.
#include "models/closed_form.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

double forward(std::int64_t ring, std::int64_t buffers, double first, double middle, double last, double hop) {
  return in_seconds(forward_makespan(ring, buffers, {seconds(first), seconds(middle), seconds(last), seconds(hop)}));
}

TEST(ForwardMakespan, OfARingOfOneIsItsOnlyKernel) { EXPECT_DOUBLE_EQ(forward(1, 2, 5, 9, 9, 7), 5.0); }

TEST(ForwardMakespan, HidesShortHopsAndPaysForLongOnes) {
  EXPECT_DOUBLE_EQ(forward(4, 2, 5, 5, 5, 3), 20.0);  // four kernels back to back
  EXPECT_DOUBLE_EQ(forward(4, 2, 5, 5, 5, 8), 29.0);  // three hops back to back, then the last kernel
}

TEST(ForwardMakespan, OfACausalContiguousRingPaysTheFirstHopAfterHalfAKernel) {
  // The last rank: half a block (2.5) against a hop of 4: 4; two steps of max(5, 4); the last kernel 5.
  EXPECT_DOUBLE_EQ(forward(4, 2, 2.5, 5, 5, 4), 4 + 2 * 5 + 5);
}

TEST(ForwardMakespan, OfThreeBuffersLetsHopsRunAhead) {
  // Kernels 2, 5, 5, 5; hops of 4. Hop 0 ends at 4, so kernel 1 runs 4-9; hop 1 was posted at 4 and ended at 8, kernel
  // 2 runs 9-14, hop 2 waited for hop 1 and kernel 0, ended at 12, kernel 3 runs 14-19.
  EXPECT_DOUBLE_EQ(forward(4, 3, 2, 5, 5, 4), 19.0);
  // Transfer-bound: hops 0-8, 8-16, 16-24, and the last kernel.
  EXPECT_DOUBLE_EQ(forward(4, 3, 5, 5, 5, 8), 29.0);
  // A long first kernel, 20: hops 0 and 1 run beside it; hop 2 overwrites its buffer, so starts at 20 and ends at 23.
  // Kernels 20-21, 21-22, and the last waits for hop 2: 23-24.
  EXPECT_DOUBLE_EQ(forward(4, 3, 20, 1, 1, 3), 24.0);
}

TEST(BackwardMakespan, AddsTravellingGradientsAfterKernelAndHopAndBringsThemHome) {
  // Kernels 5, 6, 6, 7; adding takes 1. Hops: operands 2, both 9, gradient 4, home 4.
  // Step 0: max(5, 2) = 5. Steps 1, 2: max(6, 9) + 1 = 10 each. Step 3: max(7, 4) + 1 = 8. Home 4. 5 + 20 + 8 + 4 = 37.
  const BackwardTimes t{seconds(5), seconds(6), seconds(7), seconds(1), seconds(1),
                        seconds(2), seconds(9), seconds(4), seconds(4)};
  EXPECT_DOUBLE_EQ(in_seconds(backward_makespan(4, t)), 37.0);
  // Two ranks have no middle step: 5 + 8 + 4.
  EXPECT_DOUBLE_EQ(in_seconds(backward_makespan(2, t)), 17.0);
  EXPECT_DOUBLE_EQ(in_seconds(backward_makespan(1, t)), 5.0);
}

TEST(ContestedMakespan, AlternatesBetweenSumAndMaximumWhereComputeIsLonger) {
  // Kernels of 5, hops of 3, events 0.25 late, five ranks. Step 0: the kernel has the SMs, the hop flies 5-8, the next
  // kernel starts at 8.25. Step 1: the hop is ready at 8 and hides, kernel until 13.25. Steps 2 and 3 the same
  // again: 21.5, 26.5. The last kernel: 31.5.
  const ContestedForwardTimes t{seconds(5), seconds(5), seconds(0), seconds(3), seconds(0.25)};
  EXPECT_DOUBLE_EQ(in_seconds(contested_forward_makespan(5, t)), 31.5);
  EXPECT_DOUBLE_EQ(in_seconds(contested_forward_makespan(1, t)), 5.0);
}

TEST(ContestedMakespan, AMergeAfterTheKernelDoesNotHoldUpATransferThatWasReadyBefore) {
  // Kernel 5, then a merge of 2 from step 1 on. Two ranks of one hop: kernel 0-5, hop 5-8, event 8.25, kernel and
  // merge: 15.25.
  const ContestedForwardTimes t{seconds(5), seconds(5), seconds(2), seconds(3), seconds(0.25)};
  EXPECT_DOUBLE_EQ(in_seconds(contested_forward_makespan(2, t)), 15.25);
  // Four: step 1: the hop follows its own, 8-11, hidden; the step ends at 15.25. Step 2: the kernel is
  // first, 15.25-20.25; the hop goes before the merge and flies 20.25-23.25, the merge runs until 22.25; at 23.5 the
  // last kernel and merge: 30.5.
  EXPECT_DOUBLE_EQ(in_seconds(contested_forward_makespan(4, t)), 30.5);
}

TEST(ContestedMakespan, OfTheBackwardPassPutsEveryHopAfterItsKernel) {
  // Kernel 10, adding to the resident gradient 2, to the travelling one 1; hops 3, 6, 3, 3; events 0.5. Three ranks.
  // Step 0: hop after the kernel, 10-13, event 13.5. Step 1: kernel until 23.5, hop 23.5-29.5, event 30, adds until 31.
  // Step 2: kernel until 41, hop 41-44, event 44.5, adds until 45.5. Home: ready at 46, until 49, event 49.5.
  const ContestedBackwardTimes t{seconds(10), seconds(10), seconds(2), seconds(1),  seconds(3),
                                 seconds(6),  seconds(3),  seconds(3), seconds(0.5)};
  EXPECT_DOUBLE_EQ(in_seconds(contested_backward_makespan(3, t)), 49.5);
}

}  // namespace
}  // namespace ringsim
