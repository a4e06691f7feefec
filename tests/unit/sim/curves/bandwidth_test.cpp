// Exposed communication against bandwidth, against closed forms of a ring by the data sheet.
#include "sim/curves/bandwidth.hpp"

#include "scenarios/reader.hpp"
#include "sim/predict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::sim {
namespace {

/// A ring of 4 on a node, two layers without a mask, by the data sheet: blocks of B = 4096 tokens, F = 325 TFLOP/s.
const std::string one_node =
    "name: one node\n"
    "model: {name: two layers, layers: 2, hidden: 4096, heads: 32, kv_heads: 8, head_dim: 128}\n"
    "workload: {phase: prefill, tokens: 16Ki, causal: false}\n"
    "cluster: {use: dgx-h100, nodes: 2, gpu: {bf16: 325 TFLOP/s}}\n"
    "parallel: {ring: 4}\n"
    "ring: {layout: contiguous}\n"
    "profile: datasheet\n";

Scenario scenario(const std::vector<std::string>& sets = {}) {
  return scenarios::read_scenario_text(one_node, "test.yaml", {}, sets);
}

constexpr double block = 4096;
constexpr double step_s = 4.0 * 128 * 32 * block * block / 325e12;  // 0.846 ms
constexpr double hop_bytes = block * 2 * 128 * 8 * 2;               // K and V of 8 heads in bf16

const BandwidthMark* mark_of(const BandwidthCurve& curve, const std::string& name) {
  const auto found =
      std::find_if(curve.marks.begin(), curve.marks.end(), [&](const auto& m) { return m.name == name; });
  return found == curve.marks.end() ? nullptr : &*found;
}

// Each of the 3 hops of a layer is awaited for hop − step where that is positive, and everything else is compute.
TEST(BandwidthCurve, OfAUniformRingIsWhatHopsTakeBeyondSteps) {
  const BandwidthCurve curve = bandwidth_curve(scenario());
  EXPECT_FALSE(curve.inter_node);
  EXPECT_EQ(curve.link_class, "nvlink4");
  EXPECT_EQ(curve.block_tokens, 4096);
  ASSERT_GE(curve.points.size(), 25U);
  EXPECT_LE(curve.points.front().bandwidth_bytes_per_s, 450e9 / 16);
  EXPECT_NEAR(curve.points.back().bandwidth_bytes_per_s, 450e9 * 16, 1);
  for (const BandwidthPoint& point : curve.points) {
    const double hop_s = hop_bytes / point.bandwidth_bytes_per_s;
    const double exposed_s = 2 * 3 * std::max(0.0, hop_s - step_s);
    EXPECT_NEAR(point.exposed_communication_s, exposed_s, 1e-12) << point.bandwidth_bytes_per_s;
    EXPECT_NEAR(point.makespan_s, 2 * 4 * step_s + exposed_s, 1e-12);
    EXPECT_NEAR(point.exposed_share, exposed_s / point.makespan_s, 1e-9);
  }
}

// T_compute = T_hop where W = bytes / step: of a block B that is (bytes a token · F) / (FLOP a pair · B).
TEST(BandwidthCurve, CrossingIsWhereBytesOverBandwidthEqualTheStep) {
  const BandwidthCurve curve = bandwidth_curve(scenario());
  ASSERT_EQ(curve.crossings.size(), 1U);
  ASSERT_TRUE(curve.crossings[0].bandwidth_bytes_per_s);
  const double expected = hop_bytes / step_s;  // 19.8 GB/s
  EXPECT_NEAR(*curve.crossings[0].bandwidth_bytes_per_s / expected, 1, 1e-6);
  ASSERT_TRUE(curve.crossings[0].simulated_bytes_per_s);  // no interference by the data sheet: the same
  EXPECT_NEAR(*curve.crossings[0].simulated_bytes_per_s / expected, 1, 1e-3);
  EXPECT_EQ(curve.deciding(), &curve.crossings[0]);
  // It lies below 1/16 of NVLink: the curve goes on to it.
  EXPECT_LE(curve.points.front().bandwidth_bytes_per_s, expected);
}

// Of training the backward pass moves K, V and their gradients in fp32, three times the bytes, and computes 10/4 of the FLOP: it needs
// 3 / 2.5 of the forward pass's bandwidth, and so decides.
TEST(BandwidthCurve, OfTrainingTheBackwardPassDecides) {
  const BandwidthCurve curve = bandwidth_curve(scenario({"workload.phase=train"}));
  ASSERT_EQ(curve.crossings.size(), 2U);
  const double forward = *curve.crossings[0].bandwidth_bytes_per_s;
  const double backward = *curve.crossings[1].bandwidth_bytes_per_s;
  EXPECT_NEAR(backward / forward, 3 / 2.5, 1e-6);
  EXPECT_EQ(curve.deciding()->pass, Pass::backward);
}

// Two GPUs a node: hops of a ring of 4 cross nodes, so NICs are what changes. The scenario's 400 Gb/s are one mark, not two.
TEST(BandwidthCurve, OfARingOverNodesIsThatOfItsNics) {
  const Scenario s = scenario({"cluster.gpus_per_node=2"});
  const BandwidthCurve curve = bandwidth_curve(s);
  EXPECT_TRUE(curve.inter_node);
  EXPECT_EQ(curve.link_class, "ib-ndr");
  for (const char* name : {"100 Gb/s", "200 Gb/s", "400 Gb/s", "800 Gb/s", "PCIe 4 x16", "PCIe 5 x16", "nvlink4"}) {
    ASSERT_NE(mark_of(curve, name), nullptr) << name;
    EXPECT_EQ(mark_of(curve, name)->own, std::string(name) == "400 Gb/s");
  }
  EXPECT_EQ(curve.marks.size(), 7U);
  EXPECT_EQ(mark_of(curve, "200 Gb/s")->bandwidth_bytes_per_s, 25e9);
  // At the scenario's own bandwidth it is the scenario's prediction; and a mark is a point of the curve.
  const Prediction p = predict_by_recurrence(s, 0);
  EXPECT_EQ(mark_of(curve, "400 Gb/s")->at->makespan_s, p.makespan_s);
  EXPECT_EQ(mark_of(curve, "400 Gb/s")->at->exposed_communication_s, p.exposed_communication_s);
  const double hop_s = hop_bytes / 12.5e9;
  EXPECT_NEAR(mark_of(curve, "100 Gb/s")->at->makespan_s, 2 * (3 * hop_s + step_s), 1e-12);
}

// The hop inside the node at 5 GB/s takes longer than a step whatever the NICs do.
TEST(BandwidthCurve, WithoutACrossingThereIsAReason) {
  const BandwidthCurve slow =
      bandwidth_curve(scenario({"cluster.gpus_per_node=2", "cluster.intra_node.bandwidth=5 GB/s"}));
  EXPECT_TRUE(slow.inter_node);
  EXPECT_FALSE(slow.crossings.at(0).bandwidth_bytes_per_s);
  EXPECT_NE(slow.crossings[0].reason.find("another hop of the ring"), std::string::npos);
  EXPECT_EQ(slow.deciding(), nullptr);
  const BandwidthCurve gathered = bandwidth_curve(scenario({"ring.exchange=all-gather"}));
  EXPECT_FALSE(gathered.points.empty());  // it takes time none the less
  EXPECT_FALSE(gathered.crossings.at(0).reason.empty());
  EXPECT_EQ(bandwidth_curve(scenario({"parallel.ring=1"})).reason, "a ring of one has no hops");
  // 4 ranks · 4 steps · 2 layers of each of the points are more than 100: only the crossing, which needs no run, is there.
  const BandwidthCurve long_run = bandwidth_curve(scenario(), {.most_rank_steps = 100});
  EXPECT_TRUE(long_run.points.empty());
  EXPECT_FALSE(long_run.reason.empty());
  EXPECT_TRUE(long_run.crossings.at(0).bandwidth_bytes_per_s);
}

// A box of PCIe switches: ports, uplinks and the link between sockets (22 of 31 GB/s) go together, so that at twice the bandwidth every
// hop takes half.
TEST(BandwidthCurve, ATreeInsideTheNodeGoesWithItsPorts) {
  const BandwidthCurve curve = bandwidth_curve(
      scenario({"cluster={use: pcie-box-a100, nodes: 1, gpu: {bf16: 325000 TFLOP/s}}", "parallel.ring=4"}));
  const double compute_s = 2 * 4 * step_s / 1000;
  const auto hops_s = [&](const BandwidthPoint& p) { return p.makespan_s - compute_s / 4; };
  const BandwidthPoint& pcie5 = *mark_of(curve, "PCIe 5 x16")->at;
  const BandwidthPoint& pcie4 = *mark_of(curve, "PCIe 4 x16")->at;
  EXPECT_TRUE(mark_of(curve, "PCIe 4 x16")->own);
  EXPECT_NEAR(hops_s(pcie4) / hops_s(pcie5), 63.0 / 31.0, 1e-9);
}

}  // namespace
}  // namespace ringsim::sim
