// The published measurements that ship with the program: every row of every set is a scenario, and none was lost.
#include "scenarios/published.hpp"

#include "calibrate/suite/rows.hpp"
#include "models/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ringsim::scenarios {
namespace {

using ::testing::HasSubstr;

TEST(Published, EveryRowIsAScenarioAndNoneIsLost) {
  ASSERT_GE(published_names().size(), 8U);
  for (const std::string_view name : published_names()) {
    const PublishedSource source = read_published(name);
    const auto rows = calibrate::read_suite_rows(source.rows_file, source.rows);
    EXPECT_NO_THROW(calibrate::check_all_rows(source.about, rows, source.rows_file)) << name;
    for (const calibrate::SuiteRow& row : rows) {
      EXPECT_NO_THROW((void)published_scenario(source, row.id, row.sets)) << row.place;
    }
  }
}

const std::string description =
    "title: t\n"
    "source: s\n"
    "method: m\n"
    "fitted: none\n"
    "microbenchmarks: b\n"
    "rows_of_source: 1\n"
    "target: {median: 5%, winners: 12}\n"
    "left_out: [{rows: some, count: 2, why: because}]\n";
const std::string scenario =
    "scenario:\n"
    "  model: {layers: 1, hidden: 128, heads: 1, kv_heads: 1, head_dim: 128}\n"
    "  workload: {tokens: 1024}\n"
    "  cluster: dgx-h100\n"
    "  parallel: {ring: 8}\n";

TEST(Published, ADescriptionIsReadWhole) {
  const PublishedSource source = read_published_text("set", description + scenario, "set.yaml", "");
  EXPECT_EQ(source.about.name, "set");
  EXPECT_DOUBLE_EQ(source.about.target.median.value(), 0.05);
  EXPECT_EQ(source.about.target.winners, 12);
  EXPECT_FALSE(source.about.target.p90);
  ASSERT_EQ(source.about.left_out.size(), 1U);
  EXPECT_EQ(source.about.left_out.front().count, 2);
  const Scenario read = published_scenario(source, "a row", {"workload.tokens=4096"});
  EXPECT_EQ(read.workload.tokens, 4096);
  EXPECT_EQ(read.name, "a row");
}

TEST(Published, WhatADescriptionLacksOrHasTooMuchIsNamed) {
  try {
    (void)read_published_text("set", description + "sorce: s\n" + scenario, "set.yaml", "");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "set.yaml:9:1");
    EXPECT_THAT(error.hint(), HasSubstr("source"));
  }
  try {
    (void)read_published_text("set", description, "set.yaml", "");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("scenario"));
  }
  EXPECT_THROW((void)read_published("meta-t44"), Error);
}

}  // namespace
}  // namespace ringsim::scenarios
