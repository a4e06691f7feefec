// Ways inside a node, by hand: NVSwitch, bridges, and PCIe trees with and without peer-to-peer.
#include "models/topology/nearest_nics.hpp"
#include "tests/unit/models/topology_support.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

using topology::box;
using topology::links;
using topology::plan;
using topology::way;
using Names = std::vector<std::string>;

TEST(Nvswitch, IsAPortOutAndAPortIn) {
  EXPECT_EQ(links(shapes::dgx_h100(2), 9, 12), (Names{"node1.gpu1.out", "node1.gpu4.in"}));
  EXPECT_EQ(way(shapes::dgx_h100(2), 9, 12).reach, Reach::nvlink);
}

TEST(Nvswitch, OfARackReachesAllItsGpus) {
  // NVL72: one node of 72 GPUs. A ring of all is 72 hops of NVLink, and no link has two of them.
  Cluster rack = shapes::dgx_h100(1);
  rack.gpus_per_node = rack.nics_per_node = 72;
  const JobNetwork job = job_network(plan(1, 72), rack);
  ASSERT_EQ(hops_by_reach(job.rings[0]).size(), 1U);
  EXPECT_EQ(hops_by_reach(job.rings[0])[0].reach, Reach::nvlink);
  EXPECT_EQ(hops_by_reach(job.rings[0])[0].hops, 72);
  EXPECT_TRUE(job.contended.empty());
}

TEST(PcieTree, APairMeetsAtItsSwitch) {
  // Up to the lowest common vertex and down: of a pair, the switch itself, so that no link of the tree is used.
  EXPECT_EQ(links(box(), 2, 3), (Names{"node0.gpu2.out", "node0.gpu3.in"}));
  EXPECT_EQ(way(box(), 2, 3).reach, Reach::pix);
}

TEST(PcieTree, PairsOfASocketMeetThereAndOthersOverTheSocketLink) {
  EXPECT_EQ(links(box(), 1, 2), (Names{"node0.gpu1.out", "node0.switch0.up", "node0.switch1.down", "node0.gpu2.in"}));
  EXPECT_EQ(way(box(), 1, 2).reach, Reach::node);
  EXPECT_EQ(way(box(), 1, 2).gigabytes_per_second, 32);
  EXPECT_EQ(links(box(), 3, 4), (Names{"node0.gpu3.out", "node0.switch1.up", "node0.socket0.out", "node0.socket1.in",
                                       "node0.switch2.down", "node0.gpu4.in"}));
  EXPECT_EQ(way(box(), 3, 4).reach, Reach::sys);
  EXPECT_EQ(way(box(), 3, 4).gigabytes_per_second, 20);
}

TEST(PcieTree, WithoutPeerToPeerEveryHopClimbsToItsSocket) {
  // A pair goes up its switch's uplink and down again; across sockets nothing changes, the link between them is passed once.
  EXPECT_EQ(links(box(false), 2, 3),
            (Names{"node0.gpu2.out", "node0.switch1.up", "node0.switch1.down", "node0.gpu3.in"}));
  EXPECT_EQ(way(box(false), 2, 3).reach, Reach::node);
  EXPECT_EQ(links(box(false), 3, 4), links(box(true), 3, 4));
}

TEST(PcieTree, WithoutPeerToPeerAPairSharesItsUplinkAndAPairAcrossSocketsDoesNot) {
  // A ring of two GPUs below one switch: both hops go up and down the same switch, 2 · 32 GB/s asked of 32. One hop of a
  // ring of GPUs 0 and 4 goes each way between the sockets, on links of their own: 20 GB/s, more than a half of 32.
  Parallel pair = plan(1, 2);
  const JobNetwork below_one_switch = job_network(pair, box(false));
  ASSERT_EQ(below_one_switch.contended.size(), 2U);
  for (const RingHop& hop : below_one_switch.rings[0].hops) {
    EXPECT_EQ(in_gigabytes_per_second(hop.alone), 32);
    EXPECT_EQ(in_gigabytes_per_second(hop.shared), 16);
    EXPECT_EQ(hop.sharing, 2);
  }
  pair.gpus = {0, 4};
  const JobNetwork across = job_network(pair, box(false));
  EXPECT_TRUE(across.contended.empty());
  for (const RingHop& hop : across.rings[0].hops) EXPECT_EQ(in_gigabytes_per_second(hop.shared), 20);
  // With peer-to-peer the pair has its ports to itself.
  EXPECT_TRUE(job_network(plan(1, 2), box(true)).contended.empty());
}

TEST(PcieTree, RingsThatCrossTheSocketsShareTheLinkBetweenThem) {
  // Tensor ranks are pairs, ring ranks the four switches: both rings cross from switch 1 to 2 and from 3 back to 0. On each
  // uplink two hops ask 2 · 32 (or 2 · 20, where they go on over the sockets) of 32 GB/s, on the sockets' link 2 · 20 of 20.
  const JobNetwork job = job_network(plan(2, 4), box());
  const RingHops& hops = job.rings[0].hops;
  EXPECT_EQ(in_gigabytes_per_second(hops[0].shared), 16);  // 0 -> 2: half an uplink
  EXPECT_EQ(in_gigabytes_per_second(hops[1].shared), 10);  // 2 -> 4: half of the sockets' link
  EXPECT_EQ(in_gigabytes_per_second(hops[3].shared), 10);  // 6 -> 0: the way back
  // A ring of pairs' neighbours instead: 0 1 2 3 4 5 6 7, one hop over each link.
  EXPECT_TRUE(job_network(plan(1, 8), box()).contended.empty());
}

TEST(PcieTree, NamesHowFarAHopGoesAsNvidiaSmiDoes) {
  // A socket with two host bridges; below the first a switch with a switch below it, below the second GPU 3 itself.
  Cluster c = box();
  c.gpus_per_node = 5;
  c.nics_per_node = 1;
  const Bandwidth w = gigabytes_per_second(30);
  c.wiring.tree = {{"socket", VertexKind::socket, -1, {}},   {"left", VertexKind::host_bridge, 0, w},
                   {"right", VertexKind::host_bridge, 0, w}, {"upper", VertexKind::pcie_switch, 1, w},
                   {"lower", VertexKind::pcie_switch, 3, w}, {"other", VertexKind::pcie_switch, 1, w}};
  c.wiring.gpu_parent = {3, 4, 5, 2, 4};
  c.wiring.nic_parent = {5};
  EXPECT_EQ(way(c, 1, 4).reach, Reach::pix);   // one switch
  EXPECT_EQ(way(c, 0, 1).reach, Reach::pxb);   // two switches, no host bridge
  EXPECT_EQ(way(c, 0, 2).reach, Reach::phb);   // the left host bridge
  EXPECT_EQ(way(c, 2, 3).reach, Reach::node);  // the socket
  EXPECT_EQ(links(c, 1, 0), (Names{"node0.gpu1.out", "node0.lower.up", "node0.gpu0.in"}));
  EXPECT_EQ(links(c, 1, 3), (Names{"node0.gpu1.out", "node0.lower.up", "node0.upper.up", "node0.left.up",
                                   "node0.right.down", "node0.gpu3.in"}));
  // Through the host's memory GPUs 1 and 4 meet at the host bridge.
  c.wiring.peer_to_peer = false;
  EXPECT_EQ(way(c, 1, 4).reach, Reach::phb);
}

TEST(Bridges, ArePreferredByTheirPairAndPcieByTheRest) {
  Cluster c = box();
  c.wiring.bridges = {{1, 0, gigabytes_per_second(100)}};
  EXPECT_EQ(links(c, 0, 1), (Names{"node0.gpu0.to1"}));
  EXPECT_EQ(links(c, 1, 0), (Names{"node0.gpu1.to0"}));
  EXPECT_EQ(way(c, 0, 1).reach, Reach::nvlink);
  EXPECT_EQ(way(c, 0, 1).gigabytes_per_second, 100);
  EXPECT_EQ(way(c, 1, 2).reach, Reach::node);
  EXPECT_EQ(way(c, 2, 3).reach, Reach::pix);
}

TEST(Nics, AreTheNearestOfTheTree) {
  // Two NICs, spread evenly: below switch 0 and switch 2. Sockets share: GPUs 0 to 3 have the first, 4 to 7 the second.
  EXPECT_EQ(nics_of_gpus(box(true, 2)), (std::vector<std::int64_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  // The two changed places: the nearest is the other one.
  Cluster swapped = box(true, 2);
  std::swap(swapped.wiring.nic_parent[0], swapped.wiring.nic_parent[1]);
  EXPECT_EQ(nics_of_gpus(swapped), (std::vector<std::int64_t>{1, 1, 1, 1, 0, 0, 0, 0}));
  // Four NICs below one switch: the nearest of all GPUs alike, so that two share each.
  Cluster crowded = box(true, 4);
  crowded.wiring.nic_parent.assign(4, 2);
  EXPECT_EQ(nics_of_gpus(crowded), (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(Nics, AreReachedOverTheTree) {
  // One NIC, below switch 0. GPU 5 climbs from switch 2, crosses the sockets and goes down to switch 0; on the other node
  // GPU 1 is beside the NIC.
  Cluster c = box();
  c.nodes = 2;
  EXPECT_EQ(links(c, 5, 9), (Names{"node0.gpu5.out", "node0.switch2.up", "node0.socket1.out", "node0.socket0.in",
                                   "node0.switch0.down", "node0.nic0.out", "node1.nic0.in", "node1.gpu1.in"}));
  EXPECT_EQ(way(c, 5, 9).gigabytes_per_second, 20);  // the sockets' link, where the NIC has 50
  EXPECT_TRUE(way(c, 5, 9).inter_node);
  EXPECT_EQ(way(c, 5, 9).reach, Reach::leaf);
}

TEST(Nics, ShareAnUplinkWithTheTrafficOfGpus) {
  // A ring of the 16 GPUs of two boxes: 7 -> 8 leaves the node through the NIC of switch 0 and comes down to it over the
  // sockets' link and switch 0's downlink, and so does nothing else. 15 -> 0 likewise ends below switch 0 of node 0. With
  // tensor 2 the two rings share that way: 2 · 20 GB/s asked of the sockets' 20.
  Cluster c = box();
  c.nodes = 2;
  const JobNetwork one = job_network(plan(1, 16), c);
  EXPECT_TRUE(one.contended.empty());
  const JobNetwork two = job_network(plan(2, 8), c);
  EXPECT_EQ(in_gigabytes_per_second(two.rings[0].hops[3].shared), 10);
  EXPECT_EQ(two.rings[0].hops[3].sharing, 2);
}

TEST(Nics, BesideNvlinkHaveAPcieOfTheirOwn) {
  // NVSwitch between GPUs, PCIe to the NICs: the GPU's PCIe port is a link where its bandwidth is known.
  Cluster c = shapes::dgx_h100(2);
  c.nics_per_node = 4;
  c.wiring = pcie_box({8, 4, 2, 2, gigabytes_per_second(64), gigabytes_per_second(40), true});
  c.wiring.nvswitch = true;
  EXPECT_EQ(links(c, 0, 1), (Names{"node0.gpu0.out", "node0.gpu1.in"}));
  EXPECT_EQ(links(c, 2, 10), (Names{"node0.nic1.out", "node1.nic1.in"}));
  c.wiring.gpu_pcie = gigabytes_per_second(25);
  EXPECT_EQ(links(c, 2, 10), (Names{"node0.gpu2.pcie.out", "node0.nic1.out", "node1.nic1.in", "node1.gpu2.pcie.in"}));
  EXPECT_EQ(way(c, 2, 10).gigabytes_per_second, 25);
}

}  // namespace
}  // namespace ringsim
