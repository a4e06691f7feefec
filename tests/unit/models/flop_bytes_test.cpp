// FLOP and bytes of a step, counted matrix product by matrix product and tensor by tensor.
#include "models/bmin.hpp"
#include "models/cost.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

constexpr double tokens = 100;  // B
const HeadShape mha{3, 8, 8, 64, 64};
const HeadShape gqa{3, 8, 2, 64, 64};
const HeadShape latent{2, 16, 16, 192, 128};

// A product of a (rows × inner) and an (inner × columns) matrix: one multiplication and one addition for each of them.
double product(double rows, double inner, double columns) { return 2 * rows * inner * columns; }

TEST(AttentionFlop, ForwardIsTwoProductsAHead) {
  // S = Q·Kᵀ and O = P·V for 3 sequences of 8 heads: 4·b·B²·H·D together.
  const double expected = 3 * 8 * (product(tokens, 64, tokens) + product(tokens, tokens, 64));
  EXPECT_DOUBLE_EQ(in_flop(attention_flop(mha, Pass::forward, tokens * tokens)), expected);
  EXPECT_DOUBLE_EQ(expected, 4.0 * 3 * tokens * tokens * 8 * 64);
}

TEST(AttentionFlop, BackwardIsFiveProductsAHead) {
  // S again, dP = dO·Vᵀ, dV = Pᵀ·dO, dQ = dS·K, dK = dSᵀ·Q: 10·b·B²·H·D.
  const double expected = 3 * 8 * 5 * product(tokens, 64, tokens);
  EXPECT_DOUBLE_EQ(in_flop(attention_flop(mha, Pass::backward, tokens * tokens)), expected);
  EXPECT_DOUBLE_EQ(expected, 10.0 * 3 * tokens * tokens * 8 * 64);
}

TEST(AttentionFlop, KeyHeadsDoNotMatterQueryHeadsDo) {
  EXPECT_EQ(attention_flop(gqa, Pass::forward, 7), attention_flop(mha, Pass::forward, 7));
}

TEST(AttentionFlop, UnequalDimensionsCountEachProductWithItsOwn) {
  // Query/key products (S, and in the backward pass dQ and dK) have 192, value products (O; dP and dV) 128.
  const double qk = product(tokens, 192, tokens);
  const double v = product(tokens, 128, tokens);
  EXPECT_DOUBLE_EQ(in_flop(attention_flop(latent, Pass::forward, tokens * tokens)), 2 * 16 * (qk + v));
  EXPECT_DOUBLE_EQ(in_flop(attention_flop(latent, Pass::backward, tokens * tokens)), 2 * 16 * (3 * qk + 2 * v));
}

TEST(RingBytes, KeysAndValuesOfABlock) {
  // K and V: 2 tensors · 3 sequences · 2 heads · 64 elements of 2 bytes; fp8 of one byte.
  RingShape shape{gqa};
  EXPECT_DOUBLE_EQ(in_bytes(shape.kv_per_token()), 2 * 3 * 2 * 64 * 2);
  EXPECT_EQ(steady_bytes_per_token(shape, Pass::forward), shape.kv_per_token());
  shape.dtype = Dtype::fp16;
  EXPECT_DOUBLE_EQ(in_bytes(shape.kv_per_token()), 2 * 3 * 2 * 64 * 2);
  shape.dtype = Dtype::fp8;
  EXPECT_DOUBLE_EQ(in_bytes(shape.kv_per_token()), 2 * 3 * 2 * 64 * 1);
}

TEST(RingBytes, BackwardAddsGradientsInTheirOwnFormat) {
  // K, V (2 B) and dK, dV (4 B in fp32, 2 B in bf16): 2·b·G·D·(e + e_acc).
  RingShape shape{gqa};
  EXPECT_DOUBLE_EQ(in_bytes(steady_bytes_per_token(shape, Pass::backward)), 2 * 3 * 2 * 64 * (2 + 4));
  shape.gradient = GradientDtype::bf16;
  EXPECT_DOUBLE_EQ(in_bytes(steady_bytes_per_token(shape, Pass::backward)), 2 * 3 * 2 * 64 * (2 + 2));
}

TEST(RingBytes, QueriesTravelWithTheirGradientsAndStatistics) {
  // Q and dO (2 B each), LSE and delta (4 B each a head), dQ (e_acc): b·H·(D·(2e + e_acc) + 8).
  RingShape shape{gqa};
  shape.backward = Rotation::q;
  EXPECT_DOUBLE_EQ(in_bytes(steady_bytes_per_token(shape, Pass::backward)), 3 * 8 * (64 * (2 + 2 + 4) + 8));
  EXPECT_DOUBLE_EQ(in_bytes(shape.q_bundle_per_token()), 3 * 8 * (64 * (2 + 2) + 8));
  shape.gradient = GradientDtype::bf16;
  EXPECT_DOUBLE_EQ(in_bytes(steady_bytes_per_token(shape, Pass::backward)), 3 * 8 * (64 * (2 + 2 + 2) + 8));
  EXPECT_EQ(steady_bytes_per_token(shape, Pass::forward), shape.kv_per_token()) << "forward K/V travel all the same";
}

TEST(RingBytes, OfLatentAttentionAreThoseOfTheExpandedHeads) {
  // Keys of 192 and values of 128 elements; queries of 192, dO of 128, dQ of 192.
  RingShape shape{latent};
  EXPECT_DOUBLE_EQ(in_bytes(shape.kv_per_token()), 2 * 16 * (192 + 128) * 2);
  EXPECT_DOUBLE_EQ(in_bytes(shape.q_bundle_per_token()), 2 * 16 * ((192 + 128) * 2 + 8));
  EXPECT_DOUBLE_EQ(in_bytes(shape.q_gradient_per_token()), 2 * 16 * 192 * 4);
}

TEST(MergeBytes, ReadTheAccumulatorReadThePartialWriteTheAccumulator) {
  // fp32 in, bf16 partial, fp32 out: 4 + 2 + 4 = 10 B an element. The output also has two statistics to read, one to
  // write a row.
  const RingShape shape{gqa};
  EXPECT_DOUBLE_EQ(in_bytes(merge_bytes(shape, Accumulator::output, false, tokens)),
                   3 * tokens * 8 * (64 * 10 + 3 * 4));
  EXPECT_DOUBLE_EQ(in_bytes(merge_bytes(shape, Accumulator::q_gradient, false, tokens)), 3 * tokens * 8 * 64 * 10);
  // dK and dV of the two key/value heads.
  EXPECT_DOUBLE_EQ(in_bytes(merge_bytes(shape, Accumulator::kv_gradient, true, tokens)), 3 * tokens * 2 * 2 * 64 * 10);
}

TEST(MergeBytes, ATravellingGradientHasItsOwnFormatAResidentOneIsFp32) {
  RingShape shape{gqa};
  shape.gradient = GradientDtype::bf16;
  // 2 + 2 + 2 = 6 B an element while it travels.
  EXPECT_DOUBLE_EQ(in_bytes(merge_bytes(shape, Accumulator::kv_gradient, true, tokens)), 3 * tokens * 2 * 2 * 64 * 6);
  EXPECT_DOUBLE_EQ(in_bytes(merge_bytes(shape, Accumulator::kv_gradient, false, tokens)), 3 * tokens * 2 * 2 * 64 * 10);
}

}  // namespace
}  // namespace ringsim
