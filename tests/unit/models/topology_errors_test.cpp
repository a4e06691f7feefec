// Descriptions that fit no cluster, and names that no link has.
#include "models/topology/describe.hpp"
#include "models/topology/link_names.hpp"
#include "tests/unit/models/topology_support.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

using topology::box;
using topology::error_of;
using topology::error_of_cluster;
using topology::plan;

void expect_error(const Cluster& cluster, const std::string& where, const std::string& message) {
  const auto error = error_of_cluster(cluster);
  ASSERT_TRUE(error) << message;
  EXPECT_EQ(error->where(), where);
  EXPECT_EQ(error->message(), message);
  EXPECT_NE(error->hint(), "");
}

TEST(TopologyErrors, NameTheKeyOfTheNode) {
  Cluster c = box();
  c.wiring.gpu_parent.pop_back();
  expect_error(c, "cluster.node.gpus", "the node has 8 GPUs, the tree holds 7");
  c = box();
  c.wiring.nic_parent = {9};
  expect_error(c, "cluster.node.nics", "the tree has no vertex 9");
  c = box();
  c.wiring.tree[3].parent = -1;
  expect_error(c, "cluster.node.vertices", "the switch switch1 has no parent");
  c = box();
  c.wiring.tree[2].parent = 4;
  expect_error(c, "cluster.node.vertices", "switch0 stands before its parent");
  c = box();
  c.wiring.tree[3].name = "switch0";
  expect_error(c, "cluster.node.vertices", "two vertices are called switch0");
  c = box();
  c.wiring.tree[3].name = "gpu1";
  expect_error(c, "cluster.node.vertices", "a vertex cannot be called gpu1: that is a number or a device");
  c = box();
  c.wiring.tree[0].bandwidth = {};
  expect_error(c, "cluster.node.vertices", "socket0 has no bandwidth");
  c = box();
  c.wiring.bridges = {{0, 1, gigabytes_per_second(50)}, {1, 0, gigabytes_per_second(50)}};
  expect_error(c, "cluster.node.bridges", "two bridges between GPU 0 and GPU 1");
  c = box();
  c.wiring = {};
  c.wiring.nvswitch = false;
  expect_error(c, "cluster.node", "there are GPUs in a node that nothing connects");
}

TEST(TopologyErrors, NameTheKeyOfTheFabric) {
  Cluster c = shapes::dgx_h100(2);
  c.fabric = Torus{{4, 3}};
  expect_error(c, "cluster.fabric.dimensions", "a torus of 4 × 3 GPUs, and the cluster has 16");
  FatTree tree;
  tree.levels = 4;
  c.fabric = tree;
  expect_error(c, "cluster.fabric.levels", "a fat tree of 4 levels");
  c.fabric = FatTree{};
  c.inter_node.reset();
  expect_error(c, "cluster.inter_node", "the fabric connects NICs, and the cluster has none");
  c = shapes::dgx_h100(2);
  c.fabric = Dragonfly{1, 4, gigabytes_per_second(1), {}};
  expect_error(c, "cluster.fabric.global", "the global links have no bandwidth");
}

TEST(LinkNames, ExistWhetherARingUsesThemOrNot) {
  const Cluster plain = shapes::dgx_h100(4);
  EXPECT_TRUE(link_exists(plain, "node3.gpu7.out"));
  EXPECT_TRUE(link_exists(plain, "node0.nic7.in"));
  EXPECT_FALSE(link_exists(plain, "node4.gpu0.out"));   // nodes 0 to 3
  EXPECT_FALSE(link_exists(plain, "node03.gpu0.out"));  // no number of ours
  EXPECT_FALSE(link_exists(plain, "node3.gpu7.out2"));
  EXPECT_FALSE(link_exists(plain, "node3.gpu.out"));
  EXPECT_FALSE(link_exists(plain, ""));
  EXPECT_TRUE(link_exists(box(), "node0.switch3.up"));
  EXPECT_TRUE(link_exists(box(), "node0.socket1.in"));
  EXPECT_FALSE(link_exists(box(), "node0.switch4.up"));
  Cluster torus = shapes::dgx_h100(2);
  torus.fabric = Torus{{4, 4, 1}};
  EXPECT_TRUE(link_exists(torus, "gpu15.y-"));
  EXPECT_FALSE(link_exists(torus, "gpu15.z-"));  // a dimension of one has no links
  Cluster dragonfly = shapes::dgx_h100(8);
  dragonfly.fabric = Dragonfly{1, 4, gigabytes_per_second(1), gigabytes_per_second(1)};
  EXPECT_TRUE(link_exists(dragonfly, "group1.to0"));
  EXPECT_FALSE(link_exists(dragonfly, "group1.to1"));
}

TEST(LinkNames, ThatNobodyHasAreRefusedWithTheNearest) {
  const auto error_of_link = [](const Cluster& cluster, const std::string& link) {
    Noise noise;
    noise.slow_links = {{link, 0.5, {}}};
    return error_of([&] { static_cast<void>(job_network(plan(1, 8), cluster, noise)); });
  };
  EXPECT_FALSE(error_of_link(shapes::dgx_h100(4), "node3.nic0.out"));  // no ring uses it
  const auto far = error_of_link(shapes::dgx_h100(4), "node9.gpu0.out");
  ASSERT_TRUE(far);
  EXPECT_EQ(far->where(), "noise.slow_links");
  EXPECT_EQ(far->message(), "the cluster has no link node9.gpu0.out");
  EXPECT_EQ(far->hint(), "did you mean node3.gpu0.out?");
  EXPECT_EQ(error_of_link(box(), "node0.swich2.up")->hint(), "did you mean node0.switch2.up?");
  EXPECT_EQ(error_of_link(shapes::dgx_h100(1), "uplink")->hint(),
            "such as node0.gpu0.out, node0.gpu0.in, node0.nic0.out, node0.nic0.in");
  Noise failing;
  failing.failures = {{"node0.gpu8.in", {}, seconds(1)}};
  const auto error = error_of([&] { static_cast<void>(job_network(plan(1, 8), shapes::dgx_h100(1), failing)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "noise.failures");
  EXPECT_EQ(error->hint(), "did you mean node0.gpu7.in?");
}

TEST(TopologyDescription, IsShort) {
  EXPECT_EQ(describe_topology(shapes::dgx_h100(2)), "all-to-all; flat switch");
  EXPECT_EQ(describe_topology(box(false)), "PCIe: 2 sockets, 4 switches, no peer-to-peer; flat switch");
  Cluster c = shapes::dgx_h100(2);
  FatTree tree;
  tree.oversubscription = 2;
  c.fabric = tree;
  EXPECT_EQ(describe_topology(c), "all-to-all; fat tree of 2 levels with rails, 2:1 oversubscribed");
  c.fabric = Torus{{4, 4}};
  EXPECT_EQ(describe_topology(c), "torus of 4 × 4");
}

}  // namespace
}  // namespace ringsim
