// Blocks in one piece of memory, the inputs that fill them, and the hook of the kernels.
#include "kernels/host/buffer.hpp"

#include "kernels/host/deviation.hpp"
#include "kernels/host/inputs.hpp"
#include "tests/unit/kernels/inputs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ringsim::host {
namespace {

const HeadShape shape{2, 4, 2, 5, 3};

TEST(Buffer, ABlockIsOnePieceWhateverItsLength) {
  // K: 2 sequences of 2 heads of 5, V: of 3; together 4·5 + 4·3 = 32 elements a token.
  EXPECT_EQ(key_block(shape).elements_per_token(), 32);
  // Q: 8 heads of 5, dO: of 3, two statistics: 8·(5 + 3 + 1 + 1) = 80.
  EXPECT_EQ(query_block(shape).elements_per_token(), 80);
  Buffer<float> buffer(key_block(shape), 7);
  for (const Eigen::Index rows : {7, 3}) {
    const BlockView<float> view = buffer.view(rows);
    EXPECT_EQ(view.k.data, buffer.elements(rows).data());
    EXPECT_EQ(view.v.data, view.k.data + 4 * rows * 5);
    EXPECT_EQ(buffer.elements(rows).size(), static_cast<std::size_t>(32 * rows));
    EXPECT_EQ(view.k[1].data(), view.k.data + rows * 5);
    EXPECT_EQ(view.q.heads, 0);
  }
  EXPECT_TRUE(std::isnan(buffer.elements(7).back()));
}

TEST(Buffer, RowsGoThereAndBack) {
  const Block<double> sequence = inputs::sequence_of(shape, 9, 1);
  Heads<double> back;
  for (const Positions& rows : {Positions{0, 2, 4, 6, 8}, Positions{1, 3, 5, 7}}) {
    const auto count = std::ssize(rows);
    Buffer<double> buffer(query_block(shape), count);
    gather_rows(sequence, rows, buffer.view(count));
    EXPECT_EQ(buffer.view(count).q[3].row(1), sequence.q[3].row(rows[1]));
    scatter_rows<double>(buffer.view(count).d_out, rows, 9, back);
  }
  EXPECT_EQ(back, sequence.d_out);
}

TEST(Inputs, DependOnThePlaceAndNotOnTheRank) {
  // The same tokens, all at once and every second of them.
  Buffer<double> all(query_block(shape), 8);
  Buffer<double> part(query_block(shape), 4);
  fill_inputs(3, 1, {0, 1, 2, 3, 4, 5, 6, 7}, all.view(8));
  fill_inputs(3, 1, {1, 3, 5, 7}, part.view(4));
  for (Eigen::Index head = 0; head < 8; ++head) {
    for (Eigen::Index row = 0; row < 4; ++row) {
      EXPECT_EQ(part.view(4).q[head].row(row), all.view(8).q[head].row(2 * row + 1));
      EXPECT_EQ(part.view(4).d_out[head].row(row), all.view(8).d_out[head].row(2 * row + 1));
    }
  }
  EXPECT_NE(all.view(8).q[0].row(0), all.view(8).q[0].row(1));
  EXPECT_NE(all.view(8).q[0], all.view(8).q[1]);
  Buffer<float> single(query_block(shape), 8);
  fill_inputs(3, 1, {0, 1, 2, 3, 4, 5, 6, 7}, single.view(8));
  EXPECT_EQ(single.view(8).q[0].cast<double>(), all.view(8).q[0]);
  Buffer<double> other(query_block(shape), 8);
  fill_inputs(3, 2, {0, 1, 2, 3, 4, 5, 6, 7}, other.view(8));
  EXPECT_NE(other.view(8).q[0], all.view(8).q[0]);
}

TEST(Inputs, HaveMeanZeroAndVarianceOne) {
  const HeadShape one{1, 1, 1, 64, 64};
  const std::int64_t tokens = 1000;
  Buffer<double> keys(key_block(one), tokens);
  Positions positions(static_cast<std::size_t>(tokens));
  std::iota(positions.begin(), positions.end(), 0);
  fill_inputs(1, 0, positions, keys.view(tokens));
  const auto k = keys.view(tokens).k[0].array();
  // Of 64,000 independent numbers the mean deviates by 1/√64000 = 0.004, and the variance of Irwin and Hall's four terms,
  // of kurtosis 3 − 1.2/4 = 2.7, by √(1.7/64000) = 0.005; four of these are allowed.
  EXPECT_NEAR(k.mean(), 0, 0.016);
  EXPECT_NEAR(k.square().mean(), 1, 0.021);
  EXPECT_LE(k.abs().maxCoeff(), 2 * std::sqrt(3.0) + 1e-6);
}

TEST(Progress, IsCalledAfterEveryProductOfATile) {
  const HeadShape one{1, 2, 1, 4, 4};
  Buffer<double> q(query_block(one), 6);
  Buffer<double> kv(key_block(one), 6);
  Buffer<double> out(output_block(one), 6);
  Buffer<double> dq(query_gradient_block(one), 6);
  Buffer<double> dkv(key_block(one), 6);
  const Positions positions = {0, 1, 2, 3, 4, 5};
  fill_inputs(1, 0, positions, q.view(6));
  fill_inputs(1, 0, positions, kv.view(6));
  int calls = 0;
  const Progress progress{[](void* count) { ++*static_cast<int*>(count); }, &calls};
  Workspace<double> workspace;
  const AttentionSpec causal{Mask{true, std::nullopt}, 1, {2, 2}};
  attend<double>(causal, {q.view(6), positions}, {kv.view(6), positions}, workspace, out.view(6), progress);
  // Three tiles a side, of which the mask leaves 1 + 2 + 3, for two heads; two products each.
  EXPECT_EQ(calls, 2 * 6 * 2);
  calls = 0;
  BlockView<double> gradient = dkv.view(6);
  gradient.q = dq.view(6).q;
  attend_backward<double>(causal, {q.view(6), positions}, {kv.view(6), positions}, workspace, gradient, progress);
  EXPECT_EQ(calls, 2 * 6 * 5);
}

TEST(Deviation, IsRelativeToTheLargestReference) {
  Deviation deviation;
  EXPECT_EQ(deviation.value(), 0);
  // Errors of 0.5 and 1 against references of at most 4 and 10: 1/10.
  deviation.add<double>({Matrix<double>::Constant(2, 2, 4.5)}, {Matrix<double>::Constant(2, 2, 4)});
  deviation.add<double>({Matrix<double>::Constant(1, 1, -9)}, {Matrix<double>::Constant(1, 1, -10)});
  EXPECT_DOUBLE_EQ(deviation.value(), 0.1);
  deviation.add<double>({Matrix<double>::Constant(1, 1, std::numeric_limits<double>::quiet_NaN())},
                        {Matrix<double>::Constant(1, 1, 1)});
  EXPECT_EQ(deviation.value(), std::numeric_limits<double>::infinity());
  Deviation shapes;
  shapes.add<double>({Matrix<double>::Zero(1, 2)}, {Matrix<double>::Zero(2, 1)});
  EXPECT_EQ(shapes.value(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace ringsim::host
