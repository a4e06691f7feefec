// The kernel of one pair of blocks and the merging of its results, against the reference and where rows see no key.
#include "kernels/host/attention.hpp"
#include "kernels/host/softmax.hpp"
#include "tests/unit/kernels/inputs.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace ringsim::host {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double double_error = 1e-12;
constexpr double float_error = 1e-5;
const HeadShape shape{2, 6, 2, 5, 7};
const double scale = 1 / std::sqrt(5.0);

Positions range(std::int64_t first, std::int64_t count) {
  Positions positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

bool finite(const Heads<double>& heads) {
  return std::all_of(heads.begin(), heads.end(), [](const Matrix<double>& head) { return head.allFinite(); });
}

template <class T>
void expect_reference(const Mask& mask, std::int64_t tokens, Tiling tile, double error) {
  const Block<double> sequence = inputs::sequence_of(shape, tokens, 3);
  const Partial<double> output = reference_attention(sequence, mask, scale);
  const Block<double> gradient = reference_gradients(sequence, mask, scale);
  Block<T> block = inputs::cast<T>(sequence);
  const Positions positions = range(0, tokens);
  const AttentionSpec spec{mask, scale, tile};
  const Partial<T> o = inputs::attend(spec, block, positions, block, positions);
  EXPECT_LE(inputs::deviation(o.o, output.o), error);
  EXPECT_LE(inputs::deviation(o.lse, output.lse), error);
  block.lse = o.lse;
  const Block<T> g = inputs::attend_backward(spec, block, o.o, positions, block, positions);
  EXPECT_LE(inputs::deviation(g.q, gradient.q), error);
  EXPECT_LE(inputs::deviation(g.k, gradient.k), error);
  EXPECT_LE(inputs::deviation(g.v, gradient.v), error);
}

TEST(AttentionKernel, EqualsTheReference) {
  for (const Mask& mask : {Mask{false, std::nullopt}, Mask{true, std::nullopt}, Mask{true, 9}, Mask{false, 9}}) {
    for (const Tiling tile : {Tiling{1, 1}, Tiling{7, 3}, Tiling{5, 64}, Tiling{64, 64}}) {
      SCOPED_TRACE(tile.queries);
      expect_reference<double>(mask, 150, tile, double_error);
      expect_reference<float>(mask, 150, tile, float_error);
    }
  }
}

TEST(AttentionKernel, LargeScoresDoNotOverflow) {
  const Block<double> sequence = inputs::sequence_of(shape, 20, 4);
  const Positions positions = range(0, 20);
  const Mask causal;
  const Partial<double> o = inputs::attend<double>({causal, 2000, {6, 6}}, sequence, positions, sequence, positions);
  EXPECT_TRUE(finite(o.o));
  EXPECT_LE(inputs::deviation(o.o, reference_attention(sequence, causal, 2000).o), double_error);
}

TEST(AttentionKernel, MergedPartialsEqualTheWhole) {
  const std::int64_t tokens = 24;
  const Block<double> sequence = inputs::sequence_of(shape, tokens, 5);
  for (const Mask& mask : {Mask{true, std::nullopt}, Mask{true, 5}, Mask{false, 5}}) {
    // Blocks of three keys, the last first: rows then start without a key.
    Partial<double> merged{Heads<double>(12, Matrix<double>::Zero(tokens, shape.value_dim)),
                           Heads<double>(12, Matrix<double>::Constant(tokens, 1, -infinite))};
    for (std::int64_t first = tokens - 3; first >= 0; first -= 3) {
      Block<double> keys;
      for (const auto& k : sequence.k) keys.k.emplace_back(k.middleRows(first, 3));
      for (const auto& v : sequence.v) keys.v.emplace_back(v.middleRows(first, 3));
      inputs::merge(merged,
                    inputs::attend<double>({mask, scale, {2, 2}}, sequence, range(0, tokens), keys, range(first, 3)));
      EXPECT_TRUE(finite(merged.o));
    }
    const Partial<double> expected = reference_attention(sequence, mask, scale);
    EXPECT_LE(inputs::deviation(merged.o, expected.o), double_error);
    EXPECT_LE(inputs::deviation(merged.lse, expected.lse), double_error);
  }
}

TEST(AttentionKernel, ABlockThatNoQuerySeesChangesNothing) {
  Block<double> sequence = inputs::sequence_of(shape, 6, 6);
  const Positions early = range(0, 6);
  const Positions late = range(100, 6);
  const AttentionSpec causal{Mask{}, scale, {4, 4}};
  const Partial<double> unseen = inputs::attend<double>(causal, sequence, early, sequence, late);
  for (const auto& o : unseen.o) EXPECT_TRUE((o.array() == 0).all());
  for (const auto& lse : unseen.lse) EXPECT_TRUE((lse.array() == -infinite).all());

  const Partial<double> own = inputs::attend<double>(causal, sequence, early, sequence, early);
  Partial<double> merged = own;
  inputs::merge(merged, unseen);
  EXPECT_EQ(merged.o, own.o);
  EXPECT_EQ(merged.lse, own.lse);
  merged = unseen;
  inputs::merge(merged, own);
  EXPECT_EQ(merged.o, own.o);
  EXPECT_EQ(merged.lse, own.lse);
  merged = unseen;
  inputs::merge(merged, unseen);
  EXPECT_EQ(merged.o, unseen.o);
  EXPECT_EQ(merged.lse, unseen.lse);

  // The gradient as well, even where a query has seen no key at all.
  sequence.lse = unseen.lse;
  const Block<double> gradient = inputs::attend_backward<double>(causal, sequence, unseen.o, early, sequence, late);
  for (const Heads<double>* heads : {&gradient.q, &gradient.k, &gradient.v}) {
    for (const auto& head : *heads) EXPECT_TRUE((head.array() == 0).all());
  }
}

TEST(AttentionKernel, FoldingWhatNobodySeesLeavesTheState) {
  Column<double> m(2), l(2);
  Matrix<double> o(2, 1);
  const auto fold_tile = [&](const std::vector<KeyRange>& visible) {
    Matrix<double> scores(2, 3);
    scores << 1, 2, 3, 4, 5, 0.5;
    const Matrix<double> values = Matrix<double>::Constant(3, 1, 7);
    fold<double>({m, l, o}, scores, visible, values);
  };
  clear<double>({m, l, o});
  fold_tile({{0, 0}, {3, 3}});
  EXPECT_EQ(m, Column<double>::Constant(2, -infinite));
  EXPECT_EQ(l, Column<double>::Zero(2));
  EXPECT_EQ(o, Matrix<double>::Zero(2, 1));
  // The second row sees its last key: m is that score, l = exp(0), o = exp(0)·7.
  fold_tile({{0, 0}, {2, 3}});
  fold_tile({{1, 1}, {0, 0}});
  EXPECT_EQ(m[0], -infinite);
  EXPECT_EQ(m[1], 0.5);
  EXPECT_EQ(l[1], 1);
  EXPECT_EQ(o(1, 0), 7);
  // Of two rows the finished one is O = 7/1 and LSE = 0.5 + log 1, the other 0 and −∞.
  finish<double>({m, l, o});
  EXPECT_EQ(m[0], -infinite);
  EXPECT_EQ(o(0, 0), 0);
  EXPECT_EQ(m[1], 0.5);
  EXPECT_EQ(o(1, 0), 7);
}

TEST(AttentionKernel, MissingDataShows) {
  Block<double> sequence = inputs::sequence_of(shape, 4, 7);
  for (auto& k : sequence.k) k.setConstant(std::numeric_limits<double>::quiet_NaN());
  const Partial<double> o =
      inputs::attend<double>({Mask{}, scale, {2, 2}}, sequence, range(0, 4), sequence, range(0, 4));
  for (const auto& head : o.o) EXPECT_TRUE(head.array().isNaN().all());
}

}  // namespace
}  // namespace ringsim::host
