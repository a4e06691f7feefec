// JSON and CSV: the keys of the contract, exact numbers, and quoting.

#include "reports/b_min_report.hpp"
#include "reports/csv.hpp"
#include "reports/csv_run.hpp"
#include "reports/extremes.hpp"
#include "reports/json_run.hpp"
#include "reports/library_report.hpp"
#include "reports/show_report.hpp"
#include "tests/unit/reports/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace ringsim::reports {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

json object_of(const sim::Prediction& p) { return json::parse(render_json(p, sample::scenario())); }

/// A column of the CSV of a run without warnings: no field holds a comma.
std::string csv_field(sim::Prediction p, const std::string& name) {
  p.warnings.clear();
  std::istringstream text(render_csv(p, sample::scenario()));
  std::string header;
  std::string row;
  std::getline(text, header);
  std::getline(text, row);
  std::istringstream names(header);
  std::istringstream values(row);
  std::string value;
  for (std::string column; std::getline(names, column, ',') && std::getline(values, value, ',');) {
    if (column == name) return value;
  }
  return "no such column";
}

TEST(JsonRun, HasEveryKeyOfTheContract) {
  const json object = object_of(sample::prediction());
  for (const char* pointer : {"/schema_version",
                              "/ringsim_version",
                              "/scenario/name",
                              "/scenario/hash",
                              "/engine",
                              "/seed",
                              "/profile/name",
                              "/profile/calibrated",
                              "/scope",
                              "/phase",
                              "/ranks",
                              "/idle_gpus",
                              "/ring/size",
                              "/ring/layout",
                              "/ring/travels",
                              "/ring/buffers",
                              "/ring/transfer",
                              "/tokens/total",
                              "/tokens/per_rank",
                              "/makespan_s",
                              "/compute_s",
                              "/exposed_communication_s",
                              "/bubble_s",
                              "/overlap",
                              "/ring_efficiency",
                              "/mfu",
                              "/tokens_per_s",
                              "/gpu_hours",
                              "/cost",
                              "/ttft_s",
                              "/tpot_s",
                              "/step_time_s",
                              "/b_min/forward/datasheet_tokens",
                              "/b_min/forward/calibrated_tokens",
                              "/b_min/forward/simulated_tokens",
                              "/b_min/backward/datasheet_tokens",
                              "/b_min/backward/calibrated_tokens",
                              "/b_min/backward/simulated_tokens",
                              "/b_min/deciding_hop",
                              "/memory/total_bytes",
                              "/memory/capacity_bytes",
                              "/memory/fits",
                              "/memory/terms/kv_cache",
                              "/per_rank/0/rank",
                              "/per_rank/0/compute_s",
                              "/per_rank/0/exposed_communication_s",
                              "/per_rank/0/bubble_s",
                              "/per_rank/0/end_s",
                              "/bottleneck/kind",
                              "/bottleneck/name",
                              "/bottleneck/share",
                              "/warnings",
                              "/uncertainty/makespan_low_s",
                              "/uncertainty/makespan_high_s"}) {
    EXPECT_TRUE(object.contains(json::json_pointer(pointer))) << pointer;
  }
  EXPECT_EQ(object["schema_version"], 1);
}

TEST(JsonRun, NumbersReadBackAsTheSameDouble) {
  sim::Prediction p = sample::prediction();
  p.makespan_s = 0.1 + 0.2;
  const json object = object_of(p);
  EXPECT_EQ(object["makespan_s"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(object["b_min"]["forward"]["datasheet_tokens"].get<double>(), 989e12 / 450e9);
}

TEST(JsonRun, TimesOfTheListedRanksAddUp) {
  const json object = object_of(sample::prediction());
  for (const json& rank : object["per_rank"]) {
    EXPECT_EQ(rank["compute_s"].get<double>() + rank["exposed_communication_s"].get<double>() +
                  rank["bubble_s"].get<double>(),
              20.0);
  }
}

TEST(JsonRun, WhatARunDoesNotHaveIsNull) {
  sim::Prediction p = sample::prediction();
  p.cost.reset();
  p.overlap.reset();
  p.deciding_hop.reset();
  p.makespan_low_s.reset();
  const json object = object_of(p);
  EXPECT_TRUE(object["cost"].is_null());
  EXPECT_TRUE(object["overlap"].is_null());
  EXPECT_TRUE(object["ttft_s"].is_null());
  EXPECT_TRUE(object["b_min"]["deciding_hop"].is_null());
  EXPECT_TRUE(object["b_min"]["forward"]["simulated_tokens"].is_null());
  EXPECT_TRUE(object["uncertainty"]["makespan_low_s"].is_null());
}

TEST(JsonRun, ListsAllOf64RanksAndTheExtremesOfMore) {
  sim::Prediction p = sample::prediction();
  while (p.per_rank.size() < 64)
    p.per_rank.push_back(sample::rank(static_cast<std::int64_t>(p.per_rank.size()), 16, 2, 2));
  EXPECT_EQ(object_of(p)["per_rank"].size(), 64U);
  p.per_rank.push_back(sample::rank(64, 16, 2, 2));
  const json object = object_of(p);
  std::vector<int> ranks;
  for (const json& rank : object["per_rank"]) ranks.push_back(rank["rank"]);
  // 0 the first, 2 ends first and has the largest bubble, 3 the slowest and most exposed, 64 the last.
  EXPECT_EQ(ranks, (std::vector<int>{0, 2, 3, 64}));
  EXPECT_EQ(object["per_rank_listed"], "extremes");
}

TEST(JsonRun, BytesThatAreNoUtf8DoNotBreakTheOutput) {
  sim::Prediction p = sample::prediction();
  p.scenario_name = "a\xFF";
  EXPECT_EQ(object_of(p)["scenario"]["name"], "a\xEF\xBF\xBD");
}

TEST(JsonRun, SaysWhetherTheMakespanIsABound) {
  sim::Prediction p = sample::prediction();
  EXPECT_EQ(object_of(p)["makespan_is_bound"], false);
  p.makespan_is_bound = true;
  EXPECT_EQ(object_of(p)["makespan_is_bound"], true);
  EXPECT_EQ(csv_field(p, "makespan_is_bound"), "true");
}

TEST(JsonRun, MemoryFitsIsOpenWhileNotAllIsCounted) {
  sim::Prediction p = sample::prediction();
  EXPECT_EQ(object_of(p)["memory"]["fits"], true);
  EXPECT_TRUE(object_of(p)["memory"]["missing"].empty());
  p.memory.missing = {"weights"};
  EXPECT_TRUE(object_of(p)["memory"]["fits"].is_null());
  EXPECT_EQ(object_of(p)["memory"]["missing"][0], "weights");
  EXPECT_EQ(csv_field(p, "memory_fits"), "");
  p.memory.total = gigabytes(96);
  EXPECT_EQ(object_of(p)["memory"]["fits"], false);
  EXPECT_EQ(csv_field(p, "memory_fits"), "false");
}

TEST(JsonRun, HasBothUtilisationsAndTheNote) {
  sim::Prediction p = sample::prediction();
  p.hfu = 0.75;
  EXPECT_TRUE(object_of(p)["b_min"]["note"].is_null());
  p.b_min_note = "of the full layers";
  EXPECT_EQ(object_of(p)["hfu"], 0.75);
  EXPECT_EQ(csv_field(p, "hfu"), "0.75");
  EXPECT_EQ(object_of(p)["b_min"]["note"], "of the full layers");
}

TEST(Extremes, AUniformRingHasNoFastestRank) {
  sim::Prediction p = sample::prediction();
  p.per_rank.assign(3, sample::rank(0, 16, 3, 1));
  for (std::size_t i = 0; i < 3; ++i) p.per_rank[i].rank = static_cast<std::int64_t>(i);
  p.slowest_rank = 0;
  EXPECT_EQ(listed_ranks(p.per_rank, p.slowest_rank, 8)[0].why, "slowest");
  EXPECT_EQ(listed_ranks(p.per_rank, p.slowest_rank, 8)[1].why, "");
}

TEST(Csv, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_quoted("plain"), "plain");
  EXPECT_EQ(csv_quoted("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_quoted("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_quoted("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_line({"a", "b,c", ""}), "a,\"b,c\",\r\n");
}

TEST(CsvRun, IsOneHeaderAndOneRowOfEqualLength) {
  sim::Prediction p = sample::prediction();
  p.warnings.clear();
  const std::string text = render_csv(p, sample::scenario());
  ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  const std::size_t end = text.find("\r\n");
  EXPECT_EQ(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), ','),
            std::count(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), ','));
  EXPECT_THAT(text, AllOf(HasSubstr("makespan_s,"), HasSubstr("memory_total_bytes,"), HasSubstr("2197.777777777778")));
}

TEST(CsvRun, WarningsStayOneField) {
  EXPECT_THAT(render_csv(sample::prediction(), sample::scenario()),
              HasSubstr("\"first warning; second, with a comma\""));
}

TEST(BlockMinimumReport, AllFormatsCarryTheTableOverLayouts) {
  const sim::Prediction p = sample::prediction();
  const Scenario scenario = sample::scenario();
  const std::vector<sim::LayoutMinima> layouts = {
      {Layout::contiguous, true, {1098.9, 1200.0, "", {}, ""}, {659.3, 700.0, "", {}, ""}},
      {Layout::zigzag, true, {2197.8, 2500.0, "", {}, ""}, {1318.6, {}, "why", {}, ""}}};
  const BlockMinimumReport report{p, scenario, layouts};
  const json object = json::parse(render_b_min_json(report));
  EXPECT_EQ(object["layouts"].size(), 2U);
  EXPECT_EQ(object["layouts"][0]["layout"], "contiguous");
  EXPECT_TRUE(object["layouts"][1]["backward"]["calibrated_tokens"].is_null());
  EXPECT_EQ(object["layouts"][1]["backward"]["calibrated_reason"], "why");
  EXPECT_TRUE(object["b_min"]["backward"].contains("datasheet_tokens"));

  const std::string csv = render_b_min_csv(report);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 + 4);
  EXPECT_THAT(render_b_min_text(report, Style{}),
              AllOf(HasSubstr("backward"), HasSubstr("this scenario"), HasSubstr("1,098.9"), HasSubstr("4,096")));
  EXPECT_THAT(render_b_min_markdown(report), HasSubstr("| contiguous | causal |"));
}

TEST(BlockMinimumReport, TheHeadlineOfTrainingIsOfThePassThatNeedsTheLargerBlock) {
  sim::Prediction p = sample::prediction();
  Scenario scenario = sample::scenario();
  const auto headline = [&] {
    const std::string text = render_b_min_text({p, scenario, {}}, Style{});
    return text.substr(0, text.find("\n\n"));
  };
  p.b_min_forward.simulated_tokens = 2600;
  p.b_min_backward.simulated_tokens = 7000;
  EXPECT_THAT(headline(), HasSubstr("from 2,600.0 tokens a rank on (simulated, forward)"));
  scenario.workload.phase = Phase::train;
  EXPECT_THAT(headline(), HasSubstr("from 7,000.0 tokens a rank on (simulated, backward)"));
  p.b_min_backward.simulated_tokens = 100;
  EXPECT_THAT(headline(), HasSubstr("from 2,600.0 tokens a rank on (simulated, forward)"));
  p.b_min_backward.simulated_tokens.reset();
  p.b_min_backward.simulated_reason = "its latency";
  EXPECT_THAT(headline(), HasSubstr("no block hides a hop (simulated, backward)"));
}

TEST(ShowReport, MachinesGetKeyValueOrigin) {
  const json list = json::parse(render_show_json(sample::scenario()));
  EXPECT_EQ(list[1], json({{"key", "model.layers"}, {"value", "2"}, {"origin", "four.yaml:2:10"}}));
  EXPECT_THAT(render_show_csv(sample::scenario()),
              HasSubstr("model.layer_types,\"[full, sliding]\",four.yaml:2:20\r\n"));
  EXPECT_THAT(render_show_markdown(sample::scenario()), HasSubstr("450 GB/s"));
}

TEST(LibraryReport, GroupsByKind) {
  const std::vector<LibraryRow> rows = {{"gpus", "h100-sxm", "a GPU", "vendor"},
                                        {"models", "llama3-70b", "a model", "paper"}};
  const json object = json::parse(render_library_json(rows));
  EXPECT_EQ(object["gpus"][0]["name"], "h100-sxm");
  EXPECT_EQ(object["models"][0]["source"], "paper");
  EXPECT_THAT(render_library_text(rows, Style{}),
              AllOf(HasSubstr("GPUs\n"), HasSubstr("\nModels\n"), HasSubstr("llama3-70b")));
  EXPECT_THAT(render_library_csv(rows), HasSubstr("models,llama3-70b,a model,paper\r\n"));
}

}  // namespace
}  // namespace ringsim::reports
