// A profile moved to the ends of its uncertainty: everything slower, or everything faster.
#include "models/cost.hpp"
#include "models/profile.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

Profile uncertain() {
  Profile p;
  for (AttentionCost* pass : {&p.forward, &p.backward}) {
    pass->saturated = {teraflop_per_second(100), 0.25, Origin::measured, ""};
    pass->half_depth = {100.0, 0.1, Origin::measured, ""};
  }
  p.launch = {microseconds(10), 0.5, Origin::assumed, ""};
  p.merge_traffic = {2.0, 0.5, Origin::assumed, ""};
  p.merge_bandwidth = {gigabytes_per_second(1000), 0.25, Origin::assumed, ""};
  p.event_latency = {microseconds(4), 0.25, Origin::assumed, ""};
  p.links["l"] = {{microseconds(8), 0.5, Origin::published, ""}, {0.8, 0.25, Origin::published, ""}};
  return p;
}

TEST(ShiftedProfile, SlowerDividesRatesAndMultipliesCosts) {
  // A rate of 100 that is 25 % worse: 100 / 1.25 = 80. A cost of 10 that is 50 % worse: 15.
  Profile p = shifted(uncertain(), +1);
  EXPECT_NEAR(in_teraflop_per_second(p.forward.saturated.value), 80, 1e-9);
  EXPECT_NEAR(in_teraflop_per_second(p.backward.saturated.value), 80, 1e-9);
  EXPECT_NEAR(p.forward.half_depth.value, 110, 1e-9);
  EXPECT_NEAR(in_microseconds(p.launch.value), 15, 1e-9);
  EXPECT_NEAR(p.merge_traffic.value, 3.0, 1e-9);
  EXPECT_NEAR(in_gigabytes_per_second(p.merge_bandwidth.value), 800, 1e-9);
  EXPECT_NEAR(in_microseconds(p.event_latency.value), 5, 1e-9);
  EXPECT_NEAR(in_microseconds(p.links["l"].latency.value), 12, 1e-9);
  EXPECT_NEAR(p.links["l"].efficiency.value, 0.64, 1e-9);
}

TEST(ShiftedProfile, OrdersEveryTime) {
  const RingShape shape{{1, 8, 8, 64, 64}};
  const auto times = [&](const Profile& p) {
    const CostModel c(p, shape);
    return std::pair(c.attention(Pass::forward, {512, 512, 512.0 * 512, 0}), c.merge(Accumulator::output, false, 512));
  };
  const auto [attention, merge] = times(uncertain());
  const auto [slow_attention, slow_merge] = times(shifted(uncertain(), +1));
  const auto [fast_attention, fast_merge] = times(shifted(uncertain(), -1));
  EXPECT_GT(slow_attention, attention);
  EXPECT_LT(fast_attention, attention);
  EXPECT_GT(slow_merge, merge);
  EXPECT_LT(fast_merge, merge);
}

TEST(ShiftedProfile, WithoutUncertaintyStaysAsItIs) {
  Profile p;
  p.forward.saturated.value = teraflop_per_second(7);
  EXPECT_EQ(shifted(p, +1).forward.saturated.value, p.forward.saturated.value);
  EXPECT_EQ(shifted(p, -1).forward.saturated.value, p.forward.saturated.value);
}

}  // namespace
}  // namespace ringsim
