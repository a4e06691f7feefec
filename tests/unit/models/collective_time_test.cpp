// How long collectives take, and over which links their data go: every time is worked out by hand.
//
// Nodes of 8 H100: 450 GB/s a GPU inside (datasheet profile: all of it, no α), a NIC of 50 GB/s a GPU between nodes.
#include "models/collective.hpp"
#include "tests/unit/models/topology_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ringsim {
namespace {

using topology::error_of;

Profile ideal() { return datasheet_profile(shapes::h100(), Dtype::bf16); }

Parallel degrees(std::int64_t tensor, std::int64_t ulysses, std::int64_t ring, std::int64_t data = 1) {
  Parallel p;
  p.tensor = tensor;
  p.ulysses = ulysses;
  p.ring = ring;
  p.data = data;
  return p;
}

double time_s(const CollectiveCosts& costs, CollectiveKind kind, Group group, double gigabytes_moved) {
  return in_seconds(costs.time(kind, group, gigabytes(gigabytes_moved)));
}

TEST(CollectiveTime, InsideANodeIsTrafficOverAPort) {
  // 8 ranks, 8 GB: each sends and receives 7 of the 8 parts, 7 GB, through its port of 450 GB/s; an all-reduce twice that. So the
  // bus bandwidth of nccl-tests, traffic over time, is the port's for every kind.
  const CollectiveCosts costs(degrees(8, 1, 1), shapes::dgx_h100(1), ideal());
  for (const CollectiveKind kind :
       {CollectiveKind::all_gather, CollectiveKind::reduce_scatter, CollectiveKind::all_to_all}) {
    EXPECT_NEAR(time_s(costs, kind, Group::tensor, 8), 7.0 / 450, 1e-12) << name_of(kind);
  }
  EXPECT_NEAR(time_s(costs, CollectiveKind::all_reduce, Group::tensor, 8), 14.0 / 450, 1e-12);
  // A group of one, and nothing to move.
  EXPECT_EQ(time_s(costs, CollectiveKind::all_reduce, Group::data, 8), 0);
  EXPECT_EQ(time_s(costs, CollectiveKind::all_reduce, Group::tensor, 0), 0);
  EXPECT_EQ(time_s(CollectiveCosts(), CollectiveKind::all_reduce, Group::tensor, 8), 0);
}

TEST(CollectiveTime, AGroupOverNodesLeavesThemThroughTheNicsOfItsMembers) {
  // 16 ranks on two nodes: traffic 15/16 of 16 GB. Eight rings, one a NIC, carry an eighth each: 400 GB/s out of a node, less than
  // a GPU's port has; inside, seven rings of eight pass each port.
  const CollectiveCosts two(degrees(1, 1, 16), shapes::dgx_h100(2), ideal());
  EXPECT_NEAR(time_s(two, CollectiveKind::all_gather, Group::ring, 16), 15.0 / 400, 1e-12);
  // The same over 16 nodes: 127/128 of the size.
  const CollectiveCosts sixteen(degrees(1, 1, 128), shapes::dgx_h100(16), ideal());
  EXPECT_NEAR(time_s(sixteen, CollectiveKind::all_gather, Group::ring, 128), 127.0 / 400, 1e-12);
  // Four NICs of a node halve it: two GPUs share one, and there are four rings.
  Cluster four = shapes::dgx_h100(2);
  four.nics_per_node = 4;
  EXPECT_NEAR(time_s(CollectiveCosts(degrees(1, 1, 16), four, ideal()), CollectiveKind::all_gather, Group::ring, 16),
              15.0 / 200, 1e-12);
}

TEST(CollectiveTime, GroupsOfAKindShareTheNicsThatTheyMeetOn) {
  // Tensor 8 fills a node: each of the eight data groups has a member a node, and its NIC to itself: 50 GB/s.
  Cluster cluster = shapes::dgx_h100(4);
  const Parallel p = degrees(8, 1, 1, 4);
  EXPECT_NEAR(time_s(CollectiveCosts(p, cluster, ideal()), CollectiveKind::all_gather, Group::data, 4), 3.0 / 50,
              1e-12);
  // Two NICs a node: four groups through each.
  cluster.nics_per_node = 2;
  EXPECT_NEAR(time_s(CollectiveCosts(p, cluster, ideal()), CollectiveKind::all_gather, Group::data, 4), 3.0 / 12.5,
              1e-12);
  // Data innermost: groups of two nodes' worth stay inside their node.
  Parallel inside = degrees(2, 1, 1, 4);
  inside.order = parse_order("data-tensor-ulysses-ring-pipeline");
  EXPECT_NEAR(time_s(CollectiveCosts(inside, cluster, ideal()), CollectiveKind::all_gather, Group::data, 4), 3.0 / 450,
              1e-12);
}

TEST(CollectiveTime, AllToAllLoadsEveryLinkThatItsPairsPass) {
  // Ulysses 16 over two nodes: of its 16 GB a rank sends 8 to the other node through its NIC: 8 / 50 s. Inside 7 / 450 s, meanwhile.
  const CollectiveCosts over(degrees(1, 16, 1), shapes::dgx_h100(2), ideal());
  EXPECT_NEAR(time_s(over, CollectiveKind::all_to_all, Group::ulysses, 16), 8.0 / 50, 1e-12);
  const std::vector<LinkTraffic> traffic = over.traffic(CollectiveKind::all_to_all, Group::ulysses, gigabytes(16));
  ASSERT_EQ(traffic.size(), 2U);
  EXPECT_EQ(traffic[0].link_class, "nvlink4");
  EXPECT_NEAR(in_gigabytes(traffic[0].bytes), 7, 1e-9);
  EXPECT_EQ(traffic[1].link_class, "ib-ndr");
  EXPECT_TRUE(traffic[1].inter_node);
  EXPECT_NEAR(in_gigabytes(traffic[1].bytes), 8, 1e-9);
  // On eight PCIe GPUs, pairs below switches and four to a socket, each GPU of a socket sends 4 of 8 parts over the link between
  // the sockets: 16 GB through 20 GB/s, where its own port of 32 GB/s carries 7. And GPUs 0-3 alone: 3 of 4 through ports; the two
  // uplinks of a socket's switches carry 2 GPUs · 2 parts.
  const CollectiveCosts box(degrees(1, 8, 1), topology::box(), ideal());
  EXPECT_NEAR(time_s(box, CollectiveKind::all_to_all, Group::ulysses, 8), 16.0 / 20, 1e-12);
  const CollectiveCosts half(degrees(1, 4, 1), topology::box(), ideal());
  EXPECT_NEAR(time_s(half, CollectiveKind::all_to_all, Group::ulysses, 4), 4.0 / 32, 1e-12);
}

TEST(CollectiveTime, RingTrafficIsDividedOverTheLinksItTakes) {
  // Two nodes of eight: each ring of 16 hops has 14 inside and 2 between. Of 15 GB that a rank sends on average 1/8 leaves.
  const CollectiveCosts costs(degrees(1, 1, 16), shapes::dgx_h100(2), ideal());
  const std::vector<LinkTraffic> traffic = costs.traffic(CollectiveKind::all_gather, Group::ring, gigabytes(16));
  ASSERT_EQ(traffic.size(), 2U);
  EXPECT_NEAR(in_gigabytes(traffic[0].bytes), 15 * 7.0 / 8, 1e-9);
  EXPECT_NEAR(in_gigabytes(traffic[1].bytes), 15.0 / 8, 1e-9);
}

TEST(CollectiveTime, ExpertsAreRanksThatFollowEachOtherAlongTheirAxes) {
  // Tensor 2, ring 4, data 4 on four nodes; 8 experts' ranks are two rings' worth: with the ring inside data, a node's 4 ring ranks
  // of a tensor rank, and the next node's. Each sends 1/8 of 8 GB to each of 3 neighbours and 4 ranks of the other node.
  Parallel p = degrees(2, 1, 4, 4);
  p.expert = 8;
  const CollectiveCosts costs(p, shapes::dgx_h100(4), ideal());
  EXPECT_NEAR(time_s(costs, CollectiveKind::all_to_all, Group::expert, 8), 4.0 / 50, 1e-12);
  EXPECT_EQ(costs.paths(CollectiveKind::all_to_all, Group::expert).nodes, 2);
  // A decode context of 2 among 8 tensor ranks: neighbours, inside the node.
  Parallel decode = degrees(8, 1, 2);
  decode.decode_context = 2;
  const CollectiveCosts pairs(decode, shapes::dgx_h100(2), ideal());
  EXPECT_NEAR(time_s(pairs, CollectiveKind::all_gather, Group::decode_context, 2), 1.0 / 450, 1e-12);
}

/// α of 7 µs inside and 20 µs between nodes, all of the bandwidth.
Profile with_latency() {
  Profile p = ideal();
  p.links["nvlink4"].latency.value = microseconds(7);
  p.links["ib-ndr"].latency.value = microseconds(20);
  for (auto& [name, link] : p.links) link.efficiency.value = 1;
  return p;
}

TEST(CollectiveTime, StepsAfterTheFirstCostAShareOfTheLatency) {
  const auto us = [](const CollectiveCosts& costs, CollectiveKind kind, Group group) {
    return 1e6 * time_s(costs, kind, group, 1e-9);  // a byte
  };
  // Eight ranks: 7 steps, the first at 7 µs, six at 0.7; the 14 of an all-reduce: 7 + 13 · 0.7.
  const CollectiveCosts node(degrees(8, 1, 1), shapes::dgx_h100(1), with_latency());
  EXPECT_NEAR(us(node, CollectiveKind::all_gather, Group::tensor), 7 + 6 * 0.7, 1e-5);
  EXPECT_NEAR(us(node, CollectiveKind::all_reduce, Group::tensor), 7 + 13 * 0.7, 1e-5);
  EXPECT_NEAR(us(node, CollectiveKind::all_to_all, Group::tensor), 7 + 6 * 0.7, 1e-5);
  // 128 ranks on 16 nodes: 15 steps between nodes at 10 µs, of which the first costs 20; 112 inside.
  const CollectiveCosts nodes(degrees(1, 1, 128), shapes::dgx_h100(16), with_latency());
  EXPECT_NEAR(us(nodes, CollectiveKind::all_gather, Group::ring), 20 + 14 * 10 + 112 * 0.7, 1e-4);
  // An all-reduce: the tree over 16 nodes has 4 levels, up and down, and chains of 8 inside: 20 + 7 · 10 + 14 · 0.7 µs, where the
  // ring takes 20 + 29 · 10 + 224 · 0.7.
  EXPECT_NEAR(us(nodes, CollectiveKind::all_reduce, Group::ring), 20 + 7 * 10 + 14 * 0.7, 1e-4);
}

TEST(CollectiveTime, LargeAllReducesGoAroundTheRing) {
  // The tree sends all of the data twice, the ring 1/128 less; 400 GB/s out of a node. 64 GB: 160 ms against 1.25 ms fewer.
  const CollectiveCosts costs(degrees(1, 1, 128), shapes::dgx_h100(16), with_latency());
  const double ring = 2 * 64.0 * 127 / 128 / 400 + 1e-6 * (20 + 29 * 10 + 224 * 0.7);
  EXPECT_NEAR(time_s(costs, CollectiveKind::all_reduce, Group::ring, 64), ring, 1e-9);
}

TEST(CollectiveTime, SmallMessagesReachWhatTheProfileSaysOfThem) {
  // Half of the bandwidth at 1 MB through the port, all of it at 3 MB; between them the time is linear. All-gather of 8/7 · 2 MB:
  // 2 MB through the port: half-way between 1 MB / 225 GB/s and 3 MB / 450 GB/s.
  Profile p = ideal();
  p.links["nvlink4"].efficiency.value = 1;
  p.links["nvlink4"].by_size = {{bytes(1e6), 0.5}, {bytes(3e6), 1.0}};
  const CollectiveCosts costs(degrees(8, 1, 1), shapes::dgx_h100(1), p);
  EXPECT_NEAR(time_s(costs, CollectiveKind::all_gather, Group::tensor, 2e-3 * 8 / 7), (1e6 / 225e9 + 3e6 / 450e9) / 2,
              1e-15);
}

CollectiveCost known(const std::string& kind, const std::string& link_class, std::int64_t ranks, double us,
                     double efficiency) {
  CollectiveCost cost{kind, link_class, ranks, {}, {}};
  cost.latency.value = microseconds(us);
  cost.efficiency.value = efficiency;
  return cost;
}

TEST(CollectiveTime, MeasuredOnesReplaceTheModel) {
  Profile p = with_latency();
  p.collectives = {known("all-reduce", "nvlink4", 2, 6, 0.7), known("all-reduce", "nvlink4", 8, 12, 0.9),
                   known("all-reduce", "ib-ndr", 16, 40, 0.5)};
  const auto all_reduce = [&](std::int64_t ranks) {
    return time_s(CollectiveCosts(degrees(ranks, 1, 1), shapes::dgx_h100(2), p), CollectiveKind::all_reduce,
                  Group::tensor, 9);
  };
  // 8 ranks: 12 µs and 2 · 7/8 · 9 GB at 0.9 · 450 GB/s.
  EXPECT_NEAR(all_reduce(8), 12e-6 + 2 * 9 * 7.0 / 8 / 405, 1e-12);
  // 4 ranks are half-way between 2 and 8 in log(ranks): 9 µs, 0.8.
  EXPECT_NEAR(all_reduce(4), 9e-6 + 2 * 9 * 3.0 / 4 / 360, 1e-12);
  // 16 ranks go over the network, whose class has a value of its own: half of 400 GB/s.
  EXPECT_NEAR(all_reduce(16), 40e-6 + 2 * 9 * 15.0 / 16 / 200, 1e-12);
  // Another kind follows from the links.
  const CollectiveCosts costs(degrees(8, 1, 1), shapes::dgx_h100(1), p);
  EXPECT_NEAR(time_s(costs, CollectiveKind::all_gather, Group::tensor, 8), 7.0 / 450 + 1e-6 * (7 + 6 * 0.7), 1e-12);
}

TEST(CollectiveTime, AMeasuredEfficiencyMayDependOnWhatARankSends) {
  // 25 % of 450 GB/s for 7 MB and 75 % for 21 MB: 8 ranks of an all-gather of 16 MB send 14 MB, half-way in time.
  Profile p = with_latency();
  p.collectives = {known("all-gather", "nvlink4", 8, 12, 0.75)};
  p.collectives[0].by_size = {{bytes(7e6), 0.25}, {bytes(21e6), 0.75}};
  const CollectiveCosts costs(degrees(8, 1, 1), shapes::dgx_h100(1), p);
  const double slow_s = 7e6 / (0.25 * 450e9);
  const double fast_s = 21e6 / (0.75 * 450e9);
  EXPECT_NEAR(time_s(costs, CollectiveKind::all_gather, Group::tensor, 16e-3), 12e-6 + (slow_s + fast_s) / 2, 1e-12);
  // Beyond the knots as the nearest.
  EXPECT_NEAR(time_s(costs, CollectiveKind::all_gather, Group::tensor, 48e-3), 12e-6 + 2 * fast_s, 1e-12);
}

TEST(CollectiveTime, GroupsOfUnequalPlacesTakeWhatTheSlowestTakes) {
  // Rings of three on nodes of four: the first stays inside, others straddle two nodes and leave through one of a node's NICs.
  Cluster cluster = shapes::dgx_h100(3);
  cluster.gpus_per_node = 4;
  cluster.nics_per_node = 4;
  const CollectiveCosts costs(degrees(1, 1, 3, 4), cluster, ideal());
  // 3 GB: 2 GB through one NIC, since one of the two nodes has one member.
  EXPECT_NEAR(time_s(costs, CollectiveKind::all_gather, Group::ring, 3), 2.0 / 50, 1e-12);
}

TEST(CollectiveTime, WithoutANetworkGroupsStayInsideTheirNodes) {
  Cluster cluster = shapes::dgx_h100(2);
  cluster.inter_node.reset();
  const CollectiveCosts costs(degrees(8, 1, 1, 2), cluster, ideal());
  EXPECT_NEAR(time_s(costs, CollectiveKind::all_gather, Group::tensor, 8), 7.0 / 450, 1e-12);
  const auto error =
      error_of([&] { static_cast<void>(costs.time(CollectiveKind::all_gather, Group::data, gigabytes(1))); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "cluster.inter_node");
}

TEST(CollectiveTime, OfAWholeClusterFollowsFromAPartOfIt) {
  // 16,384 GPUs, tensor 8, ring 16, data 128: parts stand for the whole, so the same plan over a tenth of the data ranks costs a
  // ring's collectives the same; and nothing takes long to place.
  const CollectiveCosts large(degrees(8, 1, 16, 128), shapes::dgx_h100(2048), ideal());
  const CollectiveCosts small(degrees(8, 1, 16, 2), shapes::dgx_h100(32), ideal());
  for (const CollectiveKind kind : {CollectiveKind::all_gather, CollectiveKind::all_to_all}) {
    EXPECT_NEAR(time_s(large, kind, Group::ring, 16) / time_s(small, kind, Group::ring, 16), 1, 1e-12);
  }
  // 15 GB through a NIC a ring.
  EXPECT_NEAR(time_s(large, CollectiveKind::all_gather, Group::ring, 16), 15.0 / 50, 1e-12);
  EXPECT_NEAR(time_s(large, CollectiveKind::reduce_scatter, Group::gradient, 2048), 2047.0 / 50, 1e-9);
}

}  // namespace
}  // namespace ringsim
