// What every hop carries and for how long, by hand.
#include "sim/hop_use.hpp"

#include "scenarios/reader.hpp"
#include "sim/predict.hpp"
#include "sim/schedules/model_program.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

std::vector<HopUse> use_of(const Ring& ring, Passes passes = Passes::forward) {
  const Program program = program_of(ring, passes);
  const Machine machine = ring.machine();
  HopUseObserver hops(program);
  const RunResult result = RecurrenceEngine(program, machine).run(&hops);
  return hop_use_of(hops.usage(), program, machine, result.makespan_s);
}

TEST(HopUse, IsBytesOverBandwidthTimesHops) {
  // Four ranks with blocks of one token: K and V of one element in bf16 are 4 B, a hop takes 8, a kernel 5. A layer has three hops
  // and takes 5 + 3 · 8 = 29; of two layers the hops of the second start when its first kernels do.
  const std::vector<HopUse> hops = use_of({.layers = 2, .pair_s = 5, .token_s = 8});
  ASSERT_EQ(hops.size(), 4U);
  for (const HopUse& hop : hops) {
    EXPECT_EQ(hop.to_rank, (hop.rank + 1) % 4);
    EXPECT_NEAR(hop.bytes, 2 * 3 * 4, 1e-12);
    EXPECT_NEAR(hop.in_flight_s, 2 * 3 * 8, 1e-12);
    EXPECT_NEAR(hop.share, 48.0 / 58.0, 1e-12);
    EXPECT_NEAR(hop.bytes_per_s, 0.5, 1e-12);
    EXPECT_FALSE(hop.second);
  }
}

TEST(HopUse, OfUnevenBlocksEveryRankSendsAllButItsNeighboursBlock) {
  // 6 tokens on 4 ranks: blocks of 2, 2, 1, 1. In three steps rank r sends its own block, then those that came from behind: all but
  // that of rank r + 1.
  const std::vector<HopUse> hops = use_of({.tokens = 6, .token_s = 8});
  const std::vector<double> tokens = {6 - 2, 6 - 1, 6 - 1, 6 - 2};
  for (const HopUse& hop : hops) {
    EXPECT_NEAR(hop.bytes, 4 * tokens[static_cast<std::size_t>(hop.rank)], 1e-12) << hop.rank;
    EXPECT_NEAR(hop.in_flight_s, 8 * tokens[static_cast<std::size_t>(hop.rank)], 1e-12) << hop.rank;
  }
}

TEST(HopUse, OfASlowHopIsItsOwn) {
  // Hop 2 takes 5 times as long: it alone is in flight for 15 a hop.
  const std::vector<HopUse> hops = use_of({.pair_s = 100, .token_s = 3, .hop_factor = {1, 1, 5, 1}});
  EXPECT_NEAR(hops[2].in_flight_s, 3 * 15, 1e-12);
  EXPECT_NEAR(hops[1].in_flight_s, 3 * 3, 1e-12);
}

/// Two nodes of two GPUs, by the data sheet.
Scenario scenario(const std::vector<std::string>& sets = {}) {
  return scenarios::read_scenario_text(
      "name: two nodes\n"
      "model: {name: two layers, layers: 2, hidden: 4096, heads: 32, kv_heads: 8, head_dim: 128, feed_forward: "
      "{intermediate: 4096}, vocabulary: 32000}\n"
      "workload: {phase: prefill, tokens: 16Ki, causal: false}\n"
      "cluster: {use: dgx-h100, nodes: 2, gpus_per_node: 2}\n"
      "parallel: {ring: 4}\n"
      "ring: {layout: contiguous}\n"
      "profile: datasheet\n",
      "test.yaml", {}, sets);
}

constexpr double block_bytes = 4096.0 * 2 * 128 * 8 * 2;  // K and V of a block of 4096 tokens

Prediction predicted(const Scenario& s, EngineChoice engine = EngineChoice::recurrence) {
  PredictOptions options;
  options.hop_use = true;
  options.engine = engine;
  return predict(s, options).prediction;
}

TEST(HopUse, OfAPredictionNamesTheLinks) {
  const Prediction p = predicted(scenario());
  ASSERT_EQ(p.hop_use.size(), 4U);
  EXPECT_TRUE(p.no_hop_use.empty());
  for (const HopUse& hop : p.hop_use) {
    const bool crosses = hop.rank % 2 == 1;  // ranks 0, 1 and 2, 3 share a node
    const double rate = crosses ? 50e9 : 450e9;
    EXPECT_EQ(hop.inter_node, crosses);
    EXPECT_EQ(hop.link_class, crosses ? "ib-ndr" : "nvlink4");
    EXPECT_NEAR(hop.nominal_bytes_per_s, rate, 1);
    EXPECT_NEAR(hop.bytes, 2 * 3 * block_bytes, 1);
    EXPECT_NEAR(hop.in_flight_s, 2 * 3 * block_bytes / rate, 1e-12);
    EXPECT_NEAR(hop.share, hop.in_flight_s / p.makespan_s, 1e-12);
    EXPECT_NEAR(hop.bytes_per_s / rate, 1, 1e-9);
  }
}

TEST(HopUse, OfTwoWaysIsOfEitherHop) {
  // Both ways round: half of the block each way, three times a layer.
  const Prediction both = predicted(scenario({"ring.exchange=both-ways"}));
  ASSERT_EQ(both.hop_use.size(), 8U);
  for (const HopUse& hop : both.hop_use) {
    EXPECT_NEAR(hop.bytes, 2 * 3 * block_bytes / 2, 1);
    EXPECT_EQ(hop.to_rank, (hop.rank + (hop.second ? 3 : 1)) % 4);
  }
  // Inner rings of two: two turns of one inner hop each, and one hop between them.
  const Prediction levels = predicted(scenario({"ring.exchange=two-level"}));
  ASSERT_EQ(levels.hop_use.size(), 8U);
  for (const HopUse& hop : levels.hop_use) {
    EXPECT_NEAR(hop.bytes, 2 * block_bytes * (hop.second ? 1 : 2), 1);
    EXPECT_EQ(hop.inter_node, hop.second);
    EXPECT_EQ(hop.to_rank, hop.second ? (hop.rank + 2) % 4 : hop.rank / 2 * 2 + (hop.rank + 1) % 2);
  }
}

TEST(HopUse, OfAPipelineIsOfTheRanksOfAllStages) {
  // Two stages of rings of two: one layer each, one hop of a block of 8192 tokens. The second stage's ring is ranks 2 and 3.
  const Prediction p = predicted(scenario({"workload.scope=model", "parallel.ring=2", "parallel.pipeline=2"}));
  ASSERT_EQ(p.hop_use.size(), 4U);
  ASSERT_EQ(p.per_rank.size(), 4U);
  for (const HopUse& hop : p.hop_use) {
    EXPECT_EQ(hop.to_rank, hop.rank / 2 * 2 + (hop.rank + 1) % 2);
    EXPECT_NEAR(hop.bytes, 2 * block_bytes, 1);
  }
}

TEST(HopUse, OfChunksIsTheirSum) {
  // Four chunks of 4096 tokens, whose keys are the first chunk's, then also those before: blocks of 1, 2, 3, 4 times 1024 keys.
  const Prediction p = predicted(scenario({"workload.scope=model", "workload.chunk=4Ki"}));
  ASSERT_EQ(p.hop_use.size(), 4U);
  for (const HopUse& hop : p.hop_use) EXPECT_NEAR(hop.bytes, 2 * 3 * block_bytes / 4 * (1 + 2 + 3 + 4), 1);
}

TEST(HopUse, WhereNothingIsToldThereIsAReason) {
  EXPECT_TRUE(predicted(scenario({"ring.exchange=all-gather"})).hop_use.empty());
  EXPECT_EQ(predicted(scenario({"parallel.ring=1"})).no_hop_use, "nothing goes from rank to rank");
  const Prediction closed = predicted(scenario(), EngineChoice::closed_form);
  EXPECT_TRUE(closed.hop_use.empty());
  EXPECT_FALSE(closed.no_hop_use.empty());
  EXPECT_TRUE(predict_by_recurrence(scenario(), 0).hop_use.empty());  // not asked for
}

}  // namespace
}  // namespace ringsim::sim
