// Profiles and clusters as files of their own: what is written reads back equal, alone and named by a scenario.

#include "scenarios/format_cluster.hpp"
#include "scenarios/format_profile.hpp"
#include "scenarios/library.hpp"
#include "scenarios/yaml_text.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace ringsim::scenarios {
namespace {

using testing::error_of;
using testing::read_text;
using testing::resolved;
using testing::small_scenario;

/// Numbers without short decimals, texts that YAML would misread.
Profile awkward_profile() {
  Profile p;
  p.name = "host: 2 ranks";
  p.calibrated = true;
  p.gpu = "cpu-core";
  p.forward = {{flop_per_second(1e11 / 3), 0.1, Origin::measured, "fit, \"quick\" #1"},
               {100.0 / 7, 1.0 / 3, Origin::measured, ""},
               {2.0 / 3, 0, Origin::assumed, ""}};
  p.backward = {{flop_per_second(8e10), 0, Origin::vendor, "true"}, {0, 0, Origin::published, "{a: b}"}, {}};
  p.query_tile = 1;
  p.key_tile = 7;
  p.forward.sustained = {2.0 / 3, 0.1, Origin::measured, "all at once"};
  p.forward.blocks = Blocks::split;
  p.backward.blocks = Blocks::keys;
  p.partial_merge_traffic = {10.0 / 3, 0, Origin::assumed, ""};
  p.issue = {microseconds(100.0 / 3), 0.4, Origin::measured, "small blocks"};
  p.launch = {microseconds(0.1), 0.5, Origin::measured, "x"};
  p.merge_traffic = {1.1, 0, Origin::assumed, ""};
  p.merge_bandwidth = {bytes_per_second(1e10 / 3), 0, Origin::measured, ""};
  p.event_latency = {};
  p.links["host-memory"] = {{microseconds(1.0 / 3), 0.2, Origin::measured, "ping-pong"},
                            {0.7, 0.01, Origin::measured, ""},
                            {{bytes(65536), 1.0 / 3}, {bytes(1e6), 0.5}, {bytes(123456789), 2.0 / 3}},
                            Range{4096, 16777216}};
  p.links["other"] = {};
  p.links["other"].efficiency.value = 1;
  p.links["other"].single_flow = {1.0 + 1.0 / 7, 0.1, Origin::measured, ""};
  p.sm_kernel = Interference{{2.0 / 3, 0.1, Origin::measured, "a"}, {1, 0, Origin::assumed, ""}};
  p.sm_kernel->forward = ProgressShares{{1, 0, Origin::assumed, ""}, {1.0 / 7, 0.5, Origin::measured, "b"}};
  p.sm_kernel->backward = ProgressShares{{0.9, 0, Origin::assumed, ""}, {3.0 / 7, 0, Origin::measured, ""}};
  p.copy_engine = Interference{{0.0001, 0, Origin::assumed, ""}, {0.9, 0, Origin::assumed, ""}};
  p.gemm = GemmCost{{flop_per_second(1e12 / 3), 0.1, Origin::measured, "gemm"}, {10.0 / 3, 0, Origin::assumed, ""}};
  p.gemm_fp8 = GemmCost{{flop_per_second(2e12 / 3), 0, Origin::vendor, ""}, {}};
  p.memory_bandwidth = {bytes_per_second(2e10 / 3), 0.2, Origin::published, "triad"};
  p.collectives = {
      {"all-reduce",
       "host-memory",
       2,
       {microseconds(1.0 / 7), 0.3, Origin::measured, "a: b"},
       {1.0 / 3, 0, Origin::assumed, ""}},
      {"all-to-all", "other", 3, {}, {0.5, 0, Origin::assumed, ""}, {{bytes(1e3), 0.1 / 3}, {bytes(1e6), 2.0 / 3}}}};
  p.measured = AttentionRange{{1, 1.5}, {0, 1e9}, {2, 2}, {64, 128}};
  p.made = {{"date", "2026-01-20T10:00:00Z"}, {"machine", "CPU @ 3 GHz (\"fast\")"}, {"ranks", "2"}};
  return p;
}

Cluster awkward_cluster() {
  Cluster c;
  c.name = "my host";
  c.gpu.name = "cpu-core";
  c.gpu.fp32 = flop_per_second(1e11 / 3);
  c.gpu.fp64 = flop_per_second(5e10);
  c.gpu.memory = bytes(2147483648);
  c.gpu.memory_bandwidth = bytes_per_second(1e10 / 7);
  c.gpu.power = watts(200.0 / 3);
  c.gpu.idle_power = watts(0.5);
  c.gpu.default_profile = "datasheet";
  c.gpu.sources = {{"fp32", "GEMM: measured"},     {"fp64", "GEMM"},  {"memory", "free #1"},
                   {"memory_bandwidth", "stream"}, {"power", "RAPL"}, {"idle_power", "RAPL"}};
  c.gpus_per_node = 2;
  c.nics_per_node = 1;
  c.intra_node = {"host-memory", bytes_per_second(1e10 / 3), microseconds(0.3)};
  c.inter_node = {"ethernet", gigabits_per_second(10), {}};
  c.sources = {{"gpus_per_node", "ranks"}, {"nics_per_node", "one"}, {"intra_node", "copy"}, {"inter_node", "guess"}};
  return c;
}

class Folder {
 public:
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.path() / name) << text; }
  [[nodiscard]] Scenario read(const std::string& text, const std::vector<std::string>& sets = {}) const {
    return read_scenario_text(text, "test.yaml", folder_.path().string(), sets);
  }
  [[nodiscard]] std::string path_of(const std::string& name) const { return (folder_.path() / name).string(); }

 private:
  TemporaryFolder folder_;
};

TEST(FormatProfile, ReadsBackEqual) {
  const Profile p = awkward_profile();
  EXPECT_EQ(read_profile_text(format_profile(p), "p.yaml"), p);
  // Every shipped profile too, its name filled in.
  for (const std::string_view name : library_names(LibraryKind::profile)) {
    const Profile shipped = read_text(small_scenario("profile: " + std::string(name) + "\n")).profile;
    EXPECT_EQ(read_profile_text(format_profile(shipped), "p.yaml"), shipped) << name;
  }
}

TEST(PartialProfile, LeavesOutWhatItLeavesOutAndLaysFilesOverEachOther) {
  const Folder files;
  files.write("facts.yaml", "launch: 7 us\nforward: {half_depth: 90}\n");
  // Of a forward pass that is begun what is there is kept, and the pass counts as missing.
  const PartialProfile half = read_partial_profile({files.path_of("facts.yaml")}, "--base");
  EXPECT_EQ(half.profile.forward.half_depth.value, 90);
  EXPECT_NE(std::find(half.left_out.begin(), half.left_out.end(), "forward"), half.left_out.end());
  files.write("launch.yaml", "launch: 7 us\nlinks: {}\n");
  const PartialProfile alone = read_partial_profile({files.path_of("launch.yaml")}, "--base");
  EXPECT_EQ(alone.profile.launch.value, microseconds(7));
  EXPECT_EQ(alone.left_out, (std::vector<std::string>{"gpu", "forward", "backward", "merge_traffic", "merge_bandwidth",
                                                      "event_latency", "contest_for_multiprocessors"}));
  // Over a whole profile only what it says changes, key by key.
  const PartialProfile both = read_partial_profile({"h100-sxm", files.path_of("facts.yaml")}, "--base");
  const Profile shipped = read_text(small_scenario("profile: h100-sxm\n")).profile;
  EXPECT_TRUE(both.left_out.empty());
  EXPECT_EQ(both.profile.launch.value, microseconds(7));
  EXPECT_EQ(both.profile.forward.half_depth.value, 90);
  EXPECT_EQ(both.profile.forward.saturated, shipped.forward.saturated);
  EXPECT_EQ(both.profile.links, shipped.links);
}

TEST(FormatProfile, IsPleasantToRead) {
  Profile p = awkward_profile();
  p.partial_merge_traffic.reset();
  p.issue = {};
  p.forward = p.backward = {{flop_per_second(61e9), 0.05, Origin::measured, "fit"}, {12, 0, Origin::measured, ""}, {}};
  p.links = {{"host-memory",
              {{microseconds(2), 0.1, Origin::measured, ""},
               {0.7, 0, Origin::measured, ""},
               {{bytes(65536), 0.35}},
               Range{4096, 16777216}}}};
  p.launch = {seconds(1e-7), 0.5, Origin::measured, "x"};
  p.sm_kernel.reset();
  p.copy_engine.reset();
  p.measured.reset();
  p.gemm.reset();
  p.gemm_fp8.reset();
  p.memory_bandwidth.reset();
  p.collectives.resize(1);
  p.collectives[0].latency.value = microseconds(2);
  p.collectives[0].efficiency.value = 0.9;
  p.made = {{"ranks", "2"}};
  EXPECT_EQ(format_profile(p, "Made by a calibration.\n\nKeep it."),
            "# Made by a calibration.\n#\n# Keep it.\n"
            "name: \"host: 2 ranks\"\n"
            "gpu: cpu-core\n"
            "forward:\n"
            "  saturated: {value: 61 GFLOP/s, uncertainty: 5%, origin: measured, source: fit}\n"
            "  half_depth: {value: 12, uncertainty: 0%, origin: measured}\n"
            "backward:\n"
            "  saturated: {value: 61 GFLOP/s, uncertainty: 5%, origin: measured, source: fit}\n"
            "  half_depth: {value: 12, uncertainty: 0%, origin: measured}\n"
            "query_tile: 1\n"
            "key_tile: 7\n"
            "launch: {value: 100 ns, uncertainty: 50%, origin: measured, source: x}\n"
            "merge_traffic: {value: 1.1, uncertainty: 0%, origin: assumed}\n"
            "merge_bandwidth: {value: 3.3333333333333335 GB/s, uncertainty: 0%, origin: measured}\n"
            "event_latency: {value: 0 s, uncertainty: 0%, origin: assumed}\n"
            "contest_for_multiprocessors: false\n"
            "links:\n"
            "  host-memory:\n"
            "    latency: {value: 2 us, uncertainty: 10%, origin: measured}\n"
            "    efficiency: {value: 70%, uncertainty: 0%, origin: measured}\n"
            "    by_size:\n"
            "      - {size: 64 KiB, efficiency: 35%}\n"
            "    measured_bytes: {low: 4 KiB, high: 16 MiB}\n"
            "collectives:\n"
            "  - kind: all-reduce\n"
            "    link_class: host-memory\n"
            "    ranks: 2\n"
            "    latency: {value: 2 us, uncertainty: 30%, origin: measured, source: \"a: b\"}\n"
            "    efficiency: {value: 90%, uncertainty: 0%, origin: assumed}\n"
            "made:\n"
            "  ranks: 2\n");
}

TEST(FormatProfile, ServesAsTheProfileOfAScenario) {
  const Folder folder;
  folder.write("p.yaml", format_profile(awkward_profile(), "comment"));
  const Scenario s = folder.read(small_scenario("profile: p.yaml\n"));
  EXPECT_EQ(s.profile, awkward_profile());
  EXPECT_EQ(resolved(s, "profile.made.ranks")->text, "2");
  // A value that the scenario lays over the file's.
  const Scenario changed = folder.read(small_scenario("profile: {use: p.yaml, launch: 3 us}\n"));
  EXPECT_EQ(in_microseconds(changed.profile.launch.value), 3.0);
  EXPECT_EQ(changed.profile.forward, awkward_profile().forward);
}

TEST(FormatProfile, HandsOutNothingThatNobodyCouldRead) {
  const auto message_of = [](const Profile& p) {
    const auto error = error_of([&p] { static_cast<void>(format_profile(p)); });
    return error ? error->message() : "";
  };
  Profile p = awkward_profile();
  p.links["host-memory"].efficiency.value = 1.25;
  EXPECT_EQ(message_of(p),
            "profile.links.host-memory.efficiency.value: 125% is too large: at most 100%, since more than the nominal "
            "value cannot be reached");
  p = awkward_profile();
  p.links["host-memory"].by_size[1].efficiency =
      1;  // 15 times the size of the first knot, three times its share: legal
  p.links["host-memory"].by_size[2].size = bytes(1.1e6);  // at 2/3: 10 % more bytes in 150 % of the time: legal
  EXPECT_EQ(message_of(p), "");
  p.links["host-memory"].by_size[1].efficiency = 0.1;  // so that the last one takes less time
  EXPECT_NE(message_of(p).find("profile.links.host-memory.by_size.2: "), std::string::npos) << message_of(p);
  p = awkward_profile();
  p.launch.source = "two\nlines";
  EXPECT_EQ(message_of(p), "profile.launch.source: the text holds a line break or another control character");
  p = awkward_profile();
  p.backward.half_rows.value = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of(p), "the profile host: 2 ranks holds a value that is not a finite number");
  EXPECT_EQ(message_of(datasheet_profile(awkward_cluster().gpu, Dtype::fp32)),
            "the profile datasheet is not calibrated: it holds a GPU's peaks and no costs");
}

TEST(FormatCluster, ReadsBackEqual) {
  const Cluster c = awkward_cluster();
  EXPECT_EQ(read_cluster_text(format_cluster(c), "c.yaml"), c);
  Cluster least = c;
  least.gpu.fp64.reset();
  least.gpu.sources.erase("fp64");
  least.gpu.multiprocessors = 3;
  least.gpu.sources["multiprocessors"] = "counted";
  least.inter_node.reset();
  least.sources.erase("inter_node");
  EXPECT_EQ(read_cluster_text(format_cluster(least, "comment"), "c.yaml"), least);
  // Every shipped cluster too; where one NIC a GPU was derived, the file says that as the source.
  for (const std::string_view name : library_names(LibraryKind::cluster)) {
    const Cluster shipped = read_cluster_text("use: " + std::string(name) + "\n", "c.yaml");
    EXPECT_EQ(shipped.name, name);
    EXPECT_EQ(read_cluster_text(format_cluster(shipped), "c.yaml"), shipped) << name;
  }
}

TEST(FormatCluster, HandsOutNothingThatNobodyCouldRead) {
  const auto message_of = [](const Cluster& c) {
    const auto error = error_of([&c] { static_cast<void>(format_cluster(c)); });
    return error ? error->message() : "";
  };
  Cluster c = awkward_cluster();
  c.gpu.fp32.reset();
  c.gpu.fp64.reset();
  EXPECT_EQ(message_of(c), "cluster.gpu has none of bf16, fp8, fp32, fp64, and needs one");
  c = awkward_cluster();
  c.intra_node.latency = seconds(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(message_of(c), "the cluster my host holds a value that is not a finite number");
}

TEST(FormatCluster, WritesEveryTopology) {
  Cluster c = awkward_cluster();
  c.nodes = 6;
  c.wiring.nvswitch = false;
  c.wiring.peer_to_peer = false;
  c.wiring.tree = {{"left", VertexKind::socket, -1, bytes_per_second(1e10 / 3)},
                   {"right", VertexKind::socket, -1, bytes_per_second(1e10 / 7)},
                   {"host", VertexKind::host_bridge, 1, gigabytes_per_second(3)},
                   {"pex-8_9", VertexKind::pcie_switch, 2, bytes_per_second(1e9 / 7)}};
  c.wiring.gpu_parent = {0, 3};
  c.wiring.nic_parent = {2};
  c.wiring.bridges = {{1, 0, bytes_per_second(1e11 / 3)}};
  c.sources["node"] = "lspci";
  const auto expect_same = [](const Cluster& cluster) {
    EXPECT_EQ(read_cluster_text(format_cluster(cluster), "c.yaml"), cluster) << format_cluster(cluster);
  };
  expect_same(c);
  c.wiring.nvswitch = true;
  c.wiring.bridges.clear();
  c.wiring.gpu_pcie = bytes_per_second(1e10 / 9);
  c.sources["fabric"] = "switches";
  FatTree tree;
  tree.rails = false;
  tree.nodes_per_leaf = 2;
  tree.oversubscription = 1.0 / 3;
  c.fabric = tree;
  expect_same(c);
  tree.levels = 3;
  tree.spines = 5;
  tree.groups_per_pod = 2;
  tree.spine_oversubscription = 10.0 / 3;
  tree.cores = 2;
  tree.hash_seed = 123456789;
  c.fabric = tree;
  expect_same(c);
  c.fabric = Dragonfly{2, 3, bytes_per_second(1e10 / 3), gigabits_per_second(10)};
  expect_same(c);
  c.wiring = {};
  c.sources.erase("node");
  c.fabric = Torus{{2, 3, 2}};
  expect_same(c);
}

TEST(FormatCluster, WritesTopologiesToBeRead) {
  Cluster c = awkward_cluster();
  c.wiring.nvswitch = false;
  c.wiring.tree = {{"socket0", VertexKind::socket, -1, {}},
                   {"switch0", VertexKind::pcie_switch, 0, gigabytes_per_second(32)}};
  c.wiring.gpu_parent = {1, 1};
  c.fabric = Dragonfly{1, 4, gigabytes_per_second(25), gigabytes_per_second(50)};
  const std::string text = format_cluster(c);
  EXPECT_NE(text.find("node:\n"
                      "  kind: tree\n"
                      "  nvswitch: false\n"
                      "  peer_to_peer: true\n"
                      "  vertices:\n"
                      "    - {name: socket0, kind: socket}\n"
                      "    - {name: switch0, kind: switch, parent: socket0, bandwidth: 32 GB/s}\n"
                      "  gpus: [switch0, switch0]\n"
                      "fabric: {kind: dragonfly, nodes_per_router: 1, routers_per_group: 4, local: 25 GB/s, global: 50 "
                      "GB/s}\n"
                      "sources:\n"),
            std::string::npos)
      << text;
}

TEST(FormatCluster, IsPleasantToRead) {
  Cluster c = read_cluster_text("host", "c.yaml");
  c.gpu.sources = {{"fp32", "measured"}};
  c.sources.clear();
  EXPECT_EQ(format_cluster(c, "This machine."),
            "# This machine.\n"
            "name: host\n"
            "gpu:\n"
            "  name: cpu-core\n"
            "  fp32: 96 GFLOP/s\n"
            "  fp64: 48 GFLOP/s\n"
            "  memory: 2 GB\n"
            "  memory_bandwidth: 12.8 GB/s\n"
            "  default_profile: datasheet\n"
            "  sources:\n"
            "    fp32: measured\n"
            "nodes: 1\n"
            "gpus_per_node: 2\n"
            "nics_per_node: 2\n"
            "intra_node: {class: host-memory, bandwidth: 96 GB/s}\n");
}

TEST(ClusterFiles, ServeAsTheClusterOfAScenarioWithTheirGpuInline) {
  const Folder folder;
  folder.write("c.yaml", format_cluster(awkward_cluster(), "comment"));
  const std::string text = "name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki, dtype: fp32}\nprofile: datasheet\n";
  EXPECT_EQ(folder.read(text + "cluster: ./c.yaml\n").cluster, awkward_cluster());
  const Scenario s = folder.read(text + "cluster: {use: c.yaml, gpus_per_node: 4, gpu: {memory: 3 GB}}\n");
  EXPECT_EQ(s.cluster.gpus_per_node, 4);
  EXPECT_EQ(in_gigabytes(s.cluster.gpu.memory), 3.0);
  EXPECT_EQ(s.cluster.gpu.fp32, awkward_cluster().gpu.fp32);
  EXPECT_EQ(s.cluster.gpu.sources.at("memory"), "test.yaml:5:56");  // not what the file's source speaks of
  EXPECT_EQ(s.cluster.gpu.sources.at("fp32"), "GEMM: measured");
  EXPECT_EQ(resolved(s, "cluster.name")->origin, folder.path_of("c.yaml") + ":2:7");
  EXPECT_EQ(folder.read(text + "cluster: c.yaml\n", {"cluster.gpus_per_node=8"}).cluster.gpus_per_node, 8);
}

TEST(ClusterFiles, AGpuThatTheScenarioNamesTakesThePlaceOfTheFiles) {
  const Folder folder;
  folder.write("c.yaml", format_cluster(awkward_cluster()));
  const Scenario s = folder.read(
      "name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: {use: c.yaml, gpu: a100-sxm}\nprofile: "
      "datasheet\n");
  EXPECT_EQ(s.cluster.gpu.name, "a100-sxm");
  EXPECT_FALSE(s.cluster.gpu.fp32);
  EXPECT_EQ(s.cluster.gpus_per_node, 2);
}

TEST(ClusterFiles, MistakesStandWhereTheyAre) {
  const Folder folder;
  folder.write("c.yaml", "name: c\ngpu: {fp32: 1 GFLOP/s, memory: 1 GB, memory_bandwith: 1 GB/s}\n");
  folder.write("list.yaml", "- a\n");
  const auto error_with = [&folder](const std::string& file) {
    return error_of([&] {
      static_cast<void>(folder.read("name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: " + file + "\n"));
    });
  };
  const auto unknown = error_with("c.yaml");
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->where(), folder.path_of("c.yaml") + ":2:38");
  EXPECT_EQ(unknown->hint(), "did you mean memory_bandwidth?");
  const auto list = error_with("list.yaml");
  ASSERT_TRUE(list);
  EXPECT_EQ(list->where(), folder.path_of("list.yaml") + ":1:1");
  EXPECT_EQ(list->message(), "a cluster is a mapping of keys, not a list");
  const auto none = error_with("none.yaml");
  ASSERT_TRUE(none);
  EXPECT_EQ(none->where(), "test.yaml:4:10");
}

TEST(YamlText, QuotesWhatYamlWouldTakeForSomethingElse) {
  EXPECT_EQ(yaml_text("H100 SXM @ 50%/s"), "H100 SXM @ 50%/s");
  EXPECT_EQ(yaml_text("a: b"), "\"a: b\"");
  EXPECT_EQ(yaml_text("a, b"), "\"a, b\"");
  EXPECT_EQ(yaml_text("a \"b\" \\"), "\"a \\\"b\\\" \\\\\"");
  EXPECT_EQ(yaml_text("null"), "\"null\"");
  EXPECT_EQ(yaml_text(""), "\"\"");
  EXPECT_EQ(yaml_text("- a"), "\"- a\"");
  EXPECT_EQ(yaml_text("a\nb"), "\"a\\x0ab\"");
  EXPECT_EQ(yaml_comment(""), "");
  EXPECT_EQ(yaml_comment("a\n\nb\n"), "# a\n#\n# b\n");
}

}  // namespace
}  // namespace ringsim::scenarios
