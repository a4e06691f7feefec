// FLOP of the model by definition, against counts by hand.
#include "models/block/model_flop.hpp"

#include "models/parameters.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

// Llama-2-7B: 32 layers of 4·4096² + 3·4096·11,008 weights, a head of 4096·32,000.
constexpr double layers_7b = 32.0 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008);
constexpr double head_7b = 4096.0 * 32000;
// 4 FLOP a pair, head and element: 32 heads of 128.
constexpr double pair_7b = 4.0 * 32 * 128;

Scenario scenario_of(Phase phase, std::int64_t tokens, std::int64_t batch) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), tokens, 1, Layout::zigzag);
  s.workload.phase = phase;
  s.workload.batch = batch;
  return s;
}

TEST(ModelFlop, OfAPrefillIsTwoAWeightAndTokenAndFourAPair) {
  const Scenario s = scenario_of(Phase::prefill, 4096, 2);
  const double pairs = 2 * 32 * 4096.0 * 4097 / 2;  // sequences, layers, causal
  EXPECT_DOUBLE_EQ(in_flop(model_flop(s)), 2 * layers_7b * 8192 + 2 * head_7b * 2 + pair_7b * pairs);
  EXPECT_EQ(model_flop(s), executed_flop(s));
}

TEST(ModelFlop, OfACachedPrefixIsThatOfItsPairsAlone) {
  // 1024 new tokens see 3072 cached ones and their half of each other.
  Scenario s = scenario_of(Phase::prefill, 1024, 1);
  s.workload.cached = 3072;
  const double pairs = 32 * (1024.0 * 3072 + 1024.0 * 1025 / 2);
  EXPECT_DOUBLE_EQ(in_flop(model_flop(s)), 2 * layers_7b * 1024 + 2 * head_7b + pair_7b * pairs);
}

TEST(ModelFlop, OfATrainingStepIsSixAWeightAndTokenAndRecomputationIsHardwaresAlone) {
  Scenario s = scenario_of(Phase::train, 4096, 8);
  const double pairs = 8 * 32 * 4096.0 * 4097 / 2;
  const double tokens = 8 * 4096.0;
  const double model = 6 * (layers_7b + head_7b) * tokens + 3 * pair_7b * pairs;
  EXPECT_DOUBLE_EQ(in_flop(model_flop(s)), model);
  // Flash attention's backward pass has five products instead of four: half a forward more.
  EXPECT_DOUBLE_EQ(in_flop(executed_flop(s)), model + 0.5 * pair_7b * pairs);
  s.training.recompute = Recompute::selective;
  EXPECT_DOUBLE_EQ(in_flop(executed_flop(s)), model + 0.5 * pair_7b * pairs);
  s.training.recompute = Recompute::full;
  EXPECT_DOUBLE_EQ(in_flop(model_flop(s)), model);
  EXPECT_DOUBLE_EQ(in_flop(executed_flop(s)), model + 1.5 * pair_7b * pairs + 2 * layers_7b * tokens);
}

TEST(ModelFlop, OfADecodeStepIsATokenASequenceOverItsCache) {
  const Scenario s = scenario_of(Phase::decode, 4096, 64);
  EXPECT_DOUBLE_EQ(in_flop(model_flop(s)), 64 * (2 * (layers_7b + head_7b) + pair_7b * 32 * 4097));
}

TEST(ModelFlop, OfPackedDocumentsEndsAtTheirBorders) {
  Scenario s = scenario_of(Phase::train, 4096, 1);
  s.workload.documents = Documents{{{1024, 3}, {512, 2}}, 0};
  const double pairs = 32 * (3 * 1024.0 * 1025 / 2 + 2 * 512.0 * 513 / 2);
  EXPECT_DOUBLE_EQ(in_flop(model_flop(s)), 6 * (layers_7b + head_7b) * 4096 + 3 * pair_7b * pairs);
}

TEST(AttentionPairs, OfSlidingLayersAreThoseOfTheWindow) {
  // Two layers slide over 1024 tokens, one sees all 4096: the first 1024 queries see themselves and what is before, the others 1024.
  Transformer m = shapes::dense(3, 64, 8, 8, 8, 64, 100);
  m.sliding_window = 1024;
  m.sliding_layer = {true, true, false};
  EXPECT_EQ(attention_pairs(m, 4096, 0, true), 2 * (1024.0 * 1025 / 2 + 3072.0 * 1024) + 4096.0 * 4097 / 2);
}

TEST(LayersFlop, OfAMixtureAreThoseOfTheExpertsThatATokenVisits) {
  // Active parameters but for embedding, head and what multiplies nothing: 2 norms a layer and the last.
  const Transformer m = shapes::mixtral_8x7b();
  const double active = count_parameters(m)->active() - 2.0 * 32000 * 4096 - 65.0 * 4096;
  EXPECT_DOUBLE_EQ(in_flop(layers_flop_per_token(m)), 2 * active);
}

}  // namespace
}  // namespace ringsim
