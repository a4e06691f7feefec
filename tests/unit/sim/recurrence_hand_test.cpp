// Rings of four ranks whose every time is derived on paper, from: a step starts when the kernel of the step before and
// both hops of the step before have ended (s); a hop r -> r + 1 starts when both ranks have started the step (h: its
// end); x: both ends. Two buffers unless said otherwise.
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

void expect_ends(const Ring& ring, const std::vector<double>& expected, Passes passes = Passes::forward) {
  const RunResult result = run(ring, passes);
  ASSERT_EQ(result.end_s.size(), expected.size());
  for (std::size_t r = 0; r < expected.size(); ++r)
    EXPECT_NEAR(result.end_s[r], expected[r], 1e-12 * expected[r]) << "rank " << r;
  EXPECT_EQ(result.makespan_s, *std::max_element(result.end_s.begin(), result.end_s.end()));
}

constexpr double c = 5;          // a kernel
constexpr double short_hop = 3;  // hides behind it
constexpr double long_hop = 8;   // does not

TEST(Recurrence, ComputeBoundRanksComputeBackToBack) {
  expect_ends({.pair_s = c, .token_s = short_hop}, {20, 20, 20, 20});
}

TEST(Recurrence, TransferBoundRanksWaitForEveryHop) {
  // Three hops of 8, then the last kernel.
  expect_ends({.pair_s = c, .token_s = long_hop}, {29, 29, 29, 29});
}

TEST(Recurrence, LatencyIsPaidInEveryHop) {
  // Hops of 2 + 6.
  expect_ends({.pair_s = c, .token_s = 6, .latency_s = 2}, {29, 29, 29, 29});
}

TEST(Recurrence, ARingOfOneHasOneKernel) { expect_ends({.ranks = 1, .tokens = 1, .pair_s = c}, {5}); }

TEST(Recurrence, ARingOfTwoHasTwoHopsAtOnce) {
  expect_ends({.ranks = 2, .tokens = 2, .pair_s = c, .token_s = long_hop}, {13, 13});
}

TEST(Recurrence, ALateRankDelaysBothNeighboursOneHopAStepLessTheSlack) {
  // Rank 0 starts at 10. Slack c - T = 2 a hop.
  // step 0: s 10 0 0 0 | h 13 3 3 13 (hops 0 and 3 wait for rank 0) | x 13 13 3 13 | c 15 5 5 5
  // step 1: s 15 13 5 13: late by 10, 8, 0, 8 | h 18 16 16 18 | x 18 18 16 18 | c 20 18 10 18
  // step 2: s 20 18 16 18: late by 10, 8, 6, 8 | h 23 21 21 23 | x 23 23 21 23 | c 25 23 21 23
  // step 3: s 25 23 21 23, ends 5 later.
  expect_ends({.pair_s = c, .token_s = short_hop, .start_s = {10, 0, 0, 0}}, {30, 28, 26, 28});
}

TEST(Recurrence, ADelayBelowTheSlackVanishes) {
  // Rank 0 starts at 1.5: its hops end at 4.5, before the neighbours' kernels do at 5. It alone ends late.
  expect_ends({.pair_s = c, .token_s = short_hop, .start_s = {1.5, 0, 0, 0}}, {21.5, 20, 20, 20});
}

TEST(Recurrence, ATransferBoundRingPassesADelayOnInFull) {
  // The slack of a hop is max(c, T) - T = 0.
  // step 0: s 10 0 0 0 | h 18 8 8 18 | x 18 18 8 18 | c 15 5 5 5
  // step 1: s 18 18 8 18: late by 10, 10, 0, 10 | h 26 26 26 26: rank 2 is waited for by none, but waits itself
  // step 2: s 26, step 3: s 34, ends 39.
  expect_ends({.pair_s = c, .token_s = long_hop, .start_s = {10, 0, 0, 0}}, {39, 39, 39, 39});
}

TEST(Recurrence, ASlowKernelThatStillHidesBehindTheHopDelaysNobody) {
  // Rank 0 computes 7 instead of 5, a hop takes 8: only its own last kernel shows, 24 + 7.
  expect_ends({.pair_s = c, .token_s = long_hop, .slowdown = {1.4, 1, 1, 1}}, {31, 29, 29, 29});
}

TEST(Recurrence, AStragglerDelaysOthersEveryStepAnew) {
  // Rank 0 computes 10, hops take 3.
  // step 0: s 0 0 0 0 | h 3 3 3 3 | x 3 | c 10 5 5 5
  // step 1: s 10 5 5 5 | h 13 8 8 13 | x 13 13 8 13 | c 20 10 10 10
  // step 2: s 20 13 10 13 | h 23 16 16 23 | x 23 23 16 23 | c 30 18 15 18
  // step 3: s 30 23 16 23, ends 40 28 21 28.
  expect_ends({.pair_s = c, .token_s = short_hop, .slowdown = {2, 1, 1, 1}}, {40, 28, 21, 28});
}

TEST(Recurrence, ASlowHopHoldsUpTheBlocksThatCrossIt) {
  // Hop 1 -> 2 takes 9, the others 3.
  // step 0: h 3 9 3 3 | x 3 9 9 3 | c 5 5 5 5
  // step 1: s 5 9 9 5 | h 12 18 12 8 | x 12 18 18 12 | c 10 14 14 10
  // step 2: s 12 18 18 12 | h 21 27 21 15 | x 21 27 27 21 | c 17 23 23 17
  // step 3: s 21 27 27 21, ends 5 later.
  expect_ends({.pair_s = c, .token_s = short_hop, .hop_factor = {1, 3, 1, 1}}, {26, 32, 32, 26});
}

TEST(Recurrence, AThirdBufferLetsHopsRunAheadOfALongFirstKernel) {
  // Zigzag, blocks of 2: the first kernel has 2 · 3 / 2 = 3 pairs, the others 2; a hop takes 2.5.
  Ring ring{.layout = Layout::zigzag, .tokens = 8, .causal = true, .pair_s = 1, .token_s = 1.25};
  // Two buffers: kernel 0 until 3, hop 1 from 3 to 5.5, hop 2 to 8, last kernel to 10.
  expect_ends(ring, {10, 10, 10, 10});
  // Three: hops 0-2.5, 2.5-5 and, once kernel 0 has left its buffer, 5-7.5; kernels 0-3, 3-5, 5-7, 7.5-9.5.
  ring.buffers = 3;
  expect_ends(ring, {9.5, 9.5, 9.5, 9.5});
}

TEST(Recurrence, UnevenBlocksTakeTheirSizesAlong) {
  // Five tokens: blocks of 2, 1, 1, 1. A pair takes 1, a token on a hop 3; rank r sends block r - k at step k.
  // step 0: c 4 1 1 1 | h 6 3 3 3 | x 6 6 3 3
  // step 1: s 6 6 3 3; with blocks 3 0 1 2: c 8 8 4 4 | sent 1 2 1 1 tokens: h 9 12 6 9 | x 9 12 12 9
  // step 2: s 9 12 12 9; with blocks 2 3 0 1: c 11 13 14 10 | sent 1 1 2 1: h 15 15 18 12 | x 15 15 18 18
  // step 3: s 15 15 18 18; with blocks 1 2 3 0: ends 17 16 19 20.
  expect_ends({.tokens = 5, .pair_s = 1, .token_s = 3}, {17, 16, 19, 20});
}

TEST(Recurrence, LayersFollowEachOther) {
  expect_ends({.layers = 3, .pair_s = c, .token_s = long_hop}, {87, 87, 87, 87});
}

TEST(Recurrence, BackwardAddsGradientsAfterKernelAndArrivalAndWaitsForThemToComeHome) {
  // Three ranks of one token; a kernel takes 10/4 · 4 = 10. Adding: dQ in fp32 with a bf16 partial 10 B, dK/dV in bf16
  // 2 · 6 = 12 B, at 2 B/s: 5 and 6. K/V take 1 on a hop, dK/dV 1.
  // step 0: kernel until 10 | step 1: kernel and dQ until 25, dK/dV until 31 | step 2: until 46 and 52 | home 53.
  expect_ends({.ranks = 3, .tokens = 3, .pair_s = 4, .token_s = 1, .merge_bytes_per_s = 2}, {53, 53, 53},
              Passes::backward);
  // Slow hops of 20 each way for K/V and for dK/dV: step 0 until 20; step 1: both, until 60, then 6: 66; step 2: dK/dV
  // until 86, then 6: 92; home 112.
  expect_ends({.ranks = 3, .tokens = 3, .pair_s = 4, .token_s = 20, .merge_bytes_per_s = 2}, {112, 112, 112},
              Passes::backward);
}

TEST(Recurrence, ForwardMergesFromTheSecondStepOn) {
  // A merge of one token: 4 + 2 + 4 bytes and 12 of statistics at 11 B/s: 2. Kernels of 5: 5, then three times 7.
  expect_ends({.pair_s = c, .token_s = short_hop, .merge_bytes_per_s = 11}, {26, 26, 26, 26});
}

TEST(Recurrence, MaskedStepsTakeNoTimeButTheirBlocksMoveOn) {
  // Causal, contiguous, three ranks of two tokens: 3 pairs with oneself, 4 with an earlier rank, none with a later one.
  // Hops take 4. Rank 0: 3, then waits: x 4, 8. Rank 1: at 4 computes until 8; its last block is masked. Rank 2: 4-8,
  // 8-12.
  expect_ends({.ranks = 3, .tokens = 6, .causal = true, .pair_s = 1, .token_s = 2}, {8, 8, 12});
}

}  // namespace
}  // namespace ringsim::sim
