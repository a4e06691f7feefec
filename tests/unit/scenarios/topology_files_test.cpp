// Files that say how a machine is wired: NCCL's topology and what nvidia-smi prints.
#include "models/error.hpp"
#include "models/topology/network.hpp"
#include "scenarios/format.hpp"
#include "scenarios/topology_file.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace ringsim::scenarios {
namespace {

using testing::error_of;
using testing::resolved;

const TopologyRates all_rates{gigabytes_per_second(30), gigabytes_per_second(20), gigabytes_per_second(25),
                              gigabytes_per_second(31)};

/// How far two GPUs of a node that is wired so are apart.
Reach reach(const TopologyFile& file, std::int64_t from, std::int64_t to) {
  Cluster c;
  c.gpus_per_node = file.gpus;
  c.nics_per_node = std::max<std::int64_t>(1, file.nics);
  c.intra_node.bandwidth = gigabytes_per_second(31);
  c.wiring = file.wiring;
  return Network(c).route(from, to).reach;
}

std::string pci(const std::string& bus, const std::string& inside, const std::string& speed = "16.0 GT/s PCIe",
                const std::string& width = "16") {
  return "<pci busid=\"" + bus + "\" class=\"0x060400\" link_speed=\"" + speed + "\" link_width=\"" + width + "\">" +
         inside + "</pci>\n";
}
std::string gpu(int device, const std::string& links = {}, int sm = 89) {
  return "<gpu dev=\"" + std::to_string(device) + "\" sm=\"" + std::to_string(sm) + "\" rank=\"0\">" + links + "</gpu>";
}
std::string cpu(const std::string& inside, const std::string& more =
                                               "arch=\"x86_64\" vendor=\"GenuineIntel\" "
                                               "familyid=\"6\" modelid=\"143\"") {
  return "<cpu numaid=\"0\" " + more + ">\n" + inside + "</cpu>\n";
}
std::string xml_system(const std::string& inside) { return "<system version=\"1\">\n" + inside + "</system>\n"; }
const std::string net = "<nic><net name=\"mlx5_0\" dev=\"0\" speed=\"400000\" port=\"1\"/></nic>";

TEST(NcclTopology, ReadsSwitchesAndTheirRates) {
  // Two sockets of Sapphire Rapids (model 143 = 0x8f): 22 GB/s between them. A switch of 16 lanes of 16 GT/s: 16 · 120 / 80
  // = 24 GB/s; of 8 lanes of 32 GT/s: 8 · 240 / 80 = 24; of nothing known: 16 · 60 / 80 = 12.
  const std::string text = xml_system(cpu(pci("0000:10", pci("0000:11", gpu(1)) + pci("0000:12", gpu(0))) +
                                          pci("0000:18", pci("0000:19", net), "32.0 GT/s PCIe", "8")) +
                                      cpu(pci("0000:80", pci("0000:81", gpu(2)), "", "0")));
  const TopologyFile file = read_nccl_topology(text, "t.xml", {});
  EXPECT_EQ(file.gpus, 3);
  EXPECT_EQ(file.nics, 1);
  ASSERT_EQ(file.wiring.tree.size(), 5U);
  EXPECT_EQ(file.wiring.tree[0], (PcieVertex{"socket0", VertexKind::socket, -1, gigabytes_per_second(22)}));
  EXPECT_EQ(file.wiring.tree[1], (PcieVertex{"switch0", VertexKind::pcie_switch, 0, gigabytes_per_second(24)}));
  EXPECT_EQ(file.wiring.tree[2].bandwidth, gigabytes_per_second(24));
  EXPECT_EQ(file.wiring.tree[4], (PcieVertex{"switch2", VertexKind::pcie_switch, 3, gigabytes_per_second(12)}));
  EXPECT_EQ(file.wiring.gpu_parent, (std::vector<std::int64_t>{1, 1, 4}));
  EXPECT_EQ(file.wiring.nic_parent, (std::vector<std::int64_t>{2}));
  EXPECT_FALSE(file.wiring.nvswitch);
  EXPECT_EQ(reach(file, 0, 1), Reach::pix);
  EXPECT_EQ(reach(file, 1, 2), Reach::sys);
  // The scenario's rates go before the file's.
  const TopologyFile other = read_nccl_topology(text, "t.xml", all_rates);
  EXPECT_EQ(other.wiring.tree[0].bandwidth, gigabytes_per_second(20));
  EXPECT_EQ(other.wiring.tree[4].bandwidth, gigabytes_per_second(30));
}

TEST(NcclTopology, KnowsProcessorsByTheirNames) {
  const auto between_sockets = [](const std::string& attributes) {
    const TopologyFile file = read_nccl_topology(xml_system(cpu(pci("0000:10", gpu(0)), attributes)), "t.xml", {});
    return in_gigabytes_per_second(file.wiring.tree[0].bandwidth);
  };
  EXPECT_EQ(between_sockets("arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"79\""), 6);
  EXPECT_EQ(between_sockets("arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"85\""), 10);
  EXPECT_EQ(between_sockets("arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"207\""), 40);
  EXPECT_EQ(between_sockets("arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"175\" modelid=\"17\""), 16);
  EXPECT_EQ(between_sockets("arch=\"arm64\""), 6);
}

TEST(NcclTopology, NvlinkIsAnNvswitchOrBridges) {
  const std::string to_switch = "<nvlink target=\"0000:07:00.0\" count=\"18\" tclass=\"0x068000\"/>";
  const TopologyFile switched =
      read_nccl_topology(xml_system(cpu(pci("0000:10", gpu(0, to_switch, 90), "32.0 GT/s PCIe") +
                                        pci("0000:20", gpu(1, to_switch, 90), "32.0 GT/s PCIe"))),
                         "t.xml", {});
  EXPECT_TRUE(switched.wiring.nvswitch);
  EXPECT_EQ(*switched.wiring.gpu_pcie, gigabytes_per_second(48));  // 16 · 240 / 80: the way to the NICs
  EXPECT_EQ(reach(switched, 0, 1), Reach::nvlink);
  // Four links between two A100: 4 · 20 GB/s, said by both and one bridge all the same.
  const std::string to_20 = "<nvlink target=\"0000:20\" count=\"4\" tclass=\"0x030200\"/>";
  const std::string to_10 = "<nvlink target=\"0000:10\" count=\"4\" tclass=\"0x030200\"/>";
  const TopologyFile bridged =
      read_nccl_topology(xml_system(cpu(pci("0000:10", gpu(0, to_20, 80)) + pci("0000:20", gpu(1, to_10, 80)) +
                                        pci("0000:30", gpu(2, "", 80)))),
                         "t.xml", {});
  EXPECT_EQ(bridged.wiring.bridges, (std::vector<NvlinkBridge>{{0, 1, gigabytes_per_second(80)}}));
  EXPECT_EQ(reach(bridged, 0, 1), Reach::nvlink);
  EXPECT_EQ(reach(bridged, 1, 2), Reach::node);
  // One GPU on the switch and one not.
  const auto error = error_of([&] {
    static_cast<void>(
        read_nccl_topology(xml_system(cpu(pci("0000:10", gpu(0, to_switch)) + pci("0000:20", gpu(1)))), "t.xml", {}));
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message(), "this GPU has no link to an NVSwitch, and others have");
}

TEST(NcclTopology, DamagedFilesAreErrorsWithTheirLines) {
  const auto error_with = [](const std::string& text) {
    const auto error = error_of([&] { static_cast<void>(read_topology_file(text, "t.xml", all_rates)); });
    return error ? error->where() + " " + error->message() : "none";
  };
  EXPECT_EQ(error_with("<graphs/>"), "t.xml:1:1 the document is a graphs, not a system");
  EXPECT_EQ(error_with("<system>\n</system>"), "t.xml:1:1 the system has no cpu");
  EXPECT_EQ(error_with(xml_system(cpu(""))), "t.xml:1:1 the system has no gpu");
  EXPECT_EQ(error_with(xml_system(cpu(pci("0000:10", "<gpu dev=\"x\"/>")))).rfind("t.xml:3:", 0), 0U);
  EXPECT_EQ(error_with("<system>\n<cpu>"), "t.xml:2:1 the element cpu is not closed");
  EXPECT_EQ(error_with(xml_system(cpu(pci("0000:10", gpu(0), "16", "99")))), "t.xml:3:1 a PCIe slot of 99 lanes");
}

const std::string matrix =
    "\t\x1b[4mGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU0\t X \tPIX\tNODE\tSYS\tPXB\t0-51\t0\t\tN/A\n"
    "GPU1\tPIX\t X \tNODE\tSYS\tPXB\t0-51\t0\t\tN/A\n"
    "GPU2\tNODE\tNODE\t X \tSYS\tNODE\t0-51\t0\t\tN/A\n"
    "GPU3\tSYS\tSYS\tSYS\t X \tSYS\t52-103\t1\t\tN/A\n"
    "NIC0\tPXB\tPXB\tNODE\tSYS\t X \t\t\t\t\n\nLegend:\n\n  X    = Self\n  NV#  = whatever\n\nNIC Legend:\n\n  NIC0: "
    "mlx5_0\n";

TEST(TopologyMatrix, MakesTheTreeThatGivesItsClasses) {
  const TopologyFile file = read_topology_file(matrix, "t.txt", all_rates);
  EXPECT_EQ(file.gpus, 4);
  EXPECT_EQ(file.nics, 1);
  const Reach expected[4][4] = {{Reach::nvlink, Reach::pix, Reach::node, Reach::sys},
                                {Reach::pix, Reach::nvlink, Reach::node, Reach::sys},
                                {Reach::node, Reach::node, Reach::nvlink, Reach::sys},
                                {Reach::sys, Reach::sys, Reach::sys, Reach::nvlink}};
  for (std::int64_t a = 0; a < 4; ++a) {
    for (std::int64_t b = 0; b < 4; ++b) {
      if (a == b) continue;
      EXPECT_EQ(reach(file, a, b), expected[a][b]) << a << " " << b;
    }
  }
  // The NIC is PXB from GPU 0: a switch of its own below theirs.
  const std::vector<PcieVertex>& tree = file.wiring.tree;
  const auto at = [&](std::int64_t v) { return tree[static_cast<std::size_t>(v)]; };
  EXPECT_NE(file.wiring.nic_parent[0], file.wiring.gpu_parent[0]);
  EXPECT_EQ(at(file.wiring.nic_parent[0]).parent, at(file.wiring.gpu_parent[0]).parent);
  EXPECT_EQ(at(file.wiring.gpu_parent[0]).bandwidth, gigabytes_per_second(30));
  EXPECT_EQ(tree[0].bandwidth, gigabytes_per_second(20));
}

TEST(TopologyMatrix, TakesOlderFormsToo) {
  // SOC for SYS, the NIC by its name, spaces for tabs, no NUMA columns.
  const TopologyFile file = read_topology_matrix(
      "        GPU0  GPU1  mlx5_0  CPU Affinity\nGPU0     X    SOC   PHB     0-7\nGPU1    SOC    X    SOC     "
      "8-15\nmlx5_0  "
      "PHB   SOC    X\n",
      "t.txt", all_rates);
  EXPECT_EQ(file.gpus, 2);
  EXPECT_EQ(file.nics, 1);
  EXPECT_EQ(reach(file, 0, 1), Reach::sys);
  // A host bridge of its own for the two devices below it; uplinks of both.
  EXPECT_EQ(file.wiring.gpu_parent[0], file.wiring.nic_parent[0]);
  const PcieVertex& bridge = file.wiring.tree[static_cast<std::size_t>(file.wiring.gpu_parent[0])];
  EXPECT_EQ(bridge.kind, VertexKind::host_bridge);
  EXPECT_EQ(bridge.bandwidth, gigabytes_per_second(60));
}

TEST(TopologyMatrix, NvlinkOfAllIsAnNvswitchAndOfSomeBridges) {
  const TopologyFile all =
      read_topology_matrix("GPU0 GPU1 GPU2\nGPU0 X NV18 NV18\nGPU1 NV18 X NV18\nGPU2 NV18 NV18 X\n", "t.txt", {});
  EXPECT_TRUE(all.wiring.nvswitch);
  EXPECT_TRUE(all.wiring.tree.empty());  // no NIC: nobody needs to know where the GPUs hang
  // Two pairs with bridges of 4 links of 25 GB/s, on two sockets: the pairs' PCIe is behind their NVLink, and the affinities
  // tell that they are of one socket.
  const TopologyFile pairs = read_topology_matrix(
      "GPU0 GPU1 GPU2 GPU3 CPU Affinity\nGPU0 X NV4 SYS SYS 0-7 0\nGPU1 NV4 X SYS SYS 0-7 0\nGPU2 SYS SYS X NV4 8-15 "
      "1\n"
      "GPU3 SYS SYS NV4 X 8-15 1\n",
      "t.txt", all_rates);
  EXPECT_EQ(pairs.wiring.bridges,
            (std::vector<NvlinkBridge>{{0, 1, gigabytes_per_second(100)}, {2, 3, gigabytes_per_second(100)}}));
  EXPECT_EQ(reach(pairs, 0, 1), Reach::nvlink);
  EXPECT_EQ(reach(pairs, 1, 2), Reach::sys);
  EXPECT_EQ(std::count_if(pairs.wiring.tree.begin(), pairs.wiring.tree.end(),
                          [](const PcieVertex& v) { return v.kind == VertexKind::socket; }),
            2);
  TopologyRates without = all_rates;
  without.nvlink.reset();
  const auto error = error_of(
      [&] { static_cast<void>(read_topology_matrix("GPU0 GPU1\nGPU0 X NV4\nGPU1 NV4 X\n", "t.txt", without)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "cluster.node.nvlink");
}

TEST(TopologyMatrix, DamagedTextsAreErrorsWithTheirLines) {
  const auto error_with = [](const std::string& text) {
    const auto error = error_of([&] { static_cast<void>(read_topology_file(text, "t.txt", all_rates)); });
    return error ? error->where() + " " + error->message() : "none";
  };
  EXPECT_EQ(error_with("NVIDIA-SMI has failed\n"),
            "t.txt the text holds no line of column names that begins with GPU0");
  EXPECT_EQ(error_with("GPU0 GPU1\nGPU0 X PIX\n"), "t.txt:1 the column GPU1 has no row");
  EXPECT_EQ(error_with("GPU0 GPU1\nGPU0 X\nGPU1 PIX X\n"), "t.txt:2 the row GPU0 has 1 values for 2 devices");
  EXPECT_EQ(error_with("GPU0 GPU1\nGPU0 X PIX\nGPU1 SYS X\n"), "t.txt:3 GPU1 to GPU0 is another class than on line 2");
  EXPECT_EQ(error_with("GPU0 GPU1\nGPU0 X QPI\nGPU1 QPI X\n"), "t.txt:2 QPI is no class of a connection");
  EXPECT_EQ(error_with("GPU0 GPU1\nGPU0 PIX X\nGPU1 X PIX\n"), "t.txt:2 GPU0 to GPU0 is PIX");
  EXPECT_EQ(error_with("GPU0 GPU1\nGPU0 X PIX\nGPU0 X PIX\n"), "t.txt:3 a second row GPU0; the first is line 2");
  // 0 and 1 below one switch, 1 and 2 too, and 0 and 2 on different sockets: no tree.
  EXPECT_EQ(error_with("GPU0 GPU1 GPU2\nGPU0 X PIX SYS\nGPU1 PIX X PIX\nGPU2 SYS PIX X\n"),
            "t.txt:4 GPU0 and GPU2 are farther apart than others that are near to both");
}

class WithFile : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.path() / name) << text; }
  [[nodiscard]] Scenario read(const std::string& cluster) const {
    return read_scenario_text(
        "name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\nparallel: {ring: 4}\nprofile: datasheet\ncluster: " +
            cluster + "\n",
        "test.yaml", folder_.path().string());
  }
  TemporaryFolder folder_;
};
using TopologyReference = WithFile;

TEST_F(TopologyReference, IsReplacedByTheTreeAndReadsBackEqual) {
  write("topo.txt", matrix);
  const Scenario s = read(
      "{gpu: l20, intra_node: {class: pcie4, bandwidth: 31 GB/s}, inter_node: {class: ib, bandwidth: 25 GB/s}, node: "
      "{file: "
      "topo.txt, socket_link: 20 GB/s, peer_to_peer: false}}");
  EXPECT_EQ(s.cluster.gpus_per_node, 4);
  EXPECT_EQ(s.cluster.nics_per_node, 1);
  EXPECT_EQ(resolved(s, "cluster.node.kind")->text, "tree");
  EXPECT_EQ(resolved(s, "cluster.node.kind")->origin, (folder_.path() / "topo.txt").string());
  EXPECT_FALSE(s.cluster.wiring.peer_to_peer);
  // Uplinks nobody spoke of have the bandwidth of a GPU's port.
  EXPECT_EQ(s.cluster.wiring.tree[static_cast<std::size_t>(s.cluster.wiring.gpu_parent[0])].bandwidth,
            gigabytes_per_second(31));
  const Scenario again = read_scenario_text(format_scenario(s), "again.yaml");
  EXPECT_EQ(again.cluster.wiring, s.cluster.wiring);
  EXPECT_EQ(again.hash, s.hash);
}

TEST_F(TopologyReference, GoesBeforeTheLibraryAndNotBeforeTheScenario) {
  write("topo.txt", matrix);
  EXPECT_EQ(read("{use: pcie-box-l20, node: {file: topo.txt, socket_link: 20 GB/s}}").cluster.gpus_per_node, 4);
  const auto error = error_of([&] {
    static_cast<void>(read("{use: pcie-box-l20, gpus_per_node: 8, node: {file: topo.txt, socket_link: 20 GB/s}}"));
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "test.yaml:6:45");
  const auto missing = error_of([&] { static_cast<void>(read("{use: pcie-box-l20, node: {file: no.txt}}")); });
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->where(), "test.yaml:6:43");
  const auto rates = error_of([&] { static_cast<void>(read("{use: pcie-box-l20, node: {file: topo.txt}}")); });
  ASSERT_TRUE(rates);
  EXPECT_EQ(rates->message(),
            "cluster.node.socket_link: the matrix holds no rates, and the link between its sockets needs one");
  const auto both = error_of([&] { static_cast<void>(read("{use: dgx-h100, node: {kind: pcie, file: topo.txt}}")); });
  ASSERT_TRUE(both);
  EXPECT_EQ(both->message(), "cluster.node has a kind, and a file that says what it is");
}

TEST_F(TopologyReference, OfNcclBringsItsOwnRates) {
  write("topo.xml",
        xml_system(cpu(pci("0000:10", pci("0000:11", gpu(0)) + pci("0000:12", gpu(1)))) +
                   cpu(pci("0000:80", pci("0000:81", gpu(2)) + pci("0000:82", gpu(3)) + pci("0000:83", net)))));
  const Scenario s = read("{use: pcie-box-l20, node: {file: topo.xml}}");
  EXPECT_EQ(s.cluster.gpus(), 4);
  Network network(s.cluster);
  const Route route = network.route(1, 2);
  EXPECT_EQ(route.reach, Reach::sys);
  EXPECT_EQ(network.bandwidth(route), gigabytes_per_second(22));
}

}  // namespace
}  // namespace ringsim::scenarios
