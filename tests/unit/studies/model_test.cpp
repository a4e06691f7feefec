// Studies of whole models: the floor of a training step, chunks of a prefill, context against tensor parallelism, the plan of a
// large job.

#include "models/memory.hpp"
#include "tests/unit/studies/study.hpp"

#include <gtest/gtest.h>

namespace ringsim::studies {
namespace {

// Work of a step on one sequence of 524,288 tokens, Llama 3 8B: attention 2 · S² · 4,096 · 32 layers = 7.21e16 FLOP forward, 3.5 times
// that with the backward pass: 2.522e17. Matrix products 6 · N · S with the 7.505e9 parameters that tokens are multiplied by (8.03e9
// less the table of embeddings): 2.361e16. Over 32 GPUs at 400 TFLOP/s that is 21.55 s, so 760 tokens/s a GPU at most. Computing
// layers again adds a forward pass of them, 7.21e16 + 2 · 6.98e9 · S: 27.8 s. Blocks of 16,384 tokens hide their hops.
TEST(FloorOfAStep, IsTwentyTwoSeconds) {
  const double tokens = 524288;
  const double attention = 2 * tokens * tokens * 4096 * 32;
  const double least = (3.5 * attention + 6 * 7.505e9 * tokens) / 32 / 400e12;
  EXPECT_NEAR(least, 21.55, 0.01);
  const auto p = predicted("floor-of-a-step", {"training.recompute=none"});
  ASSERT_TRUE(p.step_time_s);
  EXPECT_GE(*p.step_time_s, least * 0.999);
  EXPECT_LE(*p.step_time_s, least * 1.05);
  const auto again = predicted("floor-of-a-step");
  EXPECT_NEAR(*again.step_time_s - *p.step_time_s, (attention + 2 * 6.98e9 * tokens) / 32 / 400e12, 0.2);
  EXPECT_TRUE(again.memory.fits());
}

// 61,440 tokens in passes of 8,192 are 7.5 passes of 2,048 tokens a rank. Each sends all keys and values before it around the ring
// again, behind kernels of 2,048 rows: the keys and values of half the prompt on average, 4.5 times in all what one pass sends. Fewer
// and larger passes are faster, and one is fastest.
TEST(ChunksUnderContextParallelism, OughtToGrowWithTheRing) {
  const auto passes_of = [](const char* chunk) {
    const auto p = predicted("chunks-under-context-parallelism", {std::string("workload.chunk=") + chunk});
    return p.ttft_s.value();
  };
  const double small = passes_of("8Ki");
  const double large = passes_of("32Ki");
  const double whole = passes_of("60Ki");
  EXPECT_LT(large, small);
  EXPECT_LE(whole, large);
}

// Both ways a GPU computes the same. Tensor parallelism of 16 reduces 65,536 · 8,192 features of 2 B = 1.074 GB twice a layer: a rank
// sends 2 · 15/16 of it each time, an eighth of that between the nodes, since eight ranks a node share the way: 252 MB. The ring
// sends K and V of the one head of a rank and its 32,768 tokens, 16.8 MB a layer, a 30th, and behind kernels.
TEST(ContextOrTensorForPrefill, ContextCrossesNodesForLess) {
  const auto context = predicted("context-or-tensor-for-prefill");
  const auto tensor = predicted("context-or-tensor-for-prefill", {"parallel.tensor=16", "parallel.ring=1"});
  ASSERT_TRUE(context.ttft_s && tensor.ttft_s);
  EXPECT_LT(*context.ttft_s, *tensor.ttft_s);
  const auto between_nodes = [](const sim::Prediction& p) {
    double bytes = 0;
    for (const auto& one : p.traffic) bytes += one.inter_node ? one.bytes_per_rank : 0;
    return bytes;
  };
  EXPECT_NEAR(between_nodes(context), 80 * 2.0 * 32768 * 128 * 2, 1.0);
  EXPECT_NEAR(between_nodes(tensor) / between_nodes(context), 30, 0.5);
}

// The recipe for 1 Mi tokens has 64 ranks a sequence: 16,384 tokens each. A quarter of the tokens on as many a rank: a ring of 16, and
// 128 = 2 · 16 · 4 GPUs. It fits, and so do the steps' hops: the blocks are as large as there.
TEST(SixteenNodes256K, AsManyTokensARankAsTheRecipe) {
  const Scenario s = study("sixteen-nodes-256k");
  EXPECT_EQ(s.workload.tokens / s.parallel.ring, 1048576 / 64);
  EXPECT_EQ(s.parallel.product(), 128);
  EXPECT_TRUE(memory_of_rank(s).fits());
  const auto p = predicted("sixteen-nodes-256k");
  EXPECT_EQ(p.idle_gpus, 0);
  EXPECT_GT(p.step_time_s.value(), 0);
}

// Llama 3 405B on 16,384 GPUs: 380 TFLOP/s a GPU of 989, 38 % MFU, is what its authors measured (arXiv 2407.21783, table 4). The
// pipeline of 16 stages with 16 micro-batches and 4 pieces a stage idles for at least 15/(4 · 16 + 15) = 19 % of what it works, 16 % of
// the step; without pieces it is 15/31 = 48 %. The prediction knows no stragglers, power limits or data loading: up to 15 % faster.
TEST(Llama405BOn16KGpus, IsAboutAsFastAsItWas) {
  const auto p = predicted("llama3-405b-16k-gpus");
  EXPECT_EQ(p.ranks, 16384);
  EXPECT_EQ(p.stages, 16);
  EXPECT_EQ(p.micro_batches, 16);
  EXPECT_TRUE(p.memory.fits());
  EXPECT_GT(p.mfu, 0.38);
  EXPECT_LT(p.mfu, 0.38 * 1.15);
  const auto whole = predicted("llama3-405b-16k-gpus", {"training.interleave=1"});
  const auto idle = [](const sim::Prediction& of) { return of.per_rank.front().bubble_s / of.makespan_s; };
  EXPECT_NEAR(idle(p), 15.0 / 79.0, 0.03);
  EXPECT_EQ(p.bottleneck.name, "pipeline bubble");
  EXPECT_NE(p.bottleneck.sentence.find("costs 19.0 %"), std::string::npos) << p.bottleneck.sentence;
  EXPECT_NEAR(idle(whole), 15.0 / 31.0, 0.03);
}

}  // namespace
}  // namespace ringsim::studies
