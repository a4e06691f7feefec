// A ring over two nodes: every block crosses every hop, so that the hop between nodes paces the steady step, however few hops
// cross and however long the ring is (physics: "The hop that counts is the slowest in the ring").
#include "sim/bmin.hpp"
#include "sim/predict.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

// N ranks, half of them on each of two nodes: 450 GB/s inside, 50 GB/s between. 1,024 tokens of Llama-2-7B a rank.
Scenario over_two_nodes(std::int64_t ranks) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 1024 * ranks, ranks, Layout::contiguous);
  s.workload.causal = false;
  s.cluster.nodes = 2;
  s.cluster.gpus_per_node = s.cluster.nics_per_node = ranks / 2;
  return s;
}

TEST(RingOverTwoNodes, TheHopBetweenThemDecidesTheSteadyStepWhateverN) {
  // K and V of 1,024 tokens: 2 · 1024 · 32 · 128 · 2 B = 16.8 MB, 335.5 us at 50 GB/s; the computation of a step takes
  // 4 · 1024² · 32 · 128 / 989e12 = 17.4 us, a hop inside a node 37.3 us.
  const double hop_s = 2.0 * 1024 * 32 * 128 * 2 / 50e9;
  for (const std::int64_t ranks : {4, 8, 16, 64}) {
    const Scenario s = over_two_nodes(ranks);
    const BlockProbe probe{ring_spec(s).shape, Layout::contiguous, false, 2, Pass::forward};
    EXPECT_NEAR(steady_step(probe, machine_of(s), 1024).step_s, hop_s, 1e-12) << ranks;
    const Prediction p = predict(s, {}).prediction;
    ASSERT_TRUE(p.deciding_hop);
    EXPECT_TRUE(p.deciding_hop->inter_node);
    EXPECT_EQ(p.deciding_hop->from_rank, ranks / 2 - 1) << "the first of the two that cross";
    EXPECT_NEAR(p.deciding_hop->nominal_bandwidth_bytes_per_s, 50e9, 1);
    EXPECT_EQ(p.bottleneck.kind, "transfer");
    EXPECT_NEAR(p.b_min_forward.datasheet_tokens, 989e12 / 50e9, 1e-6);
  }
}

TEST(RingOverTwoNodes, AFasterNetworkShortensTheStepInProportionAndAFasterNodeNotAtAll) {
  Scenario s = over_two_nodes(16);
  const BlockProbe probe{ring_spec(s).shape, Layout::contiguous, false, 2, Pass::forward};
  const double before = steady_step(probe, machine_of(s), 1024).step_s;
  s.cluster.intra_node.bandwidth = gigabytes_per_second(900);
  EXPECT_NEAR(steady_step(probe, machine_of(s), 1024).step_s, before, 1e-15);
  s.cluster.inter_node->bandwidth = gigabytes_per_second(100);
  EXPECT_NEAR(steady_step(probe, machine_of(s), 1024).step_s, before / 2, 1e-12);
}

}  // namespace
}  // namespace ringsim::sim
