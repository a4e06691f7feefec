// The seeds' H100 ring through the whole prediction: 2,048 tokens a rank are said to hide their transfer completely.
// They do not.
#include "sim/predict.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

// Eight H100 in a node, 32 heads of 128, no mask, data sheet.
Scenario h100_ring(std::int64_t tokens_a_rank) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 8 * tokens_a_rank, 8, Layout::contiguous);
  s.model.layers = 1;
  s.workload.causal = false;
  return s;
}

constexpr double flop_per_pair = 4.0 * 32 * 128;
constexpr double bytes_per_token = 2.0 * 32 * 128 * 2;
constexpr double f = 989e12;
constexpr double w = 450e9;

TEST(SeedsRing, At2048TokensTheTransferOutlastsTheComputationBySevenPercent) {
  const double compute = flop_per_pair * 2048 * 2048 / f;
  const double hop = bytes_per_token * 2048 / w;
  EXPECT_NEAR(hop / compute, 1.073, 0.0005);  // 2198 / 2048

  const Prediction p = predict(h100_ring(2048), {}).prediction;
  EXPECT_NEAR(p.step_compute_s, compute, 1e-12 * compute);
  EXPECT_NEAR(p.step_hop_s, hop, 1e-12 * hop);
  // Seven hops, each longer than its kernel; the eighth kernel has none beside it.
  EXPECT_NEAR(p.makespan_s, 7 * hop + compute, 1e-9 * p.makespan_s);
  for (const RankSummary& r : p.per_rank) {
    EXPECT_NEAR(r.exposed_communication_s, 7 * (hop - compute), 1e-9 * hop);
    EXPECT_NEAR(r.compute_s, 8 * compute, 1e-9 * compute);
    EXPECT_NEAR(r.bubble_s, 0.0, 1e-12 * hop);
    EXPECT_NEAR(r.in_flight_s, 7 * hop, 1e-9 * hop);
  }
  ASSERT_TRUE(p.overlap.has_value());
  EXPECT_NEAR(*p.overlap, compute / hop, 1e-9);
  EXPECT_NEAR(p.ring_efficiency, 8 * compute / (7 * hop + compute), 1e-9);
  EXPECT_NEAR(p.mfu, p.ring_efficiency, 1e-9) << "by data sheet F is the peak";
}

TEST(SeedsRing, At2304TokensItHides) {
  const Prediction p = predict(h100_ring(2304), {}).prediction;
  EXPECT_EQ(p.exposed_communication_s, 0.0);
  EXPECT_NEAR(p.ring_efficiency, 1.0, 1e-9);
  EXPECT_NEAR(p.overlap.value(), 1.0, 1e-12);
}

TEST(SeedsRing, ReportsTheBlockThatHidesUnrounded) {
  PredictOptions options;
  options.simulated_b_min = true;
  const Prediction p = predict(h100_ring(2048), options).prediction;
  EXPECT_NEAR(p.b_min_forward.datasheet_tokens, f / w, 1e-6);
  EXPECT_NEAR(p.b_min_forward.calibrated_tokens.value(), f / w, 1e-6);
  EXPECT_EQ(p.b_min_forward.simulated_tokens.value(), 2198.0);  // 2197.8 in whole tokens, not 2197
}

TEST(SeedsRing, BothEnginesPredictTheSame) {
  PredictOptions formula;
  formula.engine = EngineChoice::closed_form;
  for (const bool causal : {false, true}) {
    for (const Phase phase : {Phase::prefill, Phase::train}) {
      Scenario s = h100_ring(2048);
      s.workload.causal = causal;
      s.workload.phase = phase;
      s.model.layers = 4;
      const Prediction a = predict(s, {}).prediction;
      const Prediction b = predict(s, formula).prediction;
      EXPECT_NEAR(a.makespan_s, b.makespan_s, 1e-9 * a.makespan_s);
      EXPECT_EQ((b.compute_s + b.exposed_communication_s) + b.bubble_s, b.makespan_s);
      EXPECT_NEAR(a.layer_makespan_s * 4, a.makespan_s, 1e-12 * a.makespan_s);
    }
  }
}

TEST(SeedsRing, ACausalContiguousRingReachesNOver2NMinus1) {
  Scenario s = h100_ring(4096);
  s.workload.causal = true;
  // (S + 1) / (2S - B + 1) with S = 8 · 4096: hops of B_min/B = 0.54 of a kernel outlast the triangle of the first step
  // by a little.
  const double compute = flop_per_pair * 4096 * 4096 / f;
  const double hop = bytes_per_token * 4096 / w;
  const double useful = flop_per_pair * 32768.0 * 32769.0 / 2 / 8 / f;
  EXPECT_NEAR(predict(s, {}).prediction.ring_efficiency, useful / (hop + 7 * compute), 1e-9);
  s.workload.tokens = 8 * 8192;  // 0.27 of a kernel: hidden
  EXPECT_NEAR(predict(s, {}).prediction.ring_efficiency, (65536.0 + 1) / (2 * 65536.0 - 8192 + 1), 1e-9);
}

}  // namespace
}  // namespace ringsim::sim
