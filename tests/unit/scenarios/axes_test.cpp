// What --set with several values means.
#include "scenarios/axes.hpp"

#include "models/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace ringsim::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> values(const std::string& key, const std::string& text) {
  const SweepAxis axis(key, text);
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < axis.size(); ++i) all.push_back(axis.text(i));
  return all;
}

std::string mistake(const std::vector<std::string>& sets) {
  try {
    static_cast<void>(SweepAxes(sets));
  } catch (const Error& error) {
    return error.where() + ": " + error.message();
  }
  return {};
}

TEST(SweepAxes, CommasSeparateValuesButNotInsideOfBracketsOrQuotes) {
  EXPECT_THAT(values("ring.layout", "zigzag, striped"), ElementsAre("zigzag", "striped"));
  EXPECT_THAT(values("workload.documents", "{lengths: [8Ki, 137]},{lengths: [1Ki]}"),
              ElementsAre("{lengths: [8Ki, 137]}", "{lengths: [1Ki]}"));
  EXPECT_THAT(values("name", "\"a, b\""), ElementsAre("\"a, b\""));
}

TEST(SweepAxes, ARangeMultipliesAddsOrCounts) {
  // 8, 16, 32, 64: the next would be 128, beyond 100.
  EXPECT_THAT(values("parallel.ring", "8..100*2"), ElementsAre("8", "16", "32", "64"));
  EXPECT_THAT(values("cluster.nodes", "1..9+4"), ElementsAre("1", "5", "9"));
  EXPECT_THAT(values("cluster.nodes", "2..4"), ElementsAre("2", "3", "4"));
  EXPECT_THAT(values("workload.tokens", "1Ki,4Ki..16Ki*2"), ElementsAre("1Ki", "4096", "8192", "16384"));
  EXPECT_THAT(values("cluster.nodes", "3..3"), ElementsAre("3"));
}

TEST(SweepAxes, RangesOfQuantitiesKeepTheirUnitsAndDoNotAddUpRounding) {
  // 100 Gb/s are 12.5 GB/s.
  EXPECT_THAT(values("cluster.inter_node.bandwidth", "100 Gb/s..400 Gb/s*2"),
              ElementsAre("12.5 GB/s", "25 GB/s", "50 GB/s"));
  // 3 · 0.1 is 0.30000000000000004 in doubles; nobody writes that.
  EXPECT_THAT(values("parallel.expert_imbalance", "1..1.4+0.1"), ElementsAre("1", "1.1", "1.2", "1.3", "1.4"));
}

TEST(SweepAxes, TheLastAxisVariesFastestAndAllSetsKeepTheirOrder) {
  const SweepAxes axes({"ring.layout=zigzag,striped", "cluster.nodes=2", "parallel.ring=2,4,8"});
  ASSERT_EQ(axes.points(), 6);
  EXPECT_THAT(axes.sets(0), ElementsAre("ring.layout=zigzag", "cluster.nodes=2", "parallel.ring=2"));
  EXPECT_THAT(axes.sets(1), ElementsAre("ring.layout=zigzag", "cluster.nodes=2", "parallel.ring=4"));
  EXPECT_THAT(axes.sets(5), ElementsAre("ring.layout=striped", "cluster.nodes=2", "parallel.ring=8"));
}

TEST(SweepAxes, AThousandMillionPointsAreCountedAndNotListed) {
  // 10^9 lengths would not fit in a list of texts; the last of them is 10^9 itself.
  const SweepAxes axes({"workload.tokens=1..1000000000", "parallel.ring=1,2"});
  EXPECT_EQ(axes.points(), 2'000'000'000);
  EXPECT_THAT(axes.sets(1'999'999'999), ElementsAre("workload.tokens=1000000000", "parallel.ring=2"));
}

TEST(SweepAxes, WhatNeverArrivesOrStandsTwiceIsRefused) {
  EXPECT_THAT(mistake({"parallel.ring=8..64*1"}), HasSubstr("a factor of 1 never arrives"));
  EXPECT_THAT(mistake({"parallel.ring=8..64+0"}), HasSubstr("a step of 0 never arrives"));
  EXPECT_THAT(mistake({"parallel.ring=64..8*2"}), HasSubstr("begins beyond its end"));
  EXPECT_THAT(mistake({"parallel.ring=8..64*1.5"}), HasSubstr("no whole numbers"));
  EXPECT_THAT(mistake({"cluster.inter_node.bandwidth=100 Gb/s..800 Gb/s"}), HasSubstr("apart is not said"));
  EXPECT_THAT(mistake({"cluster.inter_node.bandwidth=100..800 Gb/s*2"}),
              HasSubstr("--set cluster.inter_node.bandwidth"));
  EXPECT_THAT(mistake({"parallel.ring=2,,4"}), HasSubstr("a value is empty"));
  EXPECT_THAT(mistake({"parallel.ring=2,x"}), HasSubstr("parallel.ring"));
  EXPECT_THAT(mistake({"parallel.ring=2,4", "parallel.ring=8"}), HasSubstr("is an axis of the sweep already"));
  EXPECT_THAT(mistake({"parallel.ring=2,4", "parallel={ring: 8}"}), HasSubstr("is an axis of the sweep already"));
}

}  // namespace
}  // namespace ringsim::scenarios
