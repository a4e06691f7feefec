// An optimiser step as a program: bytes of ZeRO's stages, what hides behind what, the bubble of a pipeline.
#include "models/block/optimizer.hpp"
#include "models/error.hpp"
#include "sim/schedules/model_program.hpp"
#include "tests/unit/models/shapes.hpp"
#include "tests/unit/sim/program_clock.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using programs::collected;

/// Llama-3-8B on `data` data-parallel ranks of one GPU each, one sequence of 4,096 tokens a rank, gradients in two bytes.
Scenario training(std::int64_t data, std::int64_t zero) {
  Scenario s = shapes::scenario(shapes::llama3_8b(), 4096, 1, Layout::contiguous);
  s.workload.phase = Phase::train;
  s.workload.scope = Scope::model;
  s.workload.batch = data;
  s.parallel.data = data;
  s.training.zero = zero;
  s.training.gradient_bytes = 2;
  return s;
}

constexpr double psi = 8'030'261'248;           // parameters of Llama-3-8B
constexpr double embedding = 128'256.0 * 4096;  // of which the embedding
constexpr double layer = (psi - 2 * embedding - 4096) / 32;

TEST(ModelTraining, ZeroMovesTwoOrThreeTimesTheParameters) {
  // In units of Ψ parameters of two bytes and (n - 1)/n: an all-reduce counts twice, a reduce-scatter and an all-gather once.
  //   0  all-reduce of gradients: 2
  //   1  reduce-scatter of gradients and all-gather of updated parameters: 1 + 1
  //   2  the same for one micro-batch
  //   3  parameters before the forward and before the backward pass, and gradients: 1 + 1 + 1, less the embedding's in
  //      the backward pass, which reads no parameters
  const auto all = [](std::int64_t zero, CollectiveKind kind) {
    return collected(training_program(training(8, zero)), kind, Group::gradient).bytes;
  };
  EXPECT_DOUBLE_EQ(all(0, CollectiveKind::all_reduce), 2 * psi);
  EXPECT_EQ(all(0, CollectiveKind::all_gather) + all(0, CollectiveKind::reduce_scatter), 0);
  for (const std::int64_t zero : {1, 2}) {
    EXPECT_DOUBLE_EQ(all(zero, CollectiveKind::reduce_scatter), 2 * psi) << zero;
    EXPECT_DOUBLE_EQ(all(zero, CollectiveKind::all_gather), 2 * psi) << zero;
    EXPECT_EQ(all(zero, CollectiveKind::all_reduce), 0) << zero;
  }
  EXPECT_DOUBLE_EQ(all(3, CollectiveKind::reduce_scatter), 2 * psi);
  EXPECT_DOUBLE_EQ(all(3, CollectiveKind::all_gather), 2 * (2 * psi - embedding));
  // Beside the computation or behind it, the bytes are the same.
  for (std::int64_t zero = 0; zero <= 3; ++zero) {
    Scenario late = training(8, zero);
    late.training.overlap = false;
    const Program program = training_program(late);
    for (const auto kind : {CollectiveKind::all_reduce, CollectiveKind::reduce_scatter, CollectiveKind::all_gather}) {
      EXPECT_DOUBLE_EQ(collected(program, kind, Group::gradient).bytes, all(zero, kind)) << zero;
    }
  }
}

TEST(ModelTraining, DividedGradientsAreReducedInEveryMicroBatch) {
  // Four micro-batches: ZeRO 1 adds their gradients up and reduces once, ZeRO 2 has no room for all of them. Parameters that
  // are updated once are gathered once.
  const auto of = [](std::int64_t zero, CollectiveKind kind) {
    Scenario s = training(8, zero);
    s.workload.batch = 32;
    return collected(training_program(s), kind, Group::gradient).bytes;
  };
  EXPECT_DOUBLE_EQ(of(1, CollectiveKind::reduce_scatter), 2 * psi);
  EXPECT_DOUBLE_EQ(of(2, CollectiveKind::reduce_scatter), 4 * 2 * psi);
  EXPECT_DOUBLE_EQ(of(2, CollectiveKind::all_gather), 2 * psi);
}

TEST(ModelTraining, BucketsCloseWhenTheyAreFull) {
  // A layer's gradients are 436 MB: one bucket a layer, and one each for embedding and head, are 34. Buckets of 1 GB take three
  // layers each: 11, the last one of two. Buckets of 100 MB cut each layer into five.
  const auto reductions = [](double bucket) {
    Scenario s = training(8, 0);
    s.training.bucket = bytes(bucket);
    return collected(training_program(s), CollectiveKind::all_reduce, Group::gradient);
  };
  EXPECT_NEAR(2 * layer, 436.2e6, 0.1e6);
  EXPECT_EQ(reductions(0).times, 34);
  EXPECT_EQ(reductions(1e9).times, 13);
  EXPECT_EQ(reductions(100e6).times, 5 * 32 + 2);
  EXPECT_NEAR(reductions(100e6).bytes, 2 * psi, 1);
}

/// Kernels of 10 s forward and 25 s backward, collectives of 1 s, all else at once.
double step_seconds(const Scenario& s) {
  return programs::run(training_program(s),
                       [](const Operation& operation, std::int64_t) {
                         if (const auto* attend = std::get_if<Attend>(&operation.what))
                           return attend->pass == Pass::forward ? 10.0 : 25.0;
                         return std::holds_alternative<Collective>(operation.what) ? 1.0 : 0.0;
                       })
      .makespan;
}

TEST(ModelTraining, ParametersAreGatheredOneLayerAhead) {
  // ZeRO 3, one rank, 32 layers of 10 + 25 s. Forward: the embedding's gather (1 s) hides behind nothing, nor the first layer's,
  // which begins when the embedding begins; the others begin with the layer before them. Backward: the head's begins when the
  // head's forward begins, which is when the last layer ends, and so does everything of the loss, which takes no time: 1 s; the
  // last layer's begins when the head begins: 1 s. At the end the first layer's and the embedding's reductions: 2 s.
  Scenario s = training(8, 3);
  EXPECT_DOUBLE_EQ(step_seconds(s), 32 * 35 + 2 + 2 + 2);
  // Nothing overlaps: 34 gathers, 33 without the embedding's, 34 reductions.
  s.training.overlap = false;
  EXPECT_DOUBLE_EQ(step_seconds(s), 32 * 35 + 34 + 33 + 34);
}

TEST(ModelTraining, GradientsAreReducedBehindTheLayersBeforeThem) {
  // ZeRO 1: the step begins with 34 gathers one after the other, of which the first two precede the first layer; each layer
  // takes longer than a gather. Reductions of the first layer and of the embedding are left at the end.
  Scenario s = training(8, 1);
  EXPECT_DOUBLE_EQ(step_seconds(s), 32 * 35 + 2 + 2);
  s.training.overlap = false;
  EXPECT_DOUBLE_EQ(step_seconds(s), 32 * 35 + 34 + 34);
  s.training.zero = 0;
  EXPECT_DOUBLE_EQ(step_seconds(s), 32 * 35 + 34);
}

TEST(ModelTraining, RecomputationRunsTheForwardAttentionAgain) {
  // Full: a layer's backward begins with its forward: 10 s more each. Selective saves outputs of attention.
  Scenario s = training(1, 0);
  EXPECT_DOUBLE_EQ(step_seconds(s), 32 * 35);
  s.training.recompute = Recompute::selective;
  EXPECT_DOUBLE_EQ(step_seconds(s), 32 * 35);
  s.training.recompute = Recompute::full;
  EXPECT_DOUBLE_EQ(step_seconds(s), 32 * 45);
}

TEST(ModelTraining, APipelineOfEqualStagesHasTheBubbleOf1F1B) {
  // 8 stages of 4 layers: a micro-batch takes a stage 4 · (10 + 25) = 140 s, 16 of them 2,240 s, and filling and draining
  // 7 · 140 s more: 7/23 of the step. Interleaved with two pieces of two layers, half of that. And no operation waits for what stands below
  // it: every wait finds its event recorded.
  Scenario s = training(1, 0);
  s.workload.batch = 16;
  s.parallel.pipeline = 8;
  s.cluster = shapes::dgx_h100(1);
  EXPECT_DOUBLE_EQ(step_seconds(s), 16 * 140 + 7 * 140);
  s.training.interleave = 2;
  EXPECT_DOUBLE_EQ(step_seconds(s), 16 * 140 + 7 * 70);
  const Program program = training_program(s);
  EXPECT_EQ(programs::run(program, [](const Operation&, std::int64_t) { return 1.0; }).waits_for_nothing, 0U);
  EXPECT_EQ(program.roles.size(), 8U);
  EXPECT_EQ(program.streams[program.compute_stream(3)], "compute stage 3");
  // Activations of a token: 4,096 elements of two bytes.
  for_each_operation(program.body, [](const Operation& operation) {
    const auto* send = std::get_if<Send>(&operation.what);
    if (send != nullptr) {
      EXPECT_EQ(in_bytes(send->bytes_per_token), 8192);
    }
  });
}

TEST(ModelTraining, MicroBatchesDivideTheSequences) {
  Scenario s = training(2, 1);
  s.workload.batch = 12;
  s.training.micro_batch = 4;
  try {
    (void)training_program(s);
    FAIL() << "six sequences in micro-batches of four";
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), "training.micro_batch");
    EXPECT_NE(e.hint().find("divisor of 6"), std::string::npos);
  }
}

TEST(ModelTraining, ExpertsAreReducedByThoseThatHoldThem) {
  // Mixtral on eight data-parallel ranks that divide the experts: each expert is on one rank, so its gradients stay. All else
  // is on all eight.
  Scenario s = training(8, 0);
  s.model = shapes::mixtral_8x7b();
  s.parallel.expert = 8;
  const RankParameters held = layer_of_rank(block_shape(s, 1), 0);
  const double ends = 2 * 32'000.0 * 4096 + 4096;
  EXPECT_DOUBLE_EQ(held.experts, 3.0 * 4096 * 14336);
  EXPECT_DOUBLE_EQ(collected(training_program(s), CollectiveKind::all_reduce, Group::gradient).bytes,
                   2 * (32 * held.shared + ends));
  // Over four of the eight: two ranks hold an expert. An all-reduce of s bytes among two sends s, among eight 7/4 · s: counted
  // as one of 4/7 · s among the eight.
  s.parallel.expert = 4;
  EXPECT_NEAR(collected(training_program(s), CollectiveKind::all_reduce, Group::gradient).bytes,
              2 * (32 * (held.shared + 2 * held.experts * 4 / 7) + ends), 10);
}

}  // namespace
}  // namespace ringsim::sim
