// B_min by data sheet: F/W and its relatives, against numbers that are divided out by hand or published.
#include "models/bmin.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

const RingShape mha{{1, 32, 32, 128, 128}};

double minimum(const RingShape& shape, double teraflops, double gigabytes_a_second, Pass pass = Pass::forward,
               double share = 1.0) {
  return block_minimum_closed_form(shape, pass, share, teraflop_per_second(teraflops),
                                   gigabytes_per_second(gigabytes_a_second));
}

TEST(DatasheetBlockMinimum, OfPlainAttentionIsComputeOverBandwidth) {
  EXPECT_NEAR(minimum(mha, 989, 450), 2197.8, 0.05);    // H100 SXM over NVLink: the seeds' number
  EXPECT_NEAR(minimum(mha, 312, 300), 1040.0, 1e-9);    // A100 over NVLink
  EXPECT_NEAR(minimum(mha, 312, 12.5), 24960.0, 1e-9);  // A100 over 100 Gb/s InfiniBand
  EXPECT_NEAR(minimum(mha, 123, 112), 1098.2, 0.05);    // TPU v3
  EXPECT_NEAR(minimum(mha, 275, 268), 1026.1, 0.05);    // TPU v4
  EXPECT_NEAR(minimum(mha, 196, 186), 1053.8, 0.05);    // TPU v5e
}

TEST(DatasheetBlockMinimum, DoesNotDependOnHeadsDimensionsOrBatch) {
  EXPECT_NEAR(minimum(RingShape{{7, 5, 5, 96, 96}}, 989, 450), minimum(mha, 989, 450), 1e-9);
}

TEST(DatasheetBlockMinimum, GroupedQueriesDivideItByTheGroup) {
  // Llama-3-70B: 64 query heads share 8 key/value heads, an eighth of the bytes for the same FLOP: 2197.8 / 8 = 274.7.
  EXPECT_NEAR(minimum(RingShape{{1, 64, 8, 128, 128}}, 989, 450), 989e12 / 450e9 / 8, 1e-9);
}

TEST(DatasheetBlockMinimum, ABalancedCausalMaskDoublesIt) {
  EXPECT_DOUBLE_EQ(steady_share(Layout::zigzag, true), 0.5);
  EXPECT_DOUBLE_EQ(steady_share(Layout::striped, true), 0.5);
  EXPECT_DOUBLE_EQ(steady_share(Layout::contiguous, true), 1.0);  // its slowest rank computes whole blocks
  EXPECT_DOUBLE_EQ(steady_share(Layout::zigzag, false), 1.0);
  EXPECT_NEAR(minimum(mha, 989, 450, Pass::forward, 0.5), 2 * 989e12 / 450e9, 1e-9);
  EXPECT_NEAR(minimum(mha, 989, 450, Pass::backward, 0.5), 2 * minimum(mha, 989, 450, Pass::backward), 1e-9);
}

TEST(DatasheetBlockMinimum, BackwardWithKeysAndValuesTravelling) {
  // 2.5 times the FLOP; bytes: twice as many with gradients in bf16, three times in fp32: 0.8 and 1.2 times.
  RingShape shape = mha;
  shape.gradient = GradientDtype::bf16;
  EXPECT_NEAR(minimum(shape, 1000, 500, Pass::backward), 0.8 * 2000, 1e-9);
  shape.gradient = GradientDtype::fp32;
  EXPECT_NEAR(minimum(shape, 1000, 500, Pass::backward), 1.2 * 2000, 1e-9);
}

TEST(DatasheetBlockMinimum, BackwardWithQueriesTravelling) {
  // Of D = 128: (2·2 + 4 + 8/128)/10 = 0.80625 in fp32, (2·2 + 2 + 8/128)/10 = 0.60625 in bf16, whatever G is.
  for (const std::int64_t kv_heads : {1, 8, 32}) {
    RingShape shape{{2, 32, kv_heads, 128, 128}};
    shape.backward = Rotation::q;
    EXPECT_NEAR(minimum(shape, 1000, 500, Pass::backward), 0.80625 * 2000, 1e-9);
    shape.gradient = GradientDtype::bf16;
    EXPECT_NEAR(minimum(shape, 1000, 500, Pass::backward), 0.60625 * 2000, 1e-9);
  }
}

TEST(DatasheetBlockMinimum, QueriesAreTheWorseOnesToMoveBelowAGroupShareOfAboutSeventyPercent) {
  // Equal where G·(e + e_acc)/5H = (2e + e_acc + 8/D)/10: G/H = 0.672 in fp32 for D = 128. Of 64 heads that is 43.
  const auto cheaper_to_move_queries = [](std::int64_t kv_heads) {
    RingShape shape{{1, 64, kv_heads, 128, 128}};
    const double kv = minimum(shape, 989, 450, Pass::backward);
    shape.backward = Rotation::q;
    return minimum(shape, 989, 450, Pass::backward) < kv;
  };
  EXPECT_FALSE(cheaper_to_move_queries(8));
  EXPECT_FALSE(cheaper_to_move_queries(42));
  EXPECT_TRUE(cheaper_to_move_queries(44));
  EXPECT_TRUE(cheaper_to_move_queries(64));
}

TEST(DatasheetBlockMinimum, Fp8HalvesTheBytes) {
  RingShape shape = mha;
  shape.dtype = Dtype::fp8;
  EXPECT_NEAR(minimum(shape, 1979, 450), 0.5 * 1979e12 / 450e9, 1e-9);
}

}  // namespace
}  // namespace ringsim
