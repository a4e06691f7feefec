// Sums, conversions and zeros, element by element against the host.

#include "kernels/cuda/merge.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"
#include "tests/emulated/runtime.hpp"
#include "tests/emulated/support.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ringsim::cuda {
namespace {

using tests::finish;
using tests::rounded;
using tests::Tensor;

struct Shape {
  std::int64_t heads, rows, dim;
  std::int64_t to_gap = 0;
  std::int64_t from_gap = 0;
};

class Elementwise : public ::testing::TestWithParam<Shape> {
 protected:
  void SetUp() override { emulated::reset(); }

  // Each element is, in the format of `to`, the sum of the two in fp32: exactly.
  template <class To, class From>
  void check_add(std::uint64_t seed) {
    const Shape shape = GetParam();
    std::mt19937_64 random(seed);
    Tensor<To> to(shape.heads, shape.rows, shape.dim, shape.to_gap);
    Tensor<From> from(shape.heads, shape.rows, shape.dim, shape.from_gap);
    to.randomise(random);
    from.randomise(random);
    const std::vector<To> before = to.host;
    add(to.view(), from.view(), nullptr);
    finish();
    to.fetch();
    to.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
      const float sum = to_float(before[to.index(h, r, d)]) + from.at(h, r, d);
      ASSERT_EQ(to.at(h, r, d), rounded(To{}, sum)) << h << ' ' << r << ' ' << d;
    });
    EXPECT_TRUE(to.gaps_untouched());
    EXPECT_EQ(emulated::broken_guards(), "");
  }
  template <class To, class From>
  void check_convert() {
    const Shape shape = GetParam();
    std::mt19937_64 random(3);
    Tensor<To> to(shape.heads, shape.rows, shape.dim, shape.to_gap);
    Tensor<From> from(shape.heads, shape.rows, shape.dim, shape.from_gap);
    from.randomise(random);
    convert(to.view(), from.view(), nullptr);
    finish();
    to.fetch();
    to.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
      ASSERT_EQ(to.at(h, r, d), rounded(To{}, from.at(h, r, d))) << h << ' ' << r << ' ' << d;
    });
    EXPECT_TRUE(to.gaps_untouched());
    EXPECT_EQ(emulated::broken_guards(), "");
  }
  template <class To>
  void check_clear() {
    const Shape shape = GetParam();
    Tensor<To> to(shape.heads, shape.rows, shape.dim, shape.to_gap);
    clear(to.view(), nullptr);
    finish();
    to.fetch();
    to.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) { ASSERT_EQ(to.at(h, r, d), 0); });
    EXPECT_TRUE(to.gaps_untouched());
    EXPECT_EQ(emulated::broken_guards(), "");
  }
};

TEST_P(Elementwise, Add) {
  for (const std::uint64_t seed : {1U, 2U}) {
    check_add<float, float>(seed);
    check_add<float, Bf16>(seed);
    check_add<Bf16, Bf16>(seed);
  }
}

TEST_P(Elementwise, Convert) {
  check_convert<float, Bf16>();
  check_convert<Bf16, float>();
  check_convert<Bf16, Bf16>();
  check_convert<float, float>();
}

TEST_P(Elementwise, Clear) {
  check_clear<float>();
  check_clear<Bf16>();
}

// One group; tails behind full turns of a block; several heads with and without gaps, on 16-byte boundaries and not; rows of a
// single element, as log-sum-exps have; more elements than all resident blocks take in one turn.
INSTANTIATE_TEST_SUITE_P(Shapes, Elementwise,
                         ::testing::Values(Shape{1, 1, 8}, Shape{1, 1000, 8}, Shape{3, 17, 24}, Shape{3, 17, 24, 8, 16},
                                           Shape{2, 30, 16, 3, 0}, Shape{2, 30, 16, 0, 1}, Shape{5, 13, 1},
                                           Shape{70, 2, 8, 8, 8}));

// With 2 SMs the grid has 8 blocks, which take 8·256·4·8 elements a turn: the sum has to make several.
TEST(ElementwiseGrid, MakesSeveralTurns) {
  emulated::Settings settings;
  settings.sms = 2;
  emulated::reset(settings);
  std::mt19937_64 random(4);
  Tensor<Bf16> to(1, 20'000, 8);
  Tensor<Bf16> from(1, 20'000, 8);
  from.randomise(random);
  convert(to.view(), from.view(), nullptr);
  finish();
  to.fetch();
  to.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) { ASSERT_EQ(to.at(h, r, d), from.at(h, r, d)); });
}

// A view that begins in the middle of a row of 16-byte words.
TEST(ElementwiseGrid, UnalignedBeginning) {
  emulated::reset();
  std::mt19937_64 random(5);
  Tensor<float> to(1, 65, 8);
  Tensor<float> from(1, 64, 8);
  from.randomise(random);
  const View<float> shifted = {to.view().data + 1, 1, 64, 8, 512};
  convert(shifted, from.view(), nullptr);
  finish();
  to.fetch();
  for (std::size_t i = 0; i < from.host.size(); ++i) ASSERT_EQ(to.host[i + 1], from.host[i]);
}

TEST(ElementwiseGrid, SizesMustAgree) {
  emulated::reset();
  const Tensor<float> to(1, 2, 8);
  const Tensor<float> from(1, 3, 8);
  EXPECT_THROW(add(to.view(), from.view(), nullptr), Error);
}

}  // namespace
}  // namespace ringsim::cuda
