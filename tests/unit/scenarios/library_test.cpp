#include "scenarios/library.hpp"

#include "scenarios/complete.hpp"
#include "scenarios/embedded.hpp"
#include "scenarios/read_parts.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ringsim::scenarios {
namespace {

using testing::error_of;
using testing::read_text;

TEST(Library, EveryEntryHasADescriptionAndASource) {
  const std::vector<LibraryEntry> entries = library_entries();
  EXPECT_GE(entries.size(), 35U);
  for (const LibraryEntry& entry : entries) {
    EXPECT_FALSE(entry.description.empty()) << entry.name;
    EXPECT_FALSE(entry.source.empty()) << entry.name;
    EXPECT_EQ(entry.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << entry.name;
  }
}

TEST(Library, EveryGpuLoadsAndNoNumberLacksASource) {
  for (const std::string_view name : library_names(LibraryKind::gpu)) {
    Value document = library_document(LibraryKind::gpu, name, {});
    complete(document, gpu_spec(), "gpu");
    const Gpu gpu = read_gpu(document);
    EXPECT_EQ(gpu.name, name);
    for (const char* key : {"bf16", "fp8", "fp32", "fp64", "memory", "memory_bandwidth", "multiprocessors"}) {
      if (document.find(key) == nullptr) continue;
      ASSERT_TRUE(gpu.sources.contains(key)) << name << " " << key;
      EXPECT_FALSE(gpu.sources.at(key).empty()) << name << " " << key;
    }
    if (gpu.default_profile != "datasheet") {
      EXPECT_NO_THROW(static_cast<void>(library_document(LibraryKind::profile, gpu.default_profile, {})));
    }
  }
}

TEST(Library, EveryClusterAndModelLoadsInAScenario) {
  for (const std::string_view name : library_names(LibraryKind::cluster)) {
    const Scenario s = read_text(
        "name: n\nmodel: llama2-7b\nworkload: {tokens: 16Ki, dtype: " + std::string(name == "host" ? "fp32" : "bf16") +
        "}\ncluster: " + std::string(name) + "\n");
    EXPECT_EQ(s.cluster.name, name);
    for (const char* key : {"gpus_per_node", "nics_per_node", "intra_node"})
      EXPECT_TRUE(s.cluster.sources.contains(key)) << name << " " << key;
    EXPECT_EQ(s.cluster.sources.contains("inter_node"), s.cluster.inter_node.has_value()) << name;
    if (s.cluster.wiring != NodeWiring{}) {
      EXPECT_TRUE(s.cluster.sources.contains("node")) << name;
    }
    if (!std::holds_alternative<FlatSwitch>(s.cluster.fabric)) {
      EXPECT_TRUE(s.cluster.sources.contains("fabric")) << name;
    }
  }
  for (const std::string_view name : library_names(LibraryKind::model)) {
    const Scenario s =
        read_text("name: n\nmodel: " + std::string(name) + "\nworkload: {tokens: 16Ki}\ncluster: dgx-h100\n");
    EXPECT_EQ(s.model.name, name);
  }
}

TEST(Library, EveryValueOfAProfileHasASource) {
  for (const std::string_view name : library_names(LibraryKind::profile)) {
    Value document = library_document(LibraryKind::profile, name, {});
    complete(document, profile_spec(), "profile");
    const Profile p = read_profile(document);
    EXPECT_TRUE(p.calibrated);
    for (const std::string& source : {p.forward.saturated.source, p.forward.half_depth.source,
                                      p.backward.saturated.source, p.backward.half_depth.source, p.launch.source,
                                      p.merge_traffic.source, p.merge_bandwidth.source, p.event_latency.source}) {
      EXPECT_FALSE(source.empty()) << name;
    }
    for (const auto& gemm : {p.gemm, p.gemm_fp8}) {
      if (!gemm) continue;
      EXPECT_FALSE(gemm->saturated.source.empty()) << name;
      EXPECT_FALSE(gemm->half_rows.source.empty()) << name;
    }
    if (p.memory_bandwidth) {
      EXPECT_FALSE(p.memory_bandwidth->source.empty()) << name;
    }
    for (const CollectiveCost& cost : p.collectives) {
      EXPECT_FALSE(cost.latency.source.empty()) << name << " " << cost.kind << " " << cost.ranks;
      EXPECT_FALSE(cost.efficiency.source.empty()) << name << " " << cost.kind << " " << cost.ranks;
    }
    for (const auto& [link_class, link] : p.links) {
      EXPECT_FALSE(link.latency.source.empty()) << name << " " << link_class;
      EXPECT_FALSE(link.efficiency.source.empty()) << name << " " << link_class;
    }
  }
}

// Figures that are easy to get wrong, by hand from the published configs and data sheets.
TEST(Library, KnownFigures) {
  const auto scenario_of = [](const std::string& model) {
    return read_text("name: n\nmodel: " + model + "\nworkload: {tokens: 16Ki}\ncluster: dgx-h100\n").model;
  };
  EXPECT_EQ(in_bytes(cache_per_token(scenario_of("llama2-7b"), 2)), 524288.0);
  EXPECT_EQ(in_bytes(cache_per_token(scenario_of("deepseek-v3"), 2)), 61.0 * (512 + 64) * 2);
  EXPECT_NEAR(parameters(scenario_of("llama3-8b")).value() / 1e9, 8.03, 0.02);
  EXPECT_NEAR(parameters(scenario_of("llama3-70b")).value() / 1e9, 70.55, 0.1);
  EXPECT_NEAR(parameters(scenario_of("llama3-405b")).value() / 1e9, 405.8, 0.5);
  EXPECT_NEAR(parameters(scenario_of("llama2-7b")).value() / 1e9, 6.74, 0.02);
  EXPECT_NEAR(parameters(scenario_of("mistral-7b")).value() / 1e9, 7.24, 0.02);
  EXPECT_NEAR(parameters(scenario_of("mixtral-8x7b")).value() / 1e9, 46.7, 0.1);
  EXPECT_NEAR(parameters(scenario_of("qwen3-32b")).value() / 1e9, 32.8, 0.1);
  EXPECT_NEAR(parameters(scenario_of("qwen3-30b-a3b")).value() / 1e9, 30.5, 0.1);
  EXPECT_NEAR(parameters(scenario_of("deepseek-v3")).value() / 1e9, 671.0, 1.0);
  EXPECT_NEAR(parameters(scenario_of("gpt-oss-120b")).value() / 1e9, 116.8, 0.6);
  EXPECT_NEAR(parameters(scenario_of("gemma3-27b")).value() / 1e9, 27.0, 0.2);
  const Transformer gemma = scenario_of("gemma3-27b");
  EXPECT_TRUE(gemma.is_sliding(0));
  EXPECT_FALSE(gemma.is_sliding(5));
  const Transformer oss = scenario_of("gpt-oss-120b");
  EXPECT_TRUE(oss.is_sliding(0));
  EXPECT_FALSE(oss.is_sliding(1));
}

TEST(Library, UnknownNamesGetTheNearestAsAHint) {
  const auto error =
      error_of([] { static_cast<void>(library_document(LibraryKind::model, "llama3-7b", "f.yaml:2:8")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "f.yaml:2:8");
  EXPECT_EQ(error->hint().rfind("did you mean llama", 0), 0U);
}

}  // namespace
}  // namespace ringsim::scenarios
