// The calibrated B_min with every cost at once: above it every block hides its hop, just below it one does not.
#include "models/bmin.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ringsim {
namespace {

double number(double from, double to) {
  return from + (to - from) * static_cast<double>(*rc::gen::inRange(0, 1001)) / 1000;
}

RC_GTEST_PROP(BlockMinimum, HidesEveryLargerBlockAndNotTheNextSmaller, ()) {
  const RingShape shape{
      {*rc::gen::inRange<std::int64_t>(1, 3), *rc::gen::element<std::int64_t>(8, 32, 64), 8, 128, 128}};
  Profile p;
  p.calibrated = true;
  p.forward.saturated.value = teraflop_per_second(number(100, 800));
  p.forward.half_depth.value = number(0, 2000);
  p.launch.value = microseconds(number(0, 20));
  if (*rc::gen::arbitrary<bool>()) p.multiprocessors = 132;
  const CostModel costs(p, shape);
  const HopCost hop{microseconds(number(0, 50)), gigabytes_per_second(number(5, 450)), false, "link", true};
  const auto hidden = [&](double block) {
    return costs.attention(Pass::forward, {block, block, block * block, 0}) >=
           CostModel::hop(hop, shape.kv_per_token() * block);
  };
  const BlockMinimum m = block_minimum_calibrated(shape, Pass::forward, 1.0, costs, hop);
  RC_ASSERT(m.tokens.has_value());
  for (double block = std::max(1.0, *m.tokens * (1 + 1e-9)); block < 67108864.0; block *= 1.03)
    RC_ASSERT(hidden(block));
  if (*m.tokens > 1) RC_ASSERT(!hidden(*m.tokens * (1 - 1e-6)));
}

// Faster links never raise it, faster kernels never lower it.
RC_GTEST_PROP(BlockMinimum, FollowsComputeOverBandwidth, ()) {
  const RingShape shape{{1, 32, *rc::gen::element<std::int64_t>(1, 8, 32), 128, 128}};
  const double f = number(50, 1000);
  const double w = number(5, 900);
  const double more = number(1, 10);
  const auto minimum = [&](double teraflops, double gigabytes) {
    return block_minimum_closed_form(shape, Pass::backward, 0.5, teraflop_per_second(teraflops),
                                     gigabytes_per_second(gigabytes));
  };
  const double base = minimum(f, w);
  RC_ASSERT(std::abs(minimum(f * more, w) - base * more) <= 1e-9 * base * more);
  RC_ASSERT(std::abs(minimum(f, w * more) - base / more) <= 1e-9 * base);
}

}  // namespace
}  // namespace ringsim
