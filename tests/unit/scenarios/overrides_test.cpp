#include "scenarios/overrides.hpp"

#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

namespace ringsim::scenarios {
namespace {

using testing::error_of;
using testing::read_text;
using testing::resolved;
using testing::small_scenario;

TEST(Overrides, ChangeAValueAndSayWhereItComesFrom) {
  const Scenario scenario = read_text(small_scenario(), {"parallel.ring=4", "workload.causal=false"});
  EXPECT_EQ(scenario.parallel.ring, 4);
  EXPECT_FALSE(scenario.workload.causal);
  EXPECT_EQ(resolved(scenario, "parallel.ring")->origin, "--set parallel.ring");
}

TEST(Overrides, TheLastOneWins) {
  EXPECT_EQ(read_text(small_scenario(), {"parallel.ring=4", "parallel.ring=2"}).parallel.ring, 2);
}

TEST(Overrides, MakeMissingMappings) {
  EXPECT_EQ(read_text(small_scenario(), {"price.gpu_hour=3"}).price_per_gpu_hour, 3.0);
  EXPECT_EQ(read_text(small_scenario(), {"ring.layout=striped"}).ring.layout, Layout::striped);
}

TEST(Overrides, ReachBelowAShorthand) {
  EXPECT_EQ(read_text(small_scenario(), {"model.layers=40"}).model.layers, 40);
  const Scenario scenario = read_text(small_scenario(), {"cluster.inter_node.bandwidth=200 Gb/s"});
  EXPECT_EQ(in_gigabytes_per_second(scenario.cluster.inter_node->bandwidth), 25.0);
  EXPECT_EQ(scenario.cluster.inter_node->link_class, "ib-ndr");  // the class stays, and with it the profile's costs
  EXPECT_EQ(in_teraflop_per_second(*read_text(small_scenario(), {"cluster.gpu.bf16=500 TFLOP/s"}).cluster.gpu.bf16),
            500.0);
}

TEST(Overrides, ReachIntoTheDefaultProfile) {
  const Scenario scenario =
      read_text(small_scenario(), {"profile.launch=3 us", "profile.links.nvlink4.latency.value=1 us"});
  EXPECT_EQ(in_microseconds(scenario.profile.launch.value), 3.0);
  EXPECT_EQ(scenario.profile.launch.origin, Origin::assumed);
  EXPECT_EQ(in_seconds(scenario.profile.links.at("nvlink4").latency.value), 1e-6);
  EXPECT_EQ(scenario.profile.name, "h100-sxm");
}

TEST(Overrides, TakeListsAndMappings) {
  const Scenario scenario =
      read_text(small_scenario(), {"noise.stragglers=[{rank: 5, slowdown: 1.2}, {rank: 1, slowdown: 2}]",
                                   "noise.stragglers.1.slowdown=3", "parallel={ring: 8, tensor: 1}"});
  ASSERT_EQ(scenario.noise.stragglers.size(), 2U);
  EXPECT_EQ(scenario.noise.stragglers[0].slowdown, 1.2);
  EXPECT_EQ(scenario.noise.stragglers[1].slowdown, 3.0);
}

TEST(Overrides, UnknownKeysFailAsInTheFile) {
  const auto error = error_of([] { static_cast<void>(read_text(small_scenario(), {"parallel.rign=8"})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "--set parallel.rign");
  EXPECT_EQ(error->hint(), "did you mean ring?");
}

TEST(Overrides, MalformedOnesAreRefused) {
  for (const char* set : {"", "=", "=1", "parallel.ring", "parallel.ring=", "parallel..ring=1", ".=1",
                          "parallel.ring.=1", "parallel.ring.x=1", "noise.stragglers.0.rank=1", "parallel=[",
                          "parallel.ring={a: 1}", "name={a: 1}", "workload.tokens=a: b: c"}) {
    EXPECT_THROW(static_cast<void>(read_text(small_scenario(), {set})), Error) << set;
  }
}

}  // namespace
}  // namespace ringsim::scenarios
