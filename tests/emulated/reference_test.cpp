// The plain attention kernels against double precision.
//
// Outputs are bf16: rounding alone makes each element wrong by up to 2⁻⁹ of itself, so the error of all of them together, relative
// to their size, is below 2e-3; sums in fp32 add less than 1e-5. Without another mistake it is below 2.5e-3.

#include "kernels/cuda/attention.hpp"
#include "models/error.hpp"
#include "tests/emulated/double_attention.hpp"
#include "tests/emulated/runtime.hpp"
#include "tests/emulated/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ringsim::cuda {
namespace {

using tests::finish;
using tests::Tensor;

constexpr double bf16_error = 2.5e-3;

struct Case {
  std::int64_t heads, kv_heads, queries, keys, dim, v_dim;
  bool causal;
  std::int64_t gap = 0;
};

class ReferenceKernels : public ::testing::TestWithParam<Case> {};

struct Inputs {
  Tensor<Bf16> q, k, v;
  Inputs(const Case& c, std::mt19937_64& random)
      : q(c.heads, c.queries, c.dim, c.gap),
        k(c.kv_heads, c.keys, c.dim, c.gap),
        v(c.kv_heads, c.keys, c.v_dim, c.gap) {
    for (auto* tensor : {&q, &k, &v}) tensor->randomise(random);
  }
};

TEST_P(ReferenceKernels, Forward) {
  const Case c = GetParam();
  for (const std::uint64_t seed : {1U, 2U}) {
    emulated::reset();
    std::mt19937_64 random(seed);
    const Inputs in(c, random);
    Tensor<Bf16> o(c.heads, c.queries, c.v_dim, c.gap);
    Tensor<float> lse(c.heads, c.queries, 1, c.gap);
    const double scale = 1 / std::sqrt(static_cast<double>(c.dim));
    const ForwardCall call{in.q.view(), in.k.view(), in.v.view(), o.view(), lse.view(), c.causal, scale};
    const auto kernels = reference_kernels();
    kernels->prepare(call);
    kernels->forward(call, nullptr);
    finish();
    o.fetch();
    lse.fetch();
    const tests::Attention expected = tests::attention(in.q, in.k, in.v, c.causal, scale);
    EXPECT_LT(tests::relative_error(o, expected.o), bf16_error);
    lse.for_each([&](std::int64_t h, std::int64_t i, std::int64_t) {
      ASSERT_NEAR(lse.at(h, i), expected.lse.at(h, i, 0), 1e-5);
    });
    EXPECT_TRUE(o.gaps_untouched());
    EXPECT_TRUE(lse.gaps_untouched());
    EXPECT_EQ(emulated::broken_guards(), "");
  }
}

// O and LSE are those of a longer sequence, as in a ring: LSE is 0.7 larger than this block's alone, and O some other output.
TEST_P(ReferenceKernels, Backward) {
  const Case c = GetParam();
  for (const std::uint64_t seed : {3U, 4U}) {
    emulated::reset();
    std::mt19937_64 random(seed);
    const Inputs in(c, random);
    const double scale = 1 / std::sqrt(static_cast<double>(c.dim));
    Tensor<Bf16> o(c.heads, c.queries, c.v_dim, c.gap);
    Tensor<Bf16> d_out(c.heads, c.queries, c.v_dim, c.gap);
    Tensor<float> lse(c.heads, c.queries, 1, c.gap);
    o.randomise(random);
    d_out.randomise(random);
    const tests::Attention alone = tests::attention(in.q, in.k, in.v, c.causal, scale);
    lse.for_each([&](std::int64_t h, std::int64_t i, std::int64_t) {
      lse.set(h, i, 0, static_cast<float>(alone.lse.at(h, i, 0) + 0.7));
    });
    lse.send();
    Tensor<Bf16> dq(c.heads, c.queries, c.dim, c.gap);
    Tensor<Bf16> dk(c.kv_heads, c.keys, c.dim, c.gap);
    Tensor<Bf16> dv(c.kv_heads, c.keys, c.v_dim, c.gap);
    const BackwardCall call{in.q.view(), in.k.view(), in.v.view(), o.view(), d_out.view(), lse.view(),
                            dq.view(),   dk.view(),   dv.view(),   c.causal, scale};
    const auto kernels = reference_kernels();
    ASSERT_TRUE(kernels->has_backward());
    kernels->prepare(call);
    kernels->backward(call, nullptr);
    finish();
    const tests::Gradients expected = tests::gradients(in.q, in.k, in.v, o, lse, d_out, c.causal, scale);
    for (auto* tensor : {&dq, &dk, &dv}) {
      tensor->fetch();
      EXPECT_TRUE(tensor->gaps_untouched());
    }
    EXPECT_LT(tests::relative_error(dq, expected.dq), bf16_error);
    EXPECT_LT(tests::relative_error(dk, expected.dk), bf16_error);
    EXPECT_LT(tests::relative_error(dv, expected.dv), bf16_error);
    EXPECT_EQ(emulated::broken_guards(), "");
  }
}

// One token; full and causal; fewer and more keys than queries; grouped heads; other dimensions of values; strides.
INSTANTIATE_TEST_SUITE_P(Cases, ReferenceKernels,
                         ::testing::Values(Case{1, 1, 1, 1, 8, 8, false}, Case{2, 2, 33, 33, 16, 16, true},
                                           Case{2, 1, 20, 47, 16, 16, false}, Case{4, 2, 41, 19, 8, 8, true},
                                           Case{1, 1, 19, 41, 64, 64, true}, Case{6, 2, 17, 17, 24, 8, false, 24},
                                           Case{1, 1, 9, 9, 5, 3, true, 1}));

class Reference : public ::testing::Test {
 protected:
  void SetUp() override { emulated::reset(); }
};

// No key at all: O = 0, LSE = −∞. And queries whose LSE says that they see none get and give no gradient.
TEST_F(Reference, RowsWithoutKeys) {
  std::mt19937_64 random(5);
  Tensor<Bf16> q(1, 3, 8);
  q.randomise(random);
  const Tensor<Bf16> none(1, 0, 8);
  Tensor<Bf16> o(1, 3, 8);
  Tensor<float> lse(1, 3, 1);
  const auto kernels = reference_kernels();
  const ForwardCall call{q.view(), none.view(), none.view(), o.view(), lse.view(), false, 1};
  kernels->prepare(call);
  kernels->forward(call, nullptr);
  finish();
  o.fetch();
  lse.fetch();
  o.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
    EXPECT_EQ(o.at(h, r, d), 0);
    EXPECT_EQ(lse.at(h, r), -tests::infinity);
  });

  Tensor<Bf16> k(1, 4, 8);
  Tensor<Bf16> dq(1, 3, 8);
  Tensor<Bf16> dk(1, 4, 8);
  Tensor<Bf16> dv(1, 4, 8);
  k.randomise(random);
  const BackwardCall back{q.view(),  k.view(),  k.view(),  o.view(), q.view(), lse.view(),
                          dq.view(), dk.view(), dv.view(), false,    1};
  kernels->prepare(back);
  kernels->backward(back, nullptr);
  finish();
  for (auto* tensor : {&dq, &dk, &dv}) {
    tensor->fetch();
    tensor->for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) { EXPECT_EQ(tensor->at(h, r, d), 0); });
  }
}

TEST_F(Reference, RefusesWhatDoesNotFit) {
  const Tensor<Bf16> q(3, 4, 8);
  const Tensor<Bf16> k(2, 4, 8);
  const Tensor<Bf16> o(3, 4, 8);
  const Tensor<float> lse(3, 4, 1);
  const auto kernels = reference_kernels();
  EXPECT_THROW(kernels->prepare(ForwardCall{q.view(), k.view(), k.view(), o.view(), lse.view(), false, 1}), Error);
  const Tensor<Bf16> other(3, 5, 8);
  EXPECT_THROW(kernels->prepare(ForwardCall{q.view(), q.view(), other.view(), o.view(), lse.view(), false, 1}), Error);
  const ForwardCall unprepared{q.view(), q.view(), q.view(), o.view(), lse.view(), false, 1};
  EXPECT_THROW(kernels->forward(unprepared, nullptr), Error);
}

}  // namespace
}  // namespace ringsim::cuda
