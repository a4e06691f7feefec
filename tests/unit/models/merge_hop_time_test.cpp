// Times of merges and hops, and the cost of a placed hop: efficiency, latency, sharing, and what the user overrides.
#include "models/cost.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

const RingShape shape{{1, 8, 8, 64, 64}};

TEST(MergeTime, IsTrafficOverBandwidthAfterALaunch) {
  // 100 rows of 8 heads: 100 · 8 · (64 · 10 + 12) = 521,600 B at least; 1.8 times as much at 1 GB/s, after 2 µs.
  Profile p;
  p.launch.value = microseconds(2);
  p.merge_traffic.value = 1.8;
  p.merge_bandwidth.value = gigabytes_per_second(1);
  EXPECT_NEAR(in_seconds(CostModel(p, shape).merge(Accumulator::output, false, 100)), 2e-6 + 1.8 * 521600 / 1e9, 1e-15);
}

TEST(MergeTime, IsZeroWhereMergingIsFreeOrNothingIsMerged) {
  Profile p;
  p.launch.value = microseconds(2);
  EXPECT_EQ(CostModel(p, shape).merge(Accumulator::output, false, 100), Duration{});
  p.merge_traffic.value = 1;
  p.merge_bandwidth.value = gigabytes_per_second(1);
  EXPECT_EQ(CostModel(p, shape).merge(Accumulator::output, false, 0), Duration{});
}

TEST(HopTime, IsLatencyPlusBytesOverBandwidth) {
  // 5 µs and 1 MB at 1 GB/s: 1005 µs.
  const HopCost hop{microseconds(5), gigabytes_per_second(1), false, "link", true};
  EXPECT_NEAR(in_microseconds(CostModel::hop(hop, bytes(1e6))), 1005.0, 1e-9);
  EXPECT_NEAR(in_microseconds(CostModel::hop(hop, bytes(0))), 5.0, 1e-12);
}

Profile knows_infiniband() {
  Profile p;
  p.links["ib-ndr"].latency.value = microseconds(12);
  p.links["ib-ndr"].efficiency.value = 0.9;
  return p;
}

/// A hop over one link of the cluster, shared by so many flows.
RingHop inside(const Cluster& cluster) {
  const Bandwidth w = cluster.intra_node.bandwidth;
  return {.from_gpu = 0, .to_gpu = 1, .alone = w, .shared = w};
}
RingHop outside(const Cluster& cluster, std::int64_t sharing = 1) {
  const Bandwidth w = cluster.inter_node->bandwidth;
  return {.from_gpu = 7,
          .to_gpu = 8,
          .inter_node = true,
          .sharing = sharing,
          .alone = w,
          .shared = w / static_cast<double>(sharing)};
}

TEST(PlacedHop, TakesTheLinkOfItsKind) {
  const Cluster cluster = shapes::dgx_h100(2);
  const HopCost near = hop_cost(inside(cluster), cluster, knows_infiniband());
  EXPECT_EQ(near.link_class, "nvlink4");
  EXPECT_FALSE(near.inter_node);
  const HopCost far = hop_cost(outside(cluster), cluster, knows_infiniband());
  EXPECT_EQ(far.link_class, "ib-ndr");
  EXPECT_TRUE(far.inter_node);
}

TEST(PlacedHop, OfAKnownClassReachesItsEfficiencyAfterItsLatency) {
  // 400 Gb/s = 50 GB/s nominal, 90 % of it reached.
  const HopCost hop = hop_cost(outside(shapes::dgx_h100(2)), shapes::dgx_h100(2), knows_infiniband());
  EXPECT_TRUE(hop.calibrated);
  EXPECT_NEAR(in_gigabytes_per_second(hop.bandwidth), 45.0, 1e-9);
  EXPECT_NEAR(in_microseconds(hop.latency), 12.0, 1e-9);
}

TEST(PlacedHop, OfAnUnknownClassIsNominalAndSaysSo) {
  const HopCost hop = hop_cost(inside(shapes::dgx_h100(1)), shapes::dgx_h100(1), knows_infiniband());
  EXPECT_FALSE(hop.calibrated);
  EXPECT_NEAR(in_gigabytes_per_second(hop.bandwidth), 450.0, 1e-9);
  EXPECT_EQ(hop.latency, Duration{});
}

TEST(PlacedHop, SharesItsNic) {
  // Four flows a NIC: a quarter of 45 GB/s each, the same latency.
  const Cluster cluster = shapes::dgx_h100(2);
  const HopCost hop = hop_cost(outside(cluster, 4), cluster, knows_infiniband());
  EXPECT_NEAR(in_gigabytes_per_second(hop.nominal), 12.5, 1e-9);
  EXPECT_NEAR(in_gigabytes_per_second(hop.bandwidth), 11.25, 1e-9);
  EXPECT_NEAR(in_microseconds(hop.latency), 12.0, 1e-9);
  // The flow engine shares by itself: it starts from all of it.
  const HopCost alone = hop_cost(outside(cluster, 4), cluster, knows_infiniband(), LinkShares::alone);
  EXPECT_NEAR(in_gigabytes_per_second(alone.bandwidth), 45.0, 1e-9);
}

TEST(PlacedHop, TakesTheUsersLatencyBeforeTheProfiles) {
  Cluster cluster = shapes::dgx_h100(2);
  cluster.inter_node->latency = microseconds(3);
  EXPECT_NEAR(in_microseconds(hop_cost(outside(cluster), cluster, knows_infiniband()).latency), 3.0, 1e-9);
  cluster.intra_node.latency = microseconds(1);
  EXPECT_NEAR(in_microseconds(hop_cost(inside(cluster), cluster, knows_infiniband()).latency), 1.0, 1e-9);
  cluster.inter_node->latency = seconds(0);
  EXPECT_EQ(hop_cost(outside(cluster), cluster, knows_infiniband()).latency, Duration{})
      << "zero is a value, not its absence";
}

}  // namespace
}  // namespace ringsim
