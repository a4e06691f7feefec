// A profile's values moved one at a time by their uncertainty.
#include "models/profile_parameters.hpp"

#include "models/cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ringsim {
namespace {

Profile uncertain() {
  Profile p;
  for (AttentionCost* pass : {&p.forward, &p.backward}) {
    pass->saturated = {teraflop_per_second(100), 0.25, Origin::measured, ""};
    pass->half_depth = {100.0, 0.1, Origin::measured, ""};
    pass->half_rows = {50.0, 0.2, Origin::measured, ""};
  }
  p.launch = {microseconds(10), 0.5, Origin::assumed, ""};
  p.merge_traffic = {2.0, 0.5, Origin::assumed, ""};
  p.merge_bandwidth = {gigabytes_per_second(1000), 0.25, Origin::assumed, ""};
  p.event_latency = {microseconds(4), 0.25, Origin::assumed, ""};
  p.links["l"] = {{microseconds(8), 0.5, Origin::published, ""}, {0.8, 0.25, Origin::published, ""}, {}, {}};
  p.sm_kernel = Interference{{0.5, 0.25, Origin::measured, ""}, {0.9, 0.25, Origin::measured, ""}};
  return p;
}

ProfileParameter named(const Profile& p, const std::string& name) {
  const std::vector<ProfileParameter> all = uncertain_parameters(p);
  const auto found = std::find_if(all.begin(), all.end(), [&](const ProfileParameter& q) { return q.name == name; });
  EXPECT_NE(found, all.end()) << name;
  return *found;
}
Profile slower(const std::string& name) { return moved(uncertain(), named(uncertain(), name), +1); }
Profile faster(const std::string& name) { return moved(uncertain(), named(uncertain(), name), -1); }

TEST(ProfileParameters, AreAllThatAreUncertain) {
  // Six of attention, launch, two of merges, the event latency, two of the link, two shares.
  EXPECT_EQ(uncertain_parameters(uncertain()).size(), 6U + 1 + 2 + 1 + 2 + 2);
  Profile p = uncertain();
  p.launch.relative_uncertainty = 0;
  p.forward.half_rows.value = 0;  // zero stays zero, whatever the factor
  p.sm_kernel.reset();
  EXPECT_EQ(uncertain_parameters(p).size(), 14U - 1 - 1 - 2);
  EXPECT_TRUE(uncertain_parameters(Profile{}).empty());
}

TEST(ProfileParameters, OfProductsPassesAndCollectivesMoveLikeTheOthers) {
  Profile p;
  p.gemm = GemmCost{{teraflop_per_second(800), 0.25, Origin::measured, ""}, {100, 0.1, Origin::measured, ""}};
  p.memory_bandwidth = {gigabytes_per_second(2500), 0.25, Origin::measured, ""};
  p.collectives = {
      {"all-reduce", "l", 8, {microseconds(10), 0.5, Origin::measured, ""}, {0.9, 0.25, Origin::measured, ""}}};
  ASSERT_EQ(uncertain_parameters(p).size(), 5U);
  const auto move = [&](const std::string& name, int direction) { return moved(p, named(p, name), direction); };
  EXPECT_NEAR(in_teraflop_per_second(move("gemm.saturated", 1).gemm->saturated.value), 640, 1e-9);
  EXPECT_NEAR(move("gemm.half_rows", 1).gemm->half_rows.value, 110, 1e-9);
  EXPECT_NEAR(in_gigabytes_per_second(move("memory_bandwidth", 1).memory_bandwidth->value), 2000, 1e-9);
  EXPECT_NEAR(in_microseconds(move("collectives.all-reduce.l.8.latency", 1).collectives[0].latency.value), 15, 1e-9);
  EXPECT_NEAR(move("collectives.all-reduce.l.8.efficiency", 1).collectives[0].efficiency.value, 0.72, 1e-9);
  EXPECT_EQ(move("collectives.all-reduce.l.8.efficiency", -1).collectives[0].efficiency.value, 0.9 / 0.75)
      << "traffic counts as by rings: what is reduced in a switch sends less and may exceed the nominal rate";
}

TEST(ProfileParameters, ACostIsMultipliedAndARateDivided) {
  // A cost of 10 us that is 50 % worse is 15, better 5. A rate of 100 that is 25 % worse: 100 / 1.25 = 80.
  EXPECT_NEAR(in_microseconds(slower("launch").launch.value), 15, 1e-9);
  EXPECT_NEAR(in_microseconds(faster("launch").launch.value), 5, 1e-9);
  EXPECT_NEAR(in_teraflop_per_second(slower("forward.saturated").forward.saturated.value), 80, 1e-9);
  EXPECT_NEAR(in_teraflop_per_second(faster("backward.saturated").backward.saturated.value), 100 / 0.75, 1e-9);
  EXPECT_NEAR(slower("backward.half_depth").backward.half_depth.value, 110, 1e-9);
  EXPECT_NEAR(slower("forward.half_rows").forward.half_rows.value, 60, 1e-9);
  EXPECT_NEAR(slower("merge_traffic").merge_traffic.value, 3.0, 1e-9);
  EXPECT_NEAR(in_gigabytes_per_second(slower("merge_bandwidth").merge_bandwidth.value), 800, 1e-9);
  EXPECT_NEAR(in_microseconds(slower("event_latency").event_latency.value), 5, 1e-9);
  EXPECT_NEAR(in_microseconds(slower("links.l.latency").links["l"].latency.value), 12, 1e-9);
  EXPECT_NEAR(slower("links.l.efficiency").links["l"].efficiency.value, 0.64, 1e-9);
  EXPECT_NEAR(slower("interference.sm-kernel.compute_share").sm_kernel->compute_share.value, 0.4, 1e-9);
}

TEST(ProfileParameters, MoveAlone) {
  const Profile p = slower("forward.saturated");
  EXPECT_EQ(p.backward.saturated.value, uncertain().backward.saturated.value);
  EXPECT_EQ(p.forward.half_depth.value, uncertain().forward.half_depth.value);
  EXPECT_EQ(p.launch.value, uncertain().launch.value);
}

TEST(ProfileParameters, EfficienciesAndSharesStayWithinOne) {
  // 0.8 / 0.75 = 1.07 and 0.9 / 0.75 = 1.2 would be more than the nominal bandwidth and than full speed.
  EXPECT_EQ(faster("links.l.efficiency").links["l"].efficiency.value, 1.0);
  EXPECT_EQ(faster("interference.sm-kernel.transfer_share").sm_kernel->transfer_share.value, 1.0);
  EXPECT_NEAR(faster("interference.sm-kernel.compute_share").sm_kernel->compute_share.value, 0.5 / 0.75, 1e-12);
}

TEST(ProfileParameters, ALinksKnotsMoveWithItsEfficiency) {
  Profile p = uncertain();
  p.links["l"].by_size = {{bytes(1e3), 0.3}, {bytes(1e6), 0.9}};
  const auto knots = [&](int direction) {
    return moved(p, named(p, "links.l.efficiency"), direction).links["l"].by_size;
  };
  EXPECT_NEAR(knots(+1)[0].efficiency, 0.3 / 1.25, 1e-12);
  EXPECT_NEAR(knots(-1)[0].efficiency, 0.3 / 0.75, 1e-12);
  EXPECT_EQ(knots(-1)[1].efficiency, 1.0) << "0.9 / 0.75 is more than the link has";
  EXPECT_EQ(moved(p, named(p, "links.l.latency"), +1).links["l"].by_size[0].efficiency, 0.3);
}

TEST(ProfileParameters, ACollectivesKnotsMoveWithItsEfficiencyAndNoOthers) {
  Profile p;
  p.collectives = {{"all-reduce", "l", 8, {}, {0.8, 0.25, Origin::assumed, ""}, {{bytes(1e3), 0.4}}},
                   {"all-reduce", "l", 4, {}, {0.8, 0.25, Origin::assumed, ""}, {{bytes(1e3), 0.4}}}};
  const Profile slower = moved(p, named(p, "collectives.all-reduce.l.8.efficiency"), +1);
  EXPECT_NEAR(slower.collectives[0].by_size[0].efficiency, 0.4 / 1.25, 1e-12);
  EXPECT_EQ(slower.collectives[1].by_size[0].efficiency, 0.4);
}

TEST(ProfileParameters, SlowerIsSlowerForEveryTime) {
  const RingShape shape{{1, 8, 8, 64, 64}};
  const auto attention = [&](const Profile& p) {
    return CostModel(p, shape).attention(Pass::forward, {512, 512, 512.0 * 512, 0});
  };
  const auto merge = [&](const Profile& p) { return CostModel(p, shape).merge(Accumulator::output, false, 512); };
  for (const char* name : {"forward.saturated", "forward.half_depth", "forward.half_rows", "launch"}) {
    EXPECT_GT(attention(slower(name)), attention(uncertain())) << name;
    EXPECT_LT(attention(faster(name)), attention(uncertain())) << name;
  }
  for (const char* name : {"merge_traffic", "merge_bandwidth", "launch"}) {
    EXPECT_GT(merge(slower(name)), merge(uncertain())) << name;
    EXPECT_LT(merge(faster(name)), merge(uncertain())) << name;
  }
}

}  // namespace
}  // namespace ringsim
