// Prefill of a whole model as programs: FLOP, chunks, stages, collectives of tensor parallelism.
#include "sim/schedules/model_program.hpp"
#include "tests/unit/models/shapes.hpp"
#include "tests/unit/sim/program_clock.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using programs::collected;
using programs::dense_flop;

Scenario prefill(std::int64_t tokens, std::int64_t ring) {
  Scenario s = shapes::scenario(shapes::llama3_8b(), tokens, ring, Layout::zigzag);
  s.workload.scope = Scope::model;
  return s;
}

// Weights of a layer of Llama-3-8B that a token is multiplied with: Q and O 4096 · 4096, K and V 4096 · 1024 each, three MLP
// matrices of 4096 · 14336; and of the logits.
constexpr double layer_weights = 2.0 * 4096 * 4096 + 2.0 * 4096 * 1024 + 3.0 * 4096 * 14336;
constexpr double logits_weights = 4096.0 * 128'256;

TEST(ModelPrefill, IsTwoFlopAWeightAndTokenAndTheAttention) {
  // Every token meets every layer's weights once; the logits of the last token are computed on each of the four ring ranks.
  // A causal sequence has S(S + 1)/2 pairs, 4 · 128 · 32 FLOP each in 32 layers.
  const std::vector<Program> programs = prefill_programs(prefill(8192, 4));
  ASSERT_EQ(programs.size(), 1U);
  EXPECT_DOUBLE_EQ(dense_flop(programs[0]), 2 * layer_weights * 32 * 8192 + 2 * logits_weights * 4);
  EXPECT_DOUBLE_EQ(in_flop(useful_flop(programs[0], Pass::forward)), 8192.0 * 8193 / 2 * 4 * 128 * 32 * 32);
  // Loops stay loops.
  std::size_t written = 0;
  for_each_operation(programs[0].body, [&](const Operation&) { ++written; });
  EXPECT_LT(written, 50U);
}

TEST(ModelPrefill, ChunksAreTheWholeInParts) {
  // Four chunks of 2,048 behind each other have the pairs and the products of the whole; the last of them the logits.
  Scenario s = prefill(8192, 4);
  s.workload.chunk = 2048;
  const std::vector<PhaseProgram> phases = programs_of(s);
  ASSERT_EQ(phases.size(), 4U);
  double dense = 0;
  double attention = 0;
  for (const PhaseProgram& phase : phases) {
    EXPECT_EQ(phase.continues, &phase != &phases.front());
    dense += dense_flop(phase.program);
    attention += in_flop(useful_flop(phase.program, Pass::forward));
  }
  EXPECT_DOUBLE_EQ(dense, 2 * layer_weights * 32 * 8192 + 2 * logits_weights * 4);
  EXPECT_DOUBLE_EQ(attention, 8192.0 * 8193 / 2 * 4 * 128 * 32 * 32);
}

TEST(ModelPrefill, TensorParallelismReducesTwiceALayer) {
  // An all-reduce of 4,096 elements of two bytes a token behind attention and behind the MLP, one more behind the embedding:
  // 65 of them. Under sequence parallelism each is a reduce-scatter and an all-gather; the embedding is only scattered.
  Scenario s = prefill(8192, 1);
  s.parallel.tensor = 8;
  const Program whole = prefill_programs(s)[0];
  EXPECT_EQ(collected(whole, CollectiveKind::all_reduce, Group::tensor).times, 65);
  EXPECT_DOUBLE_EQ(collected(whole, CollectiveKind::all_reduce, Group::tensor).bytes, 65.0 * 8192 * 4096 * 2);
  s.parallel.sequence_parallel = true;
  const Program divided = prefill_programs(s)[0];
  EXPECT_EQ(collected(divided, CollectiveKind::all_reduce, Group::tensor).times, 0);
  EXPECT_EQ(collected(divided, CollectiveKind::reduce_scatter, Group::tensor).times, 65);
  EXPECT_DOUBLE_EQ(collected(divided, CollectiveKind::reduce_scatter, Group::tensor).bytes, 65.0 * 8192 * 4096 * 2);
}

TEST(ModelPrefill, SequencesFollowEachOtherThroughStages) {
  // Four stages of eight layers, three sequences, a kernel of 1 s a layer: 8 s a stage and sequence. The third sequence leaves
  // the first stage after 24 s and then passes three more.
  Scenario s = prefill(8192, 1);
  s.workload.batch = 3;
  s.parallel.pipeline = 4;
  const Program program = prefill_programs(s)[0];
  EXPECT_EQ(program.shape.heads.batch, 1);
  const programs::Clock clock = programs::run(program, [](const Operation& operation, std::int64_t) {
    return std::holds_alternative<Attend>(operation.what) ? 1.0 : 0.0;
  });
  EXPECT_DOUBLE_EQ(clock.makespan, 24 + 3 * 8);
  EXPECT_EQ(clock.waits_for_nothing, 0U);
}

}  // namespace
}  // namespace ringsim::sim
