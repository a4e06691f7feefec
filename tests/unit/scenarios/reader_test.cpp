#include "scenarios/reader.hpp"

#include "tests/temporary_folder.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

namespace ringsim::scenarios {
namespace {

using testing::error_of;
using testing::read_text;
using testing::resolved;
using testing::small_scenario;

TEST(Reader, AppliesTheDefaultsOfTheLanguage) {
  const Scenario s = read_text("name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: dgx-h100\n");
  EXPECT_EQ(s.workload.phase, Phase::prefill);
  EXPECT_EQ(s.workload.batch, 1);
  EXPECT_TRUE(s.workload.causal);
  EXPECT_EQ(s.workload.dtype, Dtype::bf16);
  EXPECT_EQ(s.parallel.product(), 1);
  EXPECT_EQ(s.parallel.order, all_axes);
  EXPECT_EQ(s.ring.layout, Layout::zigzag);
  EXPECT_EQ(s.ring.travels, Rotation::kv);
  EXPECT_EQ(s.ring.backward, Rotation::kv);
  EXPECT_EQ(s.ring.buffers, 2);
  EXPECT_EQ(s.ring.transfer, TransferEngine::sm_kernel);
  EXPECT_EQ(s.ring.gradient, GradientDtype::fp32);
  EXPECT_EQ(s.profile.name, "h100-sxm");
  EXPECT_TRUE(s.profile.calibrated);
  EXPECT_EQ(s.cluster.nodes, 1);
  EXPECT_TRUE(s.noise.stragglers.empty());
  EXPECT_FALSE(s.price_per_gpu_hour);
  EXPECT_TRUE(s.warnings.empty());
  EXPECT_EQ(resolved(s, "workload.batch")->origin, "default");
  EXPECT_EQ(resolved(s, "workload.tokens")->text, "16384");
  EXPECT_EQ(resolved(s, "workload.tokens")->origin, "test.yaml:3:20");
  EXPECT_EQ(resolved(s, "cluster.gpu.memory")->origin.rfind("library/gpus/h100-sxm.yaml:", 0), 0U);
}

TEST(Reader, ReadsEverythingInline) {
  const Scenario s = read_text(R"(
name: inline
model: {layers: 2, hidden: 64, heads: 4, kv_heads: 2, head_dim: 16, sliding_window: 8, layer_types: [full, sliding]}
workload: {phase: train, tokens: 64, batch: 2, causal: false, dtype: fp16}
cluster:
  name: mine
  gpu: {bf16: 100 TFLOP/s, memory: 10 GB, memory_bandwidth: 1 TB/s}
  nodes: 2
  gpus_per_node: 4
  intra_node: {class: a, bandwidth: 10 GB/s, latency: 1 us}
  inter_node: {class: b, bandwidth: 100 Gb/s}
parallel: {ring: 4, data: 2}
ring: {layout: striped, backward: q, buffers: 3, transfer: copy-engine, gradient_dtype: bf16}
profile:
  gpu: custom
  forward: {saturated: 60 TFLOP/s, half_depth: 100}
  backward: {saturated: {value: 50 TFLOP/s, uncertainty: 10%, origin: measured, source: here}, half_depth: 200}
  launch: 4 us
  merge_traffic: 1
  merge_bandwidth: 900 GB/s
  event_latency: 0 us
  contest_for_multiprocessors: false
  links: {a: {latency: 2 us, efficiency: 0.8}, b: {latency: 9 us, efficiency: 90%}}
noise: {stragglers: [{rank: 3, slowdown: 1.5}]}
price: {gpu_hour: 2.50}
)");
  EXPECT_EQ(s.model.sliding_layer, (std::vector<bool>{false, true}));
  EXPECT_EQ(s.cluster.nics_per_node, 4);
  EXPECT_EQ(in_microseconds(*s.cluster.intra_node.latency), 1.0);
  EXPECT_EQ(s.cluster.gpu.sources.at("memory"), "test.yaml:7:36");
  EXPECT_EQ(s.profile.backward.saturated.origin, Origin::measured);
  EXPECT_EQ(s.profile.backward.saturated.relative_uncertainty, 0.1);
  EXPECT_EQ(s.profile.backward.saturated.source, "here");
  EXPECT_EQ(s.profile.query_tile, 128);
  EXPECT_FALSE(s.profile.multiprocessors);
  EXPECT_EQ(s.profile.links.at("b").efficiency.value, 0.9);
  EXPECT_EQ(s.noise.stragglers.at(0).rank, 3);
  EXPECT_EQ(s.price_per_gpu_hour, 2.5);
  EXPECT_EQ(resolved(s, "cluster.nics_per_node")->origin, "derived: one a GPU");
  EXPECT_EQ(resolved(s, "model.layer_types")->text, "[full, sliding]");
  EXPECT_EQ(resolved(s, "noise.stragglers.0.rank")->text, "3");
}

TEST(Reader, AGpuWithoutCalibratedProfileWarns) {
  const Scenario s = read_text("name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: mi300x-node\n");
  EXPECT_FALSE(s.profile.calibrated);
  ASSERT_EQ(s.warnings.size(), 1U);
  EXPECT_NE(s.warnings[0].find("no calibrated profile ships for the GPU mi300x"), std::string::npos);
}

TEST(Reader, AProfileOfAnotherGpuIsLeftToThePrediction) {
  const Scenario s =
      read_text("name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: dgx-a100\nprofile: h100-sxm\n");
  EXPECT_TRUE(s.warnings.empty());  // sim::warnings_of says it
}

TEST(Reader, AStragglerThatIsListedTwiceIsRefusedAtTheSecond) {
  const auto error = error_of([] {
    static_cast<void>(read_text(
        small_scenario("noise:\n  stragglers:\n  - {rank: 1, slowdown: 2}\n  - {rank: 2, slowdown: 2}\n  - {rank: 1, "
                       "slowdown: 3}\n")));
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "test.yaml:10:12");
  EXPECT_NE(error->message().find("rank 1 stands here a second time"), std::string::npos);
}

TEST(Reader, ValuesThatNoMachineHasAreRefusedWithWhatIsLegal) {
  const std::vector<std::pair<const char*, const char*>> wrong = {
      {"profile.forward.half_depth.value=1e308", "0 to 1,000,000,000"},
      {"profile.backward.half_depth.value=1e308", "0 to 1,000,000,000"},
      {"profile.merge_traffic.value=1e308", "0 to 1,000"},
      {"profile.links.nvlink4.efficiency.value=1e-320", "0.01% to 100%"},
      {"profile.links.nvlink4.efficiency.value=0", "0.01% to 100%"},
      {"profile.links.nvlink4.latency.value=1e300 s", "0 s to 3600 s"},
      {"profile.launch.uncertainty=100%", "0% to 99%"},
      {"profile.launch.value=2 h", "0 s to 3600 s"},
      {"profile.merge_bandwidth.value=1e300 GB/s", "1 B/s to 1000000 TB/s"},
      {"profile.forward.saturated.value=1e-300 FLOP/s", "1 MFLOP/s to 1000 EFLOP/s"},
      {"cluster.gpu.bf16=1e300 FLOP/s", "1 MFLOP/s to 1000 EFLOP/s"},
      {"cluster.gpu.memory=1e300 B", "1 B to 1000000 TB"},
      {"cluster.gpu.memory_bandwidth=1e-300 B/s", "1 B/s to 1000000 TB/s"},
      {"cluster.intra_node.bandwidth=1e-300 B/s", "1 B/s to 1000000 TB/s"},
      {"cluster.inter_node.latency=1e300 s", "0 s to 3600 s"},
      {"cluster.gpus_per_node=200000", "1 to 100,000"},
      {"price.gpu_hour=1e308", "0 to 1,000,000,000"},
  };
  for (const auto& [set, range] : wrong) {
    const auto error =
        error_of([set = set] { static_cast<void>(read_text(small_scenario("profile: h100-sxm\n"), {set})); });
    ASSERT_TRUE(error) << set;
    EXPECT_NE(error->hint().find(range), std::string::npos) << set << ": " << error->hint();
  }
}

TEST(Reader, DevicesAreNotRead) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  const auto error = error_of([] { static_cast<void>(read_scenario("/dev/zero")); });
  ASSERT_TRUE(error);
  EXPECT_NE(error->message().find("only files and pipes"), std::string::npos);
}

TEST(Reader, ReadingStopsAtTheLargestLegalSize) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "large.yaml";
  std::ofstream(file) << "name: x\n";
  std::filesystem::resize_file(file, std::uintmax_t{1} << 36);  // 64 GiB of holes: reading all of it would not end well
  const auto error = error_of([&] { static_cast<void>(read_scenario(file.string())); });
  ASSERT_TRUE(error);
  EXPECT_NE(error->message().find("longer than 4 MiB"), std::string::npos);
}

TEST(Reader, ErrorsOfTheModelsPointAtTheKey) {
  const auto error = error_of(
      [] { static_cast<void>(read_text(small_scenario("ring: {layout: zigzag}\n"), {"workload.tokens=16385"})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "--set workload.tokens");
  const auto heads = error_of([] {
    static_cast<void>(
        read_text("name: n\nmodel: {use: llama3-8b, kv_heads: 5}\nworkload: {tokens: 16Ki}\ncluster: dgx-h100\n"));
  });
  ASSERT_TRUE(heads);
  EXPECT_EQ(heads->where(), "test.yaml:2:25");
}

TEST(Reader, FilesAreFoundBesideTheScenario) {
  const TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  std::filesystem::create_directories(folder / "llama");
  std::ofstream(folder / "llama/config.json")
      << R"({"model_type":"llama","hidden_size":4096,"num_hidden_layers":3,"num_attention_heads":32})";
  std::ofstream(folder / "scenario.yaml") << "name: n\nmodel: {hf_config: llama/config.json, vocabulary: "
                                             "100}\nworkload: {tokens: 16Ki}\ncluster: dgx-h100\n";
  const Scenario s = read_scenario((folder / "scenario.yaml").string());
  EXPECT_EQ(s.model.layers, 3);
  EXPECT_EQ(s.model.vocabulary, 100);
  EXPECT_EQ(s.model.name, "llama");
  EXPECT_EQ(resolved(s, "model.layers")->origin, (folder / "llama/config.json").string() + ": num_hidden_layers");
  EXPECT_EQ(resolved(s, "model.head_dim")->origin, "derived: hidden / heads");
  EXPECT_THROW(static_cast<void>(read_scenario((folder / "none.yaml").string())), Error);
  EXPECT_THROW(static_cast<void>(read_scenario(folder.string())), Error);
}

TEST(Reader, AProfileMayBeAFileBesideTheScenario) {
  const TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  std::ofstream(folder / "mine.yaml")
      << "name: mine\ngpu: h100-sxm\nforward: {saturated: 600 TFLOP/s, half_depth: 1}\n"
         "backward: {saturated: 500 TFLOP/s, half_depth: 2}\nlaunch: 1 us\nmerge_traffic: 0\n"
         "merge_bandwidth: 1 TB/s\nevent_latency: 0 s\ncontest_for_multiprocessors: false\n"
         "links: {nvlink4: {latency: 1 us, efficiency: 0.5}}\n";
  const Scenario s =
      read_scenario_text(small_scenario("profile: mine.yaml\n"), "test.yaml", folder.string(), {"profile.launch=2 us"});
  EXPECT_EQ(s.profile.name, "mine");
  EXPECT_EQ(in_teraflop_per_second(s.profile.forward.saturated.value), 600.0);
  EXPECT_EQ(in_microseconds(s.profile.launch.value), 2.0);
  EXPECT_EQ(resolved(s, "profile.gpu")->origin, (folder / "mine.yaml").string() + ":2:6");
  EXPECT_TRUE(s.warnings.empty());
}

TEST(Reader, SourcesOfOverriddenNumbersAreTheScenario) {
  const Scenario s = read_text(small_scenario(), {"cluster.inter_node.bandwidth=200 Gb/s", "cluster.gpu.memory=96 GB"});
  EXPECT_EQ(s.cluster.sources.at("inter_node"), "--set cluster.inter_node.bandwidth");
  EXPECT_EQ(s.cluster.gpu.sources.at("memory"), "--set cluster.gpu.memory");
  EXPECT_NE(s.cluster.gpu.sources.at("bf16").find("ml-engineering"), std::string::npos);
}

TEST(Reader, TheHashSeesEveryValueAndNothingElse) {
  const Scenario s = read_text(small_scenario());
  EXPECT_EQ(s.hash.size(), 16U);
  EXPECT_EQ(s.hash, read_text("# a comment\n" + small_scenario("ring: {buffers: 2}\n")).hash);
  EXPECT_NE(s.hash, read_text(small_scenario("ring: {buffers: 3}\n")).hash);
}

TEST(Reader, NoTextMakesItThrowAnythingButError) {
  const std::string good = small_scenario("profile: h100-sxm\nnoise: {stragglers: [{rank: 1, slowdown: 2}]}\n");
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    static_cast<void>(error_of([&] { static_cast<void>(read_text(good.substr(0, cut))); }));
    for (const char c : {'{', ']', ':', '\t', '%', '&', '\0'}) {
      std::string changed = good;
      changed[cut] = c;
      static_cast<void>(error_of([&] { static_cast<void>(read_text(changed)); }));
    }
  }
}

}  // namespace
}  // namespace ringsim::scenarios
