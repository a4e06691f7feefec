// What parameters a rank holds, and what its optimiser step moves.
#include "models/block/optimizer.hpp"

#include "models/parameters.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

RankParameters all_of_rank(const Scenario& s) {
  const BlockShape shape = block_shape(s, 1);
  RankParameters held = embedding_of_rank(shape);
  held += head_of_rank(shape, false);
  for (std::int64_t layer = 0; layer < s.model.layers; ++layer) held += layer_of_rank(shape, layer);
  return held;
}

Scenario scenario_of(const Transformer& model) {
  Scenario s = shapes::scenario(model, 65536, 1, Layout::zigzag);
  s.workload.phase = Phase::train;
  return s;
}

TEST(RankParameters, OfOneRankAreAll) {
  for (const Transformer& model : {shapes::llama2_7b(), shapes::mixtral_8x7b(), shapes::deepseek_v3()}) {
    EXPECT_DOUBLE_EQ(all_of_rank(scenario_of(model)).total(), parameters(model).value());
  }
  Transformer tied = shapes::llama2_7b();
  tied.tied_embeddings = true;
  EXPECT_DOUBLE_EQ(all_of_rank(scenario_of(tied)).total(), parameters(tied).value());
  EXPECT_EQ(head_of_rank(block_shape(scenario_of(tied), 1), true).total(), 32000.0 * 4096 + 4096)
      << "a last stage without the embedding needs the matrix, too";
}

TEST(RankParameters, AreDividedButForNorms) {
  // Llama-3-70B over 8: of 70,553,706,496 only 2·80 + 1 norms of 8192 are whole.
  Scenario s = scenario_of(shapes::llama3_70b());
  s.parallel.tensor = 8;
  const double norms = 161 * 8192.0;
  EXPECT_DOUBLE_EQ(all_of_rank(s).total(), (70553706496.0 - norms) / 8 + norms);
  // DeepSeek-V3's 256 experts over 64 ranks: 4 a rank, of 58 layers, 3·7168·2048 weights each.
  Scenario deepseek = scenario_of(shapes::deepseek_v3());
  deepseek.parallel.data = 64;
  deepseek.parallel.expert = 64;
  EXPECT_DOUBLE_EQ(all_of_rank(deepseek).experts, 58.0 * 4 * 3 * 7168 * 2048);
}

TEST(OptimizerStep, ReadsAndWritesTheStateOfItsShare) {
  // Adam in fp32 on bf16 weights: master copy and two moments of 12 B read and written, a gradient of 4 B read, a weight of 2 B
  // written: 30 B a parameter. From ZeRO 1 on, 8 replicas divide it.
  Scenario s = scenario_of(shapes::llama2_7b());
  s.parallel.data = 8;
  const RankParameters held = all_of_rank(s);
  const auto moved = [&](std::int64_t zero) {
    s.training.zero = zero;
    return in_bytes(std::get<Elementwise>(optimizer_step(block_shape(s, 1), s.training, held).parts.at(0)).fixed);
  };
  EXPECT_DOUBLE_EQ(moved(0), 30 * 6738415616.0);
  EXPECT_DOUBLE_EQ(moved(1), 30 * 6738415616.0 / 8);
  EXPECT_DOUBLE_EQ(moved(3), moved(1));
  // 8 ranks that divide the experts of Mixtral hold each of them once: its state is not divided further.
  Scenario mixtral = scenario_of(shapes::mixtral_8x7b());
  mixtral.parallel.data = 8;
  mixtral.parallel.expert = 8;
  const RankParameters some = all_of_rank(mixtral);
  const auto step = optimizer_step(block_shape(mixtral, 1), mixtral.training, some);
  EXPECT_DOUBLE_EQ(in_bytes(std::get<Elementwise>(step.parts.at(0)).fixed), 30 * (some.shared / 8 + some.experts));
}

}  // namespace
}  // namespace ringsim
