// The table of causal layouts (physics, "Layouts under a causal mask"): fractions of a full B × B block, whoever
// computes when, and the slowest rank's total. Small numbers, so that each can be counted on paper.
#include "models/error.hpp"
#include "models/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace ringsim {
namespace {

constexpr Mask causal{true, std::nullopt};

std::int64_t work_of_rank(const Shards& shards, std::int64_t rank) {
  std::int64_t total = 0;
  for (std::int64_t key = 0; key < shards.ring(); ++key) total += shards.work(rank, key, causal).entries;
  return total;
}

TEST(ContiguousTable, DiagonalIsATriangleEarlierBlocksAreWholeLaterOnesMasked) {
  constexpr std::int64_t n = 4;
  constexpr std::int64_t b = 6;
  const Shards shards(Layout::contiguous, n * b, n);
  for (std::int64_t r = 0; r < n; ++r) {
    // Of a block with itself query i sees i + 1 keys: 1 + ... + 6 = 21 = 36 · (1/2 + 1/12), that is 1/2 + 1/(2B).
    EXPECT_EQ(shards.work(r, r, causal).entries, 21);
    EXPECT_TRUE(shards.work(r, r, causal).partial());
    for (std::int64_t j = 0; j < r; ++j) {
      EXPECT_EQ(shards.work(r, j, causal).entries, 36);
      EXPECT_FALSE(shards.work(r, j, causal).partial());
    }
    for (std::int64_t j = r + 1; j < n; ++j) EXPECT_TRUE(shards.work(r, j, causal).masked());
  }
  // The last rank sees all: N - 1 whole blocks and its triangle, N - 1/2 + 1/(2B) blocks = 3 · 36 + 21; the first its
  // own.
  EXPECT_EQ(work_of_rank(shards, n - 1), 129);
  EXPECT_EQ(work_of_rank(shards, 0), 21);
}

TEST(StripedTable, LaterStripesLoseTheDiagonal) {
  constexpr std::int64_t n = 4;
  constexpr std::int64_t b = 6;
  const Shards shards(Layout::striped, n * b, n);
  for (std::int64_t r = 0; r < n; ++r) {
    for (std::int64_t j = 0; j < n; ++j) {
      // Token i·N + r sees token m·N + j where m < i, and where m = i if j <= r: 21 with the diagonal of 6, 15 without
      // it; 1/2 + 1/(2B) and 1/2 - 1/(2B) of 36.
      EXPECT_EQ(shards.work(r, j, causal).entries, j <= r ? 21 : 15) << r << " sees " << j;
    }
  }
  // The last rank has the diagonal everywhere: N/2 + N/(2B) blocks = 2 + 1/3 blocks = 84 entries, and nobody has more.
  EXPECT_EQ(work_of_rank(shards, n - 1), 84);
  for (std::int64_t r = 0; r < n; ++r) EXPECT_LE(work_of_rank(shards, r), 84);
}

TEST(ZigzagTable, EveryStepOffTheDiagonalIsExactlyHalfABlock) {
  for (const std::int64_t n : {2, 3, 5, 8}) {
    constexpr std::int64_t b = 10;  // halves of 5
    const Shards shards(Layout::zigzag, n * b, n);
    for (std::int64_t r = 0; r < n; ++r) {
      for (std::int64_t j = 0; j < n; ++j) {
        // Own block: two triangles of 1 + ... + 5 = 15, and late queries against early keys 5 · 5 = 25: 55 = B(B +
        // 1)/2.
        EXPECT_EQ(shards.work(r, j, causal).entries, r == j ? 55 : 50) << "N " << n << ", " << r << " sees " << j;
      }
      // N/2 + 1/(2B) blocks for every rank: (N - 1) · 50 + 55.
      EXPECT_EQ(work_of_rank(shards, r), (n - 1) * 50 + 55);
    }
  }
}

TEST(ZigzagTable, OffTheDiagonalOneHalfIsNotNeededAndTheRestIsARectangle) {
  const Shards shards(Layout::zigzag, 4 * 10, 4);
  // Keys of an earlier rank: its early half lies before both of our halves, its late half behind both.
  const AttendWork earlier = shards.work(2, 1, causal);
  EXPECT_EQ(earlier.query_part, Part::whole);
  EXPECT_EQ(earlier.key_part, Part::early);
  EXPECT_EQ(earlier.rows, 10);
  EXPECT_EQ(earlier.columns, 5);
  EXPECT_FALSE(earlier.partial());
  // Keys of a later rank: both halves lie between our two.
  const AttendWork later = shards.work(1, 2, causal);
  EXPECT_EQ(later.query_part, Part::late);
  EXPECT_EQ(later.key_part, Part::whole);
  EXPECT_EQ(later.rows, 5);
  EXPECT_EQ(later.columns, 10);
  EXPECT_FALSE(later.partial());
  // Our own: everything takes part, in steps.
  const AttendWork own = shards.work(1, 1, causal);
  EXPECT_EQ(own.query_part, Part::whole);
  EXPECT_EQ(own.key_part, Part::whole);
  EXPECT_TRUE(own.partial());
}

TEST(Shards, OneRankHoldsTheWholeTriangle) {
  // 1 + 2 + ... + 12 = 78 whatever the layout is called.
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    EXPECT_EQ(Shards(layout, 12, 1).work(0, 0, causal).entries, 78) << name_of(layout);
  }
}

TEST(Shards, UnevenSequencesGiveTheFirstRanksOneTokenMore) {
  // 11 = 3 + 3 + 3 + 2.
  for (const Layout layout : {Layout::contiguous, Layout::striped}) {
    const Shards shards(layout, 11, 4);
    EXPECT_FALSE(shards.even());
    EXPECT_EQ(shards.remainder(), 3);
    EXPECT_EQ(shards.largest_block(), 3);
    EXPECT_EQ(shards.block(2), 3);
    EXPECT_EQ(shards.block(3), 2);
  }
  EXPECT_TRUE(Shards(Layout::striped, 12, 4).even());
}

TEST(Shards, CountsTheLargestSequenceWithoutOverflow) {
  constexpr std::int64_t s = std::int64_t{1} << 31;
  // 1 + ... + 2^31 = 2^61 + 2^30 on one rank, and the same over two ranks.
  EXPECT_EQ(Shards(Layout::zigzag, s, 1).work(0, 0, causal).entries, (std::int64_t{1} << 61) + (std::int64_t{1} << 30));
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    const Shards two(layout, s, 2);
    EXPECT_EQ(work_of_rank(two, 0) + work_of_rank(two, 1), (std::int64_t{1} << 61) + (std::int64_t{1} << 30))
        << name_of(layout);
  }
  EXPECT_EQ(Shards(Layout::contiguous, s, 1).work(0, 0, Mask{false, std::nullopt}).entries, std::int64_t{1} << 62);
}

Error refusal(Layout layout, std::int64_t tokens, std::int64_t ring) {
  try {
    const Shards shards(layout, tokens, ring);
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << tokens << " tokens over " << ring << " ranks were accepted";
  return Error("");
}

TEST(Shards, IllegalTokensAreRefusedWithTheNearestLegalOnes) {
  // Zigzag on 4 ranks has 8 chunks: 100 lies between 12 · 8 = 96 and 13 · 8 = 104.
  const Error e = refusal(Layout::zigzag, 100, 4);
  EXPECT_EQ(e.where(), "workload.tokens");
  EXPECT_NE(e.hint().find("96"), std::string::npos) << e.hint();
  EXPECT_NE(e.hint().find("104"), std::string::npos) << e.hint();
  // Below the first legal count there is only that one.
  const Error few = refusal(Layout::zigzag, 5, 4);
  EXPECT_NE(few.hint().find("8"), std::string::npos) << few.hint();
  EXPECT_EQ(few.hint().find("0 or"), std::string::npos) << few.hint();
}

TEST(Shards, SequencesShorterThanTheRingOrLongerThanTheLimitAreRefused) {
  EXPECT_EQ(refusal(Layout::contiguous, 3, 4).where(), "workload.tokens");
  EXPECT_EQ(refusal(Layout::striped, 0, 1).where(), "workload.tokens");
  EXPECT_EQ(refusal(Layout::contiguous, -5, 1).where(), "workload.tokens");
  EXPECT_EQ(refusal(Layout::contiguous, (std::int64_t{1} << 31) + 1, 8).where(), "workload.tokens");
  EXPECT_FALSE(refusal(Layout::contiguous, (std::int64_t{1} << 31) + 1, 8).hint().empty());
  EXPECT_EQ(refusal(Layout::contiguous, 8, 0).where(), "parallel.ring");
  EXPECT_NO_THROW(Shards(Layout::contiguous, std::int64_t{1} << 31, 8));
  EXPECT_NO_THROW(Shards(Layout::striped, 4, 4));
}

}  // namespace
}  // namespace ringsim
