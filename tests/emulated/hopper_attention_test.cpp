// The sm_90a attention kernel on an emulated GPU, against plain attention in double precision.
//
// Expectations. P is rounded to bf16 (relative 2^-9) before it meets V, and O once more when it is written, while LSE
// comes from sums in fp32: a relative error of O well below 1e-2, an absolute one of LSE below 1e-3. What is not
// rounding is exact: a row that sees no key is 0 and −infinity, no element stays NaN, nothing is written between heads.

#include "tests/emulated/attention_case.hpp"
#include "tests/emulated/block.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>

namespace ringsim::cuda {
namespace {

void expect_correct(const AttentionCase& asked, std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << asked << ", seed " << seed);
  emulated::set_seed(seed);
  const auto deviation = run(asked, seed);
  EXPECT_EQ(deviation.wrong, "");
  EXPECT_LT(deviation.o, 1e-2);
  EXPECT_LT(deviation.lse, 1e-3);
}

AttentionCase square(std::int64_t tokens, bool causal, int sms) {
  AttentionCase asked;
  asked.queries = asked.keys = tokens;
  asked.causal = causal;
  asked.sms = sms;
  return asked;
}

// On both sides of 64 rows of a consumer and of 128 of a tile.
TEST(HopperAttention, EdgesOfTiles) {
  for (const std::int64_t tokens : {1, 63, 64, 65, 127, 128, 129}) {
    for (const bool causal : {false, true}) expect_correct(square(tokens, causal, 1), 1);
  }
}

// 176, twice that and one on either side: the last block of keys full, of one key, lacking one.
TEST(HopperAttention, EdgesOfLongKeyBlocks) {
  for (const std::int64_t keys : {1, 175, 176, 177, 352}) {
    AttentionCase asked;
    asked.queries = 130;
    asked.keys = keys;
    asked.key_rows = 176;
    expect_correct(asked, 2);
  }
}

// Three tiles of a head, two heads of queries for one of keys; grids of one block, fewer blocks than tiles, more than
// tiles.
TEST(HopperAttention, RectangleOfGroupedHeads) {
  for (const bool causal : {false, true}) {
    for (const int sms : {1, 3, 100}) {
      AttentionCase asked;
      asked.heads = 4;
      asked.key_heads = 2;
      asked.queries = 300;
      asked.keys = 1000;
      asked.causal = causal;
      asked.sms = sms;
      expect_correct(asked, 3);
    }
  }
}

// The 128-key variant of the full mask keeps two tiles of Q: five tiles go twice around that ring.
TEST(HopperAttention, TwoTilesOfQueriesInFlight) {
  AttentionCase asked = square(600, false, 1);
  asked.key_rows = 128;
  for (const std::uint64_t seed : {4U, 5U}) expect_correct(asked, seed);
}

// Long enough for the rings of K and V to be reused often, in many orders.
TEST(HopperAttention, ManyOrders) {
  for (std::uint64_t seed = 10; seed < 18; ++seed) {
    expect_correct(square(384, true, 2), seed);
    expect_correct(square(520, false, 1), seed);
  }
}

// Diagonal d: row i sees keys up to i + d. Far below, the first rows see none, also whole tiles of them; far above, all
// see all.
TEST(HopperAttention, DiagonalAnywhere) {
  for (const std::int64_t diagonal : {-1000000, -300, -129, -128, -64, -1, 1, 127, 200, 1000000}) {
    AttentionCase asked = square(300, true, 2);
    asked.heads = 2;
    asked.diagonal = diagonal;
    expect_correct(asked, 6);
  }
}

// The rows behind a head's last one are NaN: a row read too many would show, as would one written.
TEST(HopperAttention, GapsBetweenHeads) {
  for (const bool causal : {false, true}) {
    AttentionCase asked = square(200, causal, 2);
    asked.heads = 3;
    asked.key_heads = 3;
    asked.gap = 128 * 40;
    expect_correct(asked, 7);
  }
}

// Keys that are not there: every row is empty.
TEST(HopperAttention, NoKeys) {
  AttentionCase asked;
  asked.heads = 2;
  asked.queries = 130;
  expect_correct(asked, 8);
}

// Scores with a standard deviation of 0.5·sqrt(128) = 5.7 make rows that one key rules: the running maximum moves.
TEST(HopperAttention, PeakedRows) {
  AttentionCase asked = square(400, false, 1);
  asked.scale = 0.5;
  expect_correct(asked, 9);
}

TEST(HopperAttention, MergingIntoAnAccumulator) {
  for (const bool causal : {false, true}) {
    AttentionCase asked;
    asked.heads = 4;
    asked.key_heads = 2;
    asked.queries = 300;
    asked.keys = 500;
    asked.causal = causal;
    asked.diagonal = causal ? -140 : 0;
    asked.gap = 128 * 8;
    asked.sms = 2;
    asked.merging = true;
    expect_correct(asked, 20);
    asked.keys = 0;
    expect_correct(asked, 21);
  }
}

}  // namespace
}  // namespace ringsim::cuda
