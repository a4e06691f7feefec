// The keys `node` and `fabric` of a cluster: what they mean, which belong to which kind, and what a cluster of the library
// keeps of its own when a scenario writes another kind.
#include "models/job_network.hpp"
#include "models/topology/pcie_box.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

namespace ringsim::scenarios {
namespace {

using testing::error_of;
using testing::read_text;
using testing::resolved;

Scenario with_cluster(const std::string& cluster, const std::vector<std::string>& sets = {}) {
  return read_text(
      "name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\nparallel: {ring: 8}\ncluster: " + cluster + "\n", sets);
}
std::optional<Error> error_with(const std::string& cluster) {
  return error_of([&] { static_cast<void>(with_cluster(cluster)); });
}

TEST(TopologyKeys, DefaultToAnNvswitchAndAFlatSwitch) {
  const Scenario s = with_cluster("dgx-h100");
  EXPECT_EQ(s.cluster.wiring, NodeWiring{});
  EXPECT_TRUE(std::holds_alternative<FlatSwitch>(s.cluster.fabric));
  EXPECT_EQ(resolved(s, "cluster.node.kind")->text, "nvswitch");
  EXPECT_EQ(resolved(s, "cluster.fabric.kind")->origin, "default");
  EXPECT_FALSE(resolved(s, "cluster.node.gpus_per_switch"));  // belongs to another kind: no default either
  EXPECT_FALSE(s.cluster.sources.contains("node"));           // a default has no source
}

TEST(TopologyKeys, PcieIsABoxOfThem) {
  const Scenario s = with_cluster(
      "{use: dgx-h100, nics_per_node: 4, node: {kind: pcie, gpus_per_switch: 4, switches_per_socket: 1, uplink: 64 "
      "GB/s, "
      "socket_link: 40 GB/s, peer_to_peer: false, bridges: [{first: 0, second: 1, bandwidth: 300 GB/s}]}}");
  NodeWiring expected = pcie_box({8, 4, 4, 1, gigabytes_per_second(64), gigabytes_per_second(40), false});
  expected.bridges = {{0, 1, gigabytes_per_second(300)}};
  EXPECT_EQ(s.cluster.wiring, expected);
  // Of one socket nothing else is needed.
  EXPECT_EQ(with_cluster("{use: dgx-h100, node: {kind: pcie, switches_per_socket: 4, uplink: 64 GB/s}}")
                .cluster.wiring.tree.size(),
            5U);
}

TEST(TopologyKeys, ATreeNamesItsVertices) {
  const Scenario s = with_cluster(
      "{use: dgx-h100, nics_per_node: 2, node: {kind: tree, vertices: [{name: s, kind: socket}, {name: b, kind: "
      "host-bridge, parent: s, bandwidth: 50 GB/s}, {name: w, parent: b, bandwidth: 32 GB/s}], gpus: [w, w, w, w, b, "
      "b, 2, "
      "1], nics: [w, s]}}");
  const NodeWiring& w = s.cluster.wiring;
  ASSERT_EQ(w.tree.size(), 3U);
  EXPECT_EQ(w.tree[2], (PcieVertex{"w", VertexKind::pcie_switch, 1, gigabytes_per_second(32)}));
  EXPECT_EQ(w.tree[1].kind, VertexKind::host_bridge);
  EXPECT_EQ(w.gpu_parent, (std::vector<std::int64_t>{2, 2, 2, 2, 1, 1, 2, 1}));
  EXPECT_EQ(w.nic_parent, (std::vector<std::int64_t>{2, 0}));
  EXPECT_FALSE(w.nvswitch);
  EXPECT_TRUE(w.peer_to_peer);
}

TEST(TopologyKeys, FabricsHaveKeysOfTheirOwn) {
  const auto fabric = [](const std::string& keys) {
    return with_cluster("{use: dgx-h100, nodes: 8, fabric: " + keys + "}").cluster.fabric;
  };
  EXPECT_EQ(fabric("fat-tree"), Fabric(FatTree{}));
  FatTree tree;
  tree.levels = 3;
  tree.rails = false;
  tree.nodes_per_leaf = 4;
  tree.oversubscription = 1.5;
  tree.spines = 6;
  tree.groups_per_pod = 2;
  tree.spine_oversubscription = 2;
  tree.cores = 3;
  tree.hash_seed = 7;
  EXPECT_EQ(fabric("{kind: fat-tree, levels: 3, rails: false, nodes_per_leaf: 4, oversubscription: 1.5, spines: 6, "
                   "groups_per_pod: 2, spine_oversubscription: 2, cores: 3, hash_seed: 7}"),
            Fabric(tree));
  EXPECT_EQ(fabric("{kind: torus, dimensions: [4, 16]}"), Fabric(Torus{{4, 16}}));
  EXPECT_EQ(fabric("{kind: dragonfly, local: 200 Gb/s, global: 100 Gb/s, routers_per_group: 2}"),
            Fabric(Dragonfly{1, 2, gigabytes_per_second(25), gigabytes_per_second(12.5)}));
}

TEST(TopologyKeys, ThatBelongToAnotherKindAreRefused) {
  const auto spines = error_with("{use: dgx-h100, fabric: {spines: 4}}");
  ASSERT_TRUE(spines);
  EXPECT_EQ(spines->message(), "cluster.fabric.spines has no place where kind is switch");
  EXPECT_EQ(spines->hint(), "it belongs to kind fat-tree");
  EXPECT_EQ(spines->where(), "test.yaml:5:35");
  EXPECT_EQ(error_with("{use: dgx-h100, fabric: {kind: fat-tree, cores: 4}}")->message(),
            "cluster.fabric.cores has no place where levels is 2");
  EXPECT_EQ(error_with("{use: dgx-h100, node: {kind: nvswitch, peer_to_peer: false}}")->hint(),
            "it belongs to kind pcie or tree");
  EXPECT_EQ(error_with("{use: dgx-h100, fabric: {kind: torus}}")->message(), "cluster.fabric.dimensions is missing");
  EXPECT_EQ(error_with("{use: dgx-h100, fabric: flat}")->hint(), "kind: switch");
  EXPECT_EQ(error_with("{use: dgx-h100, node: {kind: pcie, uplink: 64 GB/s}}")->message(),
            "cluster.node.socket_link: 8 GPUs and 4 a socket make several sockets, and the link between them has no "
            "bandwidth");
}

TEST(TopologyKeys, MistakesOfATopologyStandWhereItIsWritten) {
  const auto torus = error_with("{use: dgx-h100, fabric: {kind: torus, dimensions: [3, 3]}}");
  ASSERT_TRUE(torus);
  EXPECT_EQ(torus->message(), "cluster.fabric.dimensions: a torus of 3 × 3 GPUs, and the cluster has 8");
  EXPECT_EQ(torus->where(), "test.yaml:5:48");
  const auto name = error_with(
      "{use: dgx-h100, node: {kind: tree, vertices: [{name: socket0, kind: socket}], gpus: [socket1, 0, 0, 0, 0, 0, 0, "
      "0]}}");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->message(), "cluster.node.gpus: no vertex is called socket1");
  EXPECT_EQ(name->hint(), "did you mean socket0?");
  // A cluster's file alone.
  const auto alone = error_of([] {
    static_cast<void>(read_cluster_text("use: dgx-h100\nfabric:\n  kind: torus\n  dimensions: [3]\n", "c.yaml"));
  });
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->where(), "c.yaml:4:3");
}

TEST(TopologyKeys, AnotherKindTakesThePlaceOfTheLibrarys) {
  // The box's switches are no part of an NVSwitch; of the same kind single keys are overridden.
  EXPECT_EQ(with_cluster("{use: pcie-box-l20, node: nvswitch}").cluster.wiring, NodeWiring{});
  const Cluster changed =
      with_cluster("{use: pcie-box-l20, node: {gpus_per_switch: 4, switches_per_socket: 1}}").cluster;
  EXPECT_EQ(changed.wiring.tree.size(), 4U);  // two sockets, two switches
  EXPECT_EQ(changed.wiring.tree[0].bandwidth, gigabytes_per_second(22));
  EXPECT_TRUE(std::holds_alternative<FlatSwitch>(with_cluster("{use: tpu-v4-pod, fabric: switch}").cluster.fabric));
  EXPECT_EQ(with_cluster("dgx-h100", {"cluster.fabric={kind: torus, dimensions: [2, 4]}"}).cluster.fabric,
            Fabric(Torus{{2, 4}}));
}

TEST(TopologyKeys, DecideWhatTheRingGets) {
  // Eight ranks of a PCIe box, neighbours first: hops 1, 3, 5 and 7 leave their pair, of which 3 and 7 cross the sockets.
  const Scenario s = with_cluster("pcie-box-l20");
  const JobNetwork job = job_network(s.parallel, s.cluster);
  const std::vector<Reach> expected = {Reach::pix, Reach::node, Reach::pix, Reach::sys,
                                       Reach::pix, Reach::node, Reach::pix, Reach::sys};
  for (std::size_t r = 0; r < 8; ++r) EXPECT_EQ(job.rings[0].hops[r].route.reach, expected[r]) << r;
}

}  // namespace
}  // namespace ringsim::scenarios
