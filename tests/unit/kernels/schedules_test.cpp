// Every schedule computes attention: outputs and gradients of executed programs equal the reference, over layouts,
// masks, heads, rings, lengths, buffers and the orders that streams and events allow.
#include "tests/unit/kernels/inputs.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace ringsim::host {
namespace {

using inputs::Ring;

constexpr double double_error = 1e-12;
constexpr double float_error = 1e-5;

std::vector<std::int64_t> lengths(Layout layout, std::int64_t ranks) {
  if (layout == Layout::zigzag) return {2 * ranks, 6 * ranks};
  return {ranks, 4 * ranks + ranks / 2, 5 * ranks - 1};  // one token a rank; some with one more; all but one
}

void expect_reference(const Ring& ring) {
  SCOPED_TRACE(ring.text());
  const sim::Program program = ring.program();
  const auto expected = inputs::expected(ring);
  for (const Order order : {Order::issue, Order::transfers_first, Order::transfers_last, Order::random}) {
    EXPECT_LE(inputs::deviation<double>(ring, program, expected, {order, 1}, {3, 3}), double_error);
  }
  EXPECT_LE(inputs::deviation<float>(ring, program, expected, {Order::random, 2}), float_error);
}

class Schedules : public testing::TestWithParam<std::tuple<Layout, std::int64_t>> {};

TEST_P(Schedules, EqualTheReference) {
  const auto [layout, ranks] = GetParam();
  const std::vector<std::vector<Mask>> masks = {
      {{false, std::nullopt}}, {{true, std::nullopt}}, {{true, 3}, {true, std::nullopt}}, {{false, 4}}};
  const std::vector<HeadShape> heads = {{1, 2, 2, 3, 3}, {1, 4, 2, 4, 2}, {2, 2, 1, 2, 3}};
  for (const std::int64_t tokens : lengths(layout, ranks)) {
    for (const auto& mask : masks) {
      for (const HeadShape& head : heads) {
        for (const std::int64_t buffers : {2, 3}) {
          for (const Rotation rotation : {Rotation::kv, Rotation::q}) {
            expect_reference({layout, ranks, tokens, buffers, mask, head, rotation});
          }
        }
      }
    }
  }
}

std::string name_of_case(const testing::TestParamInfo<Schedules::ParamType>& info) {
  const auto [layout, ranks] = info.param;
  return std::string(name_of(layout)) + "_" + std::to_string(ranks);
}

INSTANTIATE_TEST_SUITE_P(Rings, Schedules,
                         testing::Combine(testing::Values(Layout::contiguous, Layout::striped, Layout::zigzag),
                                          testing::Values(1, 2, 3, 4, 8)),
                         name_of_case);

TEST(ScheduleOrders, GiveTheSameBits) {
  const Ring ring{.ranks = 4, .tokens = 19, .buffers = 3, .masks = {{true, std::nullopt}, {false, 5}}};
  const sim::Program program = ring.program();
  const auto layers = ring.inputs();
  const auto run = [&](OrderChoice order) { return execute<double>(program, layers, {ring.scale(), {}, order}); };
  const auto issued = run({});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto other = run({Order::random, seed});
    for (std::size_t layer = 0; layer < issued.size(); ++layer) {
      EXPECT_EQ(other[layer].output.o, issued[layer].output.o);
      EXPECT_EQ(other[layer].gradient.q, issued[layer].gradient.q);
      EXPECT_EQ(other[layer].gradient.k, issued[layer].gradient.k);
      EXPECT_EQ(other[layer].gradient.v, issued[layer].gradient.v);
    }
  }
}

TEST(ScheduleBlocks, LongerThanATile) {
  for (const Rotation rotation : {Rotation::kv, Rotation::q}) {
    const Ring ring{
        .layout = Layout::striped, .ranks = 2, .tokens = 301, .heads = {1, 2, 1, 16, 16}, .backward_travels = rotation};
    expect_reference(ring);
  }
}

}  // namespace
}  // namespace ringsim::host
