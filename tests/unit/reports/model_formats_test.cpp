// JSON and CSV of a whole model, and what a ring of attention must not get of it.

#include "reports/csv_run.hpp"
#include "reports/json_run.hpp"
#include "tests/unit/reports/model_sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <sstream>
#include <string>

namespace ringsim::reports {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json training_object() { return json::parse(render_json(sample::training(), sample::training_scenario())); }
json decode_object() { return json::parse(render_json(sample::decode(), sample::decode_scenario())); }

/// Columns of a CSV whose fields hold no comma.
std::map<std::string, std::string> columns_of(const std::string& csv) {
  std::istringstream text(csv);
  std::string header;
  std::string row;
  std::getline(text, header);
  std::getline(text, row);
  std::istringstream names(header);
  std::istringstream values(row);
  std::map<std::string, std::string> columns;
  std::string value;
  for (std::string name; std::getline(names, name, ',') && std::getline(values, value, ',');) columns[name] = value;
  return columns;
}

TEST(ModelJson, HasTheTimeOfItsPhase) {
  EXPECT_EQ(training_object()["step_time_s"], 10.0);
  EXPECT_TRUE(training_object()["tpot_s"].is_null());
  EXPECT_EQ(decode_object()["tpot_s"], 0.025);
  EXPECT_THAT(decode_object()["tpot_definition"].get<std::string>(), HasSubstr("(end to end - TTFT) / (tokens - 1)"));
  EXPECT_THAT(training_object()["mfu_definition"].get<std::string>(), HasSubstr("backward pass counts twice"));
  EXPECT_TRUE(training_object()["hfu_definition"].is_string());
}

TEST(ModelJson, HasPlanPipelineAndTraffic) {
  const json object = training_object();
  EXPECT_EQ(object["parallel"]["tensor"], 2);
  EXPECT_EQ(object["parallel"]["order"], "tensor-ulysses-ring-pipeline-data");
  EXPECT_EQ(object["ring"]["exchange"], "one-way");
  EXPECT_EQ(object["pipeline"]["micro_batches"], 4);
  EXPECT_DOUBLE_EQ(object["pipeline"]["ideal_bubble"], 0.2);
  EXPECT_EQ(object["pipeline"]["per_stage"][1]["slowest_rank"], 3);
  EXPECT_EQ(object["traffic"].size(), 4U);
  EXPECT_EQ(object["traffic"][1], json({{"name", "all-reduce after attention"},
                                        {"kind", "all-reduce"},
                                        {"group", "tensor"},
                                        {"link_class", "nvlink4"},
                                        {"inter_node", false},
                                        {"times", 256.0},
                                        {"bytes_per_rank", 40e9},
                                        {"time_s", 1.25}}));
  EXPECT_EQ(object["per_rank"][3]["dense_s"], 4.0);
  EXPECT_EQ(object["per_rank"][3]["collective_s"], 2.0);
  EXPECT_EQ(object["per_rank"][3]["stage"], 1);
  EXPECT_EQ(object["energy_joules"], 40000.0);
  // 0.0222 GPU-hours for 65,536 tokens.
  EXPECT_DOUBLE_EQ(object["gpu_hours_per_million_tokens"], 80.0 / 3600.0 * 1e6 / 65536.0);
}

TEST(ModelJson, WhatARunLacksIsNullInstead) {
  const json object = training_object();
  EXPECT_TRUE(object["serving"].is_null());
  EXPECT_TRUE(object["documents"].is_null());
  EXPECT_TRUE(object["active_parameters"].is_null());
  const json decode = decode_object();
  EXPECT_TRUE(decode["pipeline"].is_null());
  sim::Prediction without = sample::decode();
  without.no_b_min = "one query";
  const json minima = json::parse(render_json(without, sample::decode_scenario()))["b_min"];
  EXPECT_TRUE(minima["forward"]["datasheet_tokens"].is_null());
  EXPECT_EQ(minima["note"], "one query");
  EXPECT_EQ(decode["serving"]["requests_that_fit"], 40);
  EXPECT_EQ(decode["serving"]["queues"], true);
  EXPECT_EQ(decode["largest_context_tokens"], 98304.0);
}

TEST(ModelJson, ARingOfAttentionHasNoneOfIt) {
  const json object = json::parse(render_json(sample::prediction(), sample::scenario()));
  for (const char* key : {"parallel", "pipeline", "traffic", "serving", "mfu_definition", "energy_joules"}) {
    EXPECT_FALSE(object.contains(key)) << key;
  }
  EXPECT_FALSE(object["ring"].contains("exchange"));
  EXPECT_FALSE(object["per_rank"][0].contains("dense_s"));
  // Hops are a ring's own traffic.
  sim::Prediction hops = sample::prediction();
  hops.traffic = {{"shift K/V", "hop", "", "nvlink4", false, 6, 1e9, 0.5}};
  EXPECT_FALSE(json::parse(render_json(hops, sample::scenario())).contains("traffic"));
  // One thing beyond it is enough for all.
  Scenario two_level = sample::scenario();
  two_level.ring.exchange = Exchange::two_level;
  const json beyond = json::parse(render_json(sample::prediction(), two_level));
  EXPECT_EQ(beyond["ring"]["exchange"], "two-level");
  EXPECT_TRUE(beyond["traffic"].empty());
  EXPECT_TRUE(beyond["per_rank"][0].contains("dense_s"));
}

TEST(ModelCsv, RunsOfOneKindHaveTheSameColumns) {
  sim::Prediction training = sample::training();
  training.documents = sim::DocumentSummary{100, 13700, 14400, 16, "2 x ring", 1.25};
  const auto columns = columns_of(render_csv(training, sample::training_scenario()));
  EXPECT_EQ(columns.at("step_time_s"), "10");
  EXPECT_EQ(columns.at("collective_s"), "2");
  EXPECT_EQ(columns.at("traffic_intra_node_bytes_per_rank"), "43000000000");
  EXPECT_EQ(columns.at("traffic_inter_node_bytes_per_rank"), "13000000000");
  EXPECT_EQ(columns.at("documents_padded_tokens"), "14400");
  EXPECT_EQ(columns.at("serving_queues"), "");
  const auto of_decode = columns_of(render_csv(sample::decode(), sample::decode_scenario()));
  EXPECT_EQ(of_decode.at("tpot_s"), "0.025");
  EXPECT_EQ(of_decode.at("serving_queues"), "true");
  ASSERT_EQ(of_decode.size(), columns.size());
  for (const auto& [name, value] : columns) EXPECT_TRUE(of_decode.contains(name)) << name;
  const auto of_ring = columns_of(render_csv(sample::prediction(), sample::scenario()));
  EXPECT_FALSE(of_ring.contains("parallel_tensor"));
  EXPECT_TRUE(of_ring.contains("tpot_s"));
}

}  // namespace
}  // namespace ringsim::reports
