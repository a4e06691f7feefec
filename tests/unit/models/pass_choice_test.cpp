// When it is cheaper to move queries than keys and values.
#include "models/pass_choice.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

RingShape shape(std::int64_t heads, std::int64_t kv_heads, std::int64_t dim) {
  return {{1, heads, kv_heads, dim, dim}, Dtype::bf16, GradientDtype::fp32, Rotation::kv, Rotation::kv};
}

TEST(PassChoice, SharesOfNewTokensBelowWhichQueriesAreCheaper) {
  // 128 query heads and 8 key/value heads of 128 elements in bf16. A token of K/V is 2 · 8 · 128 · 2 = 4,096 B, one of Q
  // 128 · 128 · 2 = 32,768 B: the hops of Q move less below an eighth, 2G/H. A partial output is as large as Q and has
  // 4 B of statistics a head, 33,280 B: with it the share is 4,096 / 66,048 = 6.20 %.
  EXPECT_DOUBLE_EQ(pass_q_share_of_hops(shape(128, 8, 128)), 0.125);
  EXPECT_DOUBLE_EQ(pass_q_share(shape(128, 8, 128)), 4096.0 / 66048.0);
  // As many key/value heads as query heads: K/V are twice Q in the hops, and just less than Q and its output.
  EXPECT_DOUBLE_EQ(pass_q_share_of_hops(shape(8, 8, 128)), 2);
  EXPECT_LT(pass_q_share(shape(8, 8, 128)), 1);
}

TEST(PassChoice, TurnsAtTheShare) {
  // At 4,096 of 66,048 tokens both move 66,048 · 4,096 B: a tie keeps K/V, one cached token more makes Q the cheaper.
  const RingShape gqa = shape(128, 8, 128);
  EXPECT_EQ(cheaper_to_move(gqa, 4096, 66048 - 4096), Rotation::kv);
  EXPECT_EQ(cheaper_to_move(gqa, 4096, 66048 - 4096 + 1), Rotation::q);
  // Nothing cached: K/V, whatever the heads, since 2G < 2H + a bit.
  EXPECT_EQ(cheaper_to_move(gqa, 1 << 20, 0), Rotation::kv);
  EXPECT_EQ(cheaper_to_move(shape(8, 8, 128), 1 << 20, 0), Rotation::kv);
}

}  // namespace
}  // namespace ringsim
