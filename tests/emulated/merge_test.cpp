// Folding a kernel's output into the accumulator, against the same formulas in double precision.

#include "kernels/cuda/merge.hpp"

#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"
#include "tests/emulated/runtime.hpp"
#include "tests/emulated/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ringsim::cuda {
namespace {

using tests::finish;
using tests::infinity;
using tests::Tensor;

struct Shape {
  std::int64_t heads, rows, dim;
  std::int64_t gap = 0;  // between heads, of each of the four tensors
};

struct Output {
  double o = 0;
  double lse = 0;
};

// O and L of two outputs over disjoint keys: L = log(exp L1 + exp L2), O = exp(L1 − L)·O1 + exp(L2 − L)·O2.
Output merged(Output a, Output b) {
  const double most = std::max(a.lse, b.lse);
  if (std::isinf(most)) return {0, most};
  const double lse = most + std::log(std::exp(a.lse - most) + std::exp(b.lse - most));
  const auto part = [lse](const Output& x) { return std::isinf(x.lse) ? 0 : std::exp(x.lse - lse) * x.o; };
  return {part(a) + part(b), lse};
}

class MergeOfShapes : public ::testing::TestWithParam<Shape> {
 protected:
  void SetUp() override { emulated::reset(); }
};

// Rows in turn: both ordinary; the result over no key; the accumulator over no key; neither has seen a key; the result's LSE
// far larger; far smaller; equal ones. Where an output counts nothing its values are poison, which must not come through.
TEST_P(MergeOfShapes, EqualsDoublePrecision) {
  const Shape shape = GetParam();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    emulated::reset();
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal(0, 3);
    Tensor<float> o(shape.heads, shape.rows, shape.dim, shape.gap);
    Tensor<float> lse(shape.heads, shape.rows, 1, shape.gap);
    Tensor<Bf16> result(shape.heads, shape.rows, shape.dim, shape.gap);
    Tensor<float> result_lse(shape.heads, shape.rows, 1, shape.gap);
    o.randomise(random);
    result.randomise(random);
    lse.for_each([&](std::int64_t h, std::int64_t r, std::int64_t) {
      float a = normal(random);
      float b = normal(random);
      const std::int64_t kind = (h * shape.rows + r) % 7;
      if (kind == 2 || kind == 3) a = -infinity;
      if (kind == 1 || kind == 3) b = -infinity;
      if (kind == 4) b = a + 200;
      if (kind == 5) b = a - 200;
      if (kind == 6) b = a;
      lse.set(h, r, 0, a);
      result_lse.set(h, r, 0, b);
      for (std::int64_t d = 0; d < shape.dim; ++d) {
        if (std::isinf(a)) o.set(h, r, d, std::nanf(""));
        if (std::isinf(b)) result.set(h, r, d, std::nanf(""));
      }
    });
    for (auto* tensor : {&o, &lse, &result_lse}) tensor->send();
    result.send();
    const std::vector<float> o_before = o.host;
    const std::vector<float> lse_before = lse.host;

    const Stream stream;
    merge_output({o.view(), lse.view()}, result.view(), result_lse.view(), stream.get());
    stream.synchronize();
    o.fetch();
    lse.fetch();

    o.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
      const double a = o_before[o.index(h, r, d)];
      const double b = result.at(h, r, d);
      const double a_lse = lse_before[lse.index(h, r, 0)];
      const Output expected = merged({a, a_lse}, {b, result_lse.at(h, r)});
      const double scale = std::max({std::isnan(a) ? 0 : std::abs(a), std::isnan(b) ? 0 : std::abs(b), 1e-30});
      ASSERT_NEAR(o.at(h, r, d), expected.o, 1e-6 * scale) << h << ' ' << r << ' ' << d << " seed " << seed;
      if (std::isinf(expected.lse)) {
        ASSERT_EQ(lse.at(h, r), -infinity);
        ASSERT_EQ(o.at(h, r, d), 0);
      } else {
        ASSERT_NEAR(lse.at(h, r), expected.lse, 1e-6 * std::max(1.0, std::abs(expected.lse)));
      }
    });
    EXPECT_TRUE(o.gaps_untouched());
    EXPECT_TRUE(lse.gaps_untouched());
    EXPECT_EQ(emulated::broken_guards(), "");
  }
}

// The first value: o is the result's, exactly (bf16 to fp32 loses nothing), and so is lse, also where the accumulator was poison.
TEST_P(MergeOfShapes, StartTakesTheResult) {
  const Shape shape = GetParam();
  std::mt19937_64 random(7);
  Tensor<float> o(shape.heads, shape.rows, shape.dim, shape.gap);
  Tensor<float> lse(shape.heads, shape.rows, 1, shape.gap);
  Tensor<Bf16> result(shape.heads, shape.rows, shape.dim, shape.gap);
  Tensor<float> result_lse(shape.heads, shape.rows, 1, shape.gap);
  result.randomise(random);
  result_lse.randomise(random);
  start_output({o.view(), lse.view()}, result.view(), result_lse.view(), nullptr);
  finish();
  o.fetch();
  lse.fetch();
  o.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
    ASSERT_EQ(o.at(h, r, d), result.at(h, r, d));
    ASSERT_EQ(lse.at(h, r), result_lse.at(h, r));
  });
  EXPECT_TRUE(o.gaps_untouched());
  EXPECT_TRUE(lse.gaps_untouched());
}

// No key seen yet: o = 0, lse = −∞. Merging into it gives what is merged.
TEST_P(MergeOfShapes, ClearIsNeutral) {
  const Shape shape = GetParam();
  std::mt19937_64 random(8);
  Tensor<float> o(shape.heads, shape.rows, shape.dim, shape.gap);
  Tensor<float> lse(shape.heads, shape.rows, 1, shape.gap);
  Tensor<Bf16> result(shape.heads, shape.rows, shape.dim, shape.gap);
  Tensor<float> result_lse(shape.heads, shape.rows, 1, shape.gap);
  result.randomise(random);
  result_lse.randomise(random);
  clear_output({o.view(), lse.view()}, nullptr);
  finish();
  o.fetch();
  lse.fetch();
  o.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
    ASSERT_EQ(o.at(h, r, d), 0);
    ASSERT_EQ(lse.at(h, r), -infinity);
  });
  EXPECT_TRUE(o.gaps_untouched());
  EXPECT_TRUE(lse.gaps_untouched());
  merge_output({o.view(), lse.view()}, result.view(), result_lse.view(), nullptr);
  finish();
  o.fetch();
  lse.fetch();
  o.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
    ASSERT_EQ(o.at(h, r, d), result.at(h, r, d));
    ASSERT_EQ(lse.at(h, r), result_lse.at(h, r));
  });
}

// Dimensions of one unit, of less and of more than a warp's lanes can take at once, and not a power of two; more rows than one
// block takes at once; gaps that keep heads on 16-byte boundaries (8) and that do not (5).
INSTANTIATE_TEST_SUITE_P(Shapes, MergeOfShapes,
                         ::testing::Values(Shape{1, 1, 8}, Shape{2, 7, 64}, Shape{3, 33, 128}, Shape{1, 300, 16},
                                           Shape{2, 9, 72}, Shape{1, 8, 256}, Shape{2, 15, 64, 8}, Shape{3, 14, 64, 5},
                                           Shape{1, 7, 1}, Shape{40, 21, 128}));

class Merge : public ::testing::Test {
 protected:
  void SetUp() override { emulated::reset(); }
};

// NaN that came from memory nobody wrote must not be swallowed: in either log-sum-exp it makes the row NaN.
TEST_F(Merge, NanGoesThrough) {
  for (const bool in_result : {false, true}) {
    std::mt19937_64 random(1);
    Tensor<float> o(1, 2, 8);
    Tensor<float> lse(1, 2, 1);
    Tensor<Bf16> result(1, 2, 8);
    Tensor<float> result_lse(1, 2, 1);
    for (auto* tensor : {&o, &lse, &result_lse}) tensor->randomise(random);
    result.randomise(random);
    Tensor<float>& poisoned = in_result ? result_lse : lse;
    poisoned.set(0, 1, 0, std::nanf(""));
    poisoned.send();
    merge_output({o.view(), lse.view()}, result.view(), result_lse.view(), nullptr);
    finish();
    o.fetch();
    lse.fetch();
    EXPECT_TRUE(std::isfinite(lse.at(0, 0)));
    EXPECT_TRUE(std::isfinite(o.at(0, 0, 3)));
    EXPECT_TRUE(std::isnan(lse.at(0, 1)));
    EXPECT_TRUE(std::isnan(o.at(0, 1, 3)));
  }
}

// Only the second half of the rows, as a zigzag ring does for blocks after its own: the first half stays.
TEST_F(Merge, OfAPart) {
  std::mt19937_64 random(2);
  Tensor<float> o(2, 10, 16);
  Tensor<float> lse(2, 10, 1);
  Tensor<Bf16> result(2, 5, 16);
  Tensor<float> result_lse(2, 5, 1);
  for (auto* tensor : {&o, &lse, &result_lse}) tensor->randomise(random);
  result.randomise(random);
  const Tensor<float>& now = o;
  const std::vector<float> before = o.host;
  merge_output({o.view().part(5, 5), lse.view().part(5, 5)}, result.view(), result_lse.view(), nullptr);
  finish();
  o.fetch();
  std::size_t changed = 0;
  o.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
    const float old = before[now.index(h, r, d)];
    if (r < 5) {
      EXPECT_EQ(now.at(h, r, d), old);
    } else {
      changed += now.at(h, r, d) != old ? 1U : 0U;
    }
  });
  EXPECT_EQ(changed, 2U * 5U * 16U);
}

// Ten outputs merged one after the other, in fp32, against one sum in double precision: errors of a step are below 3e-7, so
// that those of ten stay below 3e-6.
TEST_F(Merge, TenInARow) {
  std::mt19937_64 random(3);
  Tensor<float> o(1, 20, 32);
  Tensor<float> lse(1, 20, 1);
  clear_output({o.view(), lse.view()}, nullptr);
  std::vector<Output> expected(o.host.size(), Output{0, -std::numeric_limits<double>::infinity()});
  for (int i = 0; i < 10; ++i) {
    Tensor<Bf16> result(1, 20, 32);
    Tensor<float> result_lse(1, 20, 1);
    result.randomise(random);
    result_lse.randomise(random, 4);
    merge_output({o.view(), lse.view()}, result.view(), result_lse.view(), nullptr);
    finish();
    o.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
      Output& e = expected[o.index(h, r, d)];
      e = merged(e, {result.at(h, r, d), result_lse.at(h, r)});
    });
  }
  o.fetch();
  o.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
    ASSERT_NEAR(o.at(h, r, d), expected[o.index(h, r, d)].o, 3e-6 * 4);  // |values| below 4
  });
}

TEST_F(Merge, SizesMustAgree) {
  Tensor<float> o(1, 2, 8);
  Tensor<float> lse(1, 2, 1);
  const Tensor<Bf16> result(1, 3, 8);
  const Tensor<float> result_lse(1, 3, 1);
  EXPECT_THROW(merge_output({o.view(), lse.view()}, result.view(), result_lse.view(), nullptr), Error);
}

}  // namespace
}  // namespace ringsim::cuda
