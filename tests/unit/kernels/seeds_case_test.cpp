// The hand-checked case of four tokens (physics: "Online softmax"), through everything that computes attention.
#include "kernels/host/attention.hpp"
#include "kernels/host/softmax.hpp"
#include "tests/unit/kernels/inputs.hpp"

#include <gtest/gtest.h>

#include <array>

namespace ringsim::host {
namespace {

constexpr double digits = 5e-6;        // the outputs are given to five decimals
constexpr double state_digits = 5e-7;  // the states to six
constexpr std::array outputs = {19.14379, 25.00000, 34.37567, 19.03071};
const Mask full{false, std::nullopt};

Heads<double> one_head(const std::vector<double>& column) {
  return {Eigen::Map<const Matrix<double>>(column.data(), static_cast<Eigen::Index>(column.size()), 1)};
}

Block<double> four_tokens() {
  Block<double> sequence;
  sequence.q = one_head({1, 0, -1, 2});
  sequence.k = one_head({1, 2, 0, -1});
  sequence.v = one_head({10, 20, 30, 40});
  sequence.d_out = one_head({0, 0, 0, 0});
  return sequence;
}

void expect_outputs(const Heads<double>& o) {
  ASSERT_EQ(o.size(), 1U);
  for (Eigen::Index token = 0; token < 4; ++token) {
    EXPECT_NEAR(o[0](token, 0), outputs.at(static_cast<std::size_t>(token)), digits) << "token " << token;
  }
}

TEST(SeedsCase, Reference) { expect_outputs(reference_attention(four_tokens(), full, 1).o); }

TEST(SeedsCase, BlockwiseKernel) {
  const Block<double> sequence = four_tokens();
  const Positions positions{0, 1, 2, 3};
  for (const Eigen::Index tile : {1, 2, 3, 64}) {
    expect_outputs(inputs::attend<double>({full, 1, {2, tile}}, sequence, positions, sequence, positions).o);
  }
}

TEST(SeedsCase, StatesOfTheFirstQuery) {
  const Block<double> s = four_tokens();
  const Matrix<double> query = s.q[0].topRows(1);
  Column<double> m(1), l(1);
  Matrix<double> o(1, 1);
  clear<double>({m, l, o});
  const std::vector<KeyRange> both = {{0, 2}};
  const auto fold_rank = [&](Eigen::Index first) {
    Matrix<double> scores = query * s.k[0].middleRows(first, 2).transpose();
    fold<double>({m, l, o}, scores, both, s.v[0].middleRows(first, 2));
  };
  fold_rank(0);
  EXPECT_DOUBLE_EQ(m[0], 2);
  EXPECT_NEAR(l[0], 1.367879, state_digits);
  EXPECT_NEAR(o(0, 0), 23.678794, state_digits);
  fold_rank(2);
  EXPECT_DOUBLE_EQ(m[0], 2);
  EXPECT_NEAR(l[0], 1.553002, state_digits);
  EXPECT_NEAR(o(0, 0), 29.730336, state_digits);
}

TEST(SeedsCase, TwoRanksOfTwoTokens) {
  const inputs::Ring ring{.ranks = 2, .tokens = 4, .masks = {full}, .heads = {1, 1, 1, 1, 1}, .trains = false};
  const sim::Program program = ring.program();
  for (const Order order : {Order::issue, Order::transfers_first, Order::transfers_last}) {
    expect_outputs(execute<double>(program, {four_tokens()}, {1, {}, {order, 0}}).at(0).output.o);
  }
}

TEST(SeedsCase, TheFirstQueryAfterStepZero) {
  const inputs::Ring ring{.ranks = 2, .tokens = 4, .masks = {full}, .heads = {1, 1, 1, 1, 1}, .trains = false};
  sim::Program program = ring.program();
  // The layer's body ends in the loop of the last step; without it a run ends after step 0, whose state of the first
  // query is (2, 1.367879, 23.678794).
  std::get<sim::Repeat>(program.body.at(0).what).body.pop_back();
  for (const Order order : {Order::issue, Order::transfers_first, Order::transfers_last}) {
    const Partial<double> output = execute<double>(program, {four_tokens()}, {1, {}, {order, 0}}).at(0).output;
    EXPECT_NEAR(output.o[0](0, 0), 23.678794 / 1.367879, 1e-5);
    EXPECT_NEAR(output.lse[0](0, 0), 2 + std::log(1.367879), 2e-6);
  }
}

}  // namespace
}  // namespace ringsim::host
