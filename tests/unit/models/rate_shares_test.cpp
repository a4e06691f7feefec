// The least time in which kernels and a hop that slow each other down can be done.
#include "models/rate_shares.hpp"

#include <gtest/gtest.h>

#include <array>

namespace ringsim {
namespace {

// φ = 1, ψ = 0.25: in the 2 s of the kernel the hop does 0.5 s of its 3 s, and is alone for the 2.5 s that are left.
TEST(LeastTogether, OfOneKernelIsBothFromTheStart) {
  const RateShares shares{1.0, 0.25};
  const std::array kernels{SharingKernel{2.0, shares}};
  EXPECT_DOUBLE_EQ(least_together_s(kernels, 3.0), 4.5);
  EXPECT_DOUBLE_EQ(least_together_s(kernels, 3.0), in_seconds(shares.both(seconds(2.0), seconds(3.0))));
}

// φ + ψ = 0.5: a second beside each other does the work of half a second.
TEST(LeastTogether, IsOneAfterTheOtherWhereTheyLoseByOverlapping) {
  EXPECT_DOUBLE_EQ(least_together_s(std::array{SharingKernel{2.0, {0.25, 0.25}}}, 3.0), 5.0);
}

// The hop of 1 s fits into the merge of 1.5 s, which leaves it all of its rate: 2 s of attention and 1.5 s of the merge are all there is.
// Beside attention first (ψ = 0.25) it would need 4 s there.
TEST(LeastTogether, TheHopGoesWhereItLosesLeast) {
  const SharingKernel attention{2.0, {1.0, 0.25}};
  const SharingKernel merge{1.5, {1.0, 1.0}};
  EXPECT_DOUBLE_EQ(least_together_s(std::array{attention, merge}, 1.0), 3.5);
  EXPECT_DOUBLE_EQ(least_together_s(std::array{merge, attention}, 1.0), 3.5);
  // Of 3 s it does 1.5 beside the merge, 0.5 beside attention, and 1 alone.
  EXPECT_DOUBLE_EQ(least_together_s(std::array{attention, merge}, 3.0), 4.5);
}

}  // namespace
}  // namespace ringsim
