// Memory under scope model: every term against a count by hand (users' cases C20 to C24, C27).
#include "models/largest_context.hpp"
#include "models/memory.hpp"
#include "models/stages.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

double term(const Memory& m, const char* name) { return in_bytes(m.of(name)); }

std::string divided(const Memory& m, const std::string& name) {
  for (const MemoryTerm& t : m.terms) {
    if (t.name == name) return t.divided_by;
  }
  return "no such term";
}

Scenario training(const Transformer& model, std::int64_t tokens, std::int64_t ring = 1) {
  Scenario s = shapes::scenario(model, tokens, ring, Layout::zigzag);
  s.workload.phase = Phase::train;
  s.workload.scope = Scope::model;
  s.training.zero = 0;
  return s;
}

// Qwen3-32B.
Transformer qwen3_32b() { return shapes::dense(64, 5120, 64, 8, 128, 25600, 151936); }

TEST(Stages, HoldTheRemainderOfTheLayersFirst) {
  // 10 layers on 4 stages: 3, 3, 2, 2. In two pieces a stage: pieces of 2, 2, 1, 1, 1, 1, 1, 1.
  EXPECT_THAT(layers_of_stage(10, 4, 1, 1), ElementsAre(LayerRun{3, 3}));
  EXPECT_THAT(layers_of_stage(10, 4, 1, 3), ElementsAre(LayerRun{8, 2}));
  EXPECT_THAT(layers_of_stage(10, 4, 2, 1), ElementsAre(LayerRun{2, 2}, LayerRun{7, 1}));
}

TEST(Stages, KeepAsManyMicroBatchesAsStagesFollow) {
  // 1F1B of 4 stages: the first keeps 4, the last 1; with 2 micro-batches no more than these.
  EXPECT_EQ(pieces_in_flight(4, 1, 8, 0), 4);
  EXPECT_EQ(pieces_in_flight(4, 1, 8, 3), 1);
  EXPECT_EQ(pieces_in_flight(4, 1, 2, 0), 2);
  // Two pieces a stage: 8 + 3 = 11 pieces of an eighth of the layers, 1 + (4 - 1)/(4·2) of the model.
  EXPECT_EQ(pieces_in_flight(4, 2, 8, 0), 11);
}

TEST(SavedActivations, OfMultiHeadAttentionAndAPlainMlpAre32BytesATokenAndHiddenElement) {
  // Korthikanti et al. count 34 for 16-bit activations, without the scores; two of them are dropout masks. LSE comes on top: 4 B
  // a head. The final norm's input and output are 4 B a hidden element once.
  Transformer m = shapes::dense(3, 512, 4, 4, 128, 2048, 1000);
  m.feed_forward->gated = false;
  Scenario s = training(m, 100);
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "saved_activations"), 100.0 * (3 * (32 * 512 + 4 * 4) + 4 * 512));
  // Selective computes both norms' outputs (4) and the activation function's (2 · 4) again.
  s.training.recompute = Recompute::selective;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "saved_activations"), 100.0 * (3 * (20 * 512 + 4 * 4) + 4 * 512));
  // Full keeps a layer's input (2), and one layer's activations while it is computed again.
  s.training.recompute = Recompute::full;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "saved_activations"), 100.0 * (3 * 2 * 512 + 4 * 512));
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "recomputed_layer"), 100.0 * (32 * 512 + 4 * 4));
}

TEST(SavedActivations, AreDividedByTensorExceptForNormsUnlessSequenceParallelismDividesThoseToo) {
  Transformer m = shapes::dense(3, 512, 4, 4, 128, 2048, 1000);
  m.feed_forward->gated = false;
  Scenario s = training(m, 100);
  s.parallel.tensor = 2;
  // 8 of the 32 bytes are inputs and outputs of norms.
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "saved_activations"), 100.0 * (3 * ((8 + 12) * 512 + 2 * 4) + 4 * 512));
  s.parallel.sequence_parallel = true;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "saved_activations"), 100.0 * (3 * (16 * 512 + 2 * 4) + 2 * 512));
}

TEST(SavedActivations, OfGroupedHeadsAndAGatedMlp) {
  // Llama-3-8B, e = 2, a token and layer: norms 4 · 4096, Q and O 2 · 4096, K and V 2 · 1024, gate, up and their product
  // 3 · 14336 elements; LSE of 32 heads.
  const double layer = 2.0 * (4 * 4096 + 2 * 4096 + 2 * 1024 + 3 * 14336) + 4 * 32;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(training(shapes::llama3_8b(), 1000)), "saved_activations"),
                   1000.0 * (32 * layer + 2.0 * 2 * 4096));
}

TEST(SavedActivations, OfAMixtureAreThoseOfTheExpertsATokenVisits) {
  // Mixtral, e = 2: 2 of 8 experts of 14336 units, their inputs and outputs 2 · 2 · 4096 elements, 8 router scores of 4 B. A rank
  // whose experts are visited 1.5 times as often as the mean keeps 1.5 times as much of them.
  const double attention = 2.0 * (4 * 4096 + 2 * 4096 + 2 * 1024) + 4 * 32;
  const double experts = 2.0 * (3 * 2 * 14336 + 2 * 2 * 4096);
  const double ends = 2.0 * 2 * 4096;
  Scenario s = training(shapes::mixtral_8x7b(), 1000);
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "saved_activations"), 1000.0 * (32 * (attention + experts + 4 * 8) + ends));
  s.parallel.load_imbalance = 1.5;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "saved_activations"),
                   1000.0 * (32 * (attention + 1.5 * experts + 4 * 8) + ends));
}

TEST(Pipelines, KeepOneModelOfActivationsOnTheFirstStageAndMoreWhenInterleaved) {
  Transformer m = shapes::dense(8, 512, 4, 4, 128, 2048, 1000);
  m.feed_forward->gated = false;
  Scenario s = training(m, 100);
  s.workload.batch = 8;
  const double layer = 100.0 * (32 * 512 + 4 * 4);
  s.parallel.pipeline = 4;
  EXPECT_DOUBLE_EQ(term(memory_of_stage(s, 0), "saved_activations"), 4 * 2 * layer);
  EXPECT_DOUBLE_EQ(term(memory_of_stage(s, 2), "saved_activations"), 2 * 2 * layer);
  s.training.interleave = 2;
  EXPECT_DOUBLE_EQ(term(memory_of_stage(s, 0), "saved_activations"), 11 * layer);
  // Of 2 micro-batches no more are in flight.
  s.training.interleave = 1;
  s.workload.batch = 2;
  EXPECT_DOUBLE_EQ(term(memory_of_stage(s, 0), "saved_activations"), 2 * 2 * layer);
}

TEST(Pipelines, PutTheEmbeddingFirstAndTheHeadLastAndTheFullestStageCounts) {
  Scenario s = training(shapes::llama3_8b(), 4096);
  s.parallel.pipeline = 4;
  const double layers = 8 * (2.0 * 4096 * 4096 + 2.0 * 4096 * 1024 + 3.0 * 4096 * 14336 + 2 * 4096);
  const double matrix = 128256.0 * 4096;
  EXPECT_DOUBLE_EQ(term(memory_of_stage(s, 0), "weights"), 2 * (layers + matrix));
  EXPECT_DOUBLE_EQ(term(memory_of_stage(s, 1), "weights"), 2 * layers);
  EXPECT_DOUBLE_EQ(term(memory_of_stage(s, 3), "weights"), 2 * (layers + matrix + 4096));
  EXPECT_EQ(term(memory_of_stage(s, 0), "logits"), 0.0);
  EXPECT_DOUBLE_EQ(term(memory_of_stage(s, 3), "logits"), 4.0 * 128256 * 4096);
  const Memory fullest = memory_of_rank(s);
  for (std::int64_t stage = 0; stage < 4; ++stage) EXPECT_LE(memory_of_stage(s, stage).total, fullest.total);
  // One micro-batch, so that all stages keep the same activations: the head with its logits decides.
  EXPECT_EQ(fullest.stage, 3);
}

TEST(ZeRO, DividesOptimiserGradientsAndParametersInTurn) {
  // 6,738,415,616 parameters on 8 data ranks: 2 B of weights, 4 of gradients, 12 of optimiser (Rajbhandari et al.: 16 with
  // gradients in 16 bits).
  const double psi = 6738415616.0;
  Scenario s = training(shapes::llama2_7b(), 128);
  s.workload.batch = 8;
  s.parallel.data = 8;
  const std::array<std::array<double, 3>, 4> divisors = {{{1, 1, 1}, {1, 1, 8}, {1, 8, 8}, {8, 8, 8}}};
  for (std::int64_t zero = 0; zero <= 3; ++zero) {
    s.training.zero = zero;
    const Memory m = memory_of_rank(s);
    const auto& by = divisors[static_cast<std::size_t>(zero)];
    EXPECT_DOUBLE_EQ(term(m, "weights"), 2 * psi / by[0]) << zero;
    EXPECT_DOUBLE_EQ(term(m, "weight_gradients"), 4 * psi / by[1]) << zero;
    EXPECT_DOUBLE_EQ(term(m, "optimizer"), 12 * psi / by[2]) << zero;
  }
  // From stage 2 on a layer's gradients wait to be reduced: 202,383,360 of them.
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "gradient_bucket"), 4 * 202383360.0);
  // Stage 3 gathers a layer ahead of the one at work: 202,383,360 parameters each.
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "gathered_weights"), 2 * 2 * 202383360.0);
}

TEST(ZeRO, DividesExpertsByTheRanksThatHoldTheSameOnes) {
  // Mixtral, expert 8 over 16 data ranks: a rank holds 1 of 8 experts, 32 · 3 · 4096 · 14336 parameters, and shares it with one
  // other rank; all else it shares with 15.
  Scenario s = training(shapes::mixtral_8x7b(), 128);
  s.workload.batch = 16;
  s.parallel.data = 16;
  s.parallel.expert = 8;
  const double expert = 32 * 3.0 * 4096 * 14336;
  const double rest = *parameters(s.model) - 8 * expert;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "weights"), 2 * (rest + expert));
  s.training.zero = 1;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "optimizer"), 12 * (rest / 16 + expert / 2));
}

TEST(Cases, Qwen32BAt128KHolds86GBOfCheckpointsAnd80GBOfLogitsDividedByTensorAndRing) {
  // 64 · 131072 · 5120 · 2 B and 4 · 151936 · 131072 B. Tensor 8 with sequence parallelism divides both by 8.
  Scenario s = training(qwen3_32b(), 131072);
  s.parallel.tensor = 8;
  s.parallel.sequence_parallel = true;
  s.training.recompute = Recompute::full;
  const double checkpoints = 64.0 * 131072 * 5120 * 2;
  const double final_norm = 2.0 * 131072 * 5120 * 2;
  EXPECT_NEAR(checkpoints, 85.9e9, 0.05e9);
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "saved_activations"), (checkpoints + final_norm) / 8);
  EXPECT_NEAR(term(memory_of_rank(s), "logits"), 79.66e9 / 8, 0.01e9);
  s.parallel.ring = 4;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "saved_activations"), (checkpoints + final_norm) / 32);
  // A loss over 4,096 tokens at a time needs 4 · 151936 / 8 · 4096 B, whatever the length.
  s.training.logits_chunk = 4096;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "logits"), 4.0 * 151936 / 8 * 4096);
}

TEST(Cases, A60LayerModelAt256KHolds165Or169GBOfCheckpoints) {
  // 60 · 5376 · 2 B = 645,120 B a token: 165.15 GB at 256,000 tokens, 169.1 GB at 262,144; a ring of 4 leaves 42.3 GB.
  const Transformer m = shapes::dense(60, 5376, 32, 16, 168, 21504, 262144);
  const auto checkpoints = [&](std::int64_t tokens, std::int64_t ring) {
    Scenario s = training(m, tokens, ring);
    s.training.recompute = Recompute::full;
    const double final_norm = static_cast<double>(tokens / ring) * 2 * 5376 * 2;
    return term(memory_of_rank(s), "saved_activations") - final_norm;
  };
  EXPECT_NEAR(checkpoints(256000, 1), 165.15e9, 0.01e9);
  EXPECT_NEAR(checkpoints(262144, 1), 169.11e9, 0.01e9);
  EXPECT_NEAR(checkpoints(262144, 4), 42.28e9, 0.01e9);
}

TEST(Cases, ARingDividesTokensAndNothingElseUnlessTheOptimiserIsShared) {
  Scenario one = training(shapes::llama3_8b(), 8192, 1);
  Scenario two = training(shapes::llama3_8b(), 8192, 2);
  const Memory a = memory_of_rank(one);
  const Memory b = memory_of_rank(two);
  for (const char* same : {"weights", "weight_gradients", "optimizer"}) {
    EXPECT_DOUBLE_EQ(term(a, same), term(b, same)) << same;
    EXPECT_EQ(divided(b, same), "nothing") << same;
  }
  EXPECT_DOUBLE_EQ(term(a, "saved_activations"), 2 * term(b, "saved_activations"));
  EXPECT_DOUBLE_EQ(term(a, "logits"), 2 * term(b, "logits"));
  EXPECT_THAT(divided(b, "logits"), HasSubstr("ring 2"));
  // Twice the sequences on twice the ranks hold the same.
  two.workload.batch = two.training.micro_batch = 2;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(two), "saved_activations"), term(a, "saved_activations"));
  // Ranks of a ring hold the same parameters: ZeRO divides over them as well.
  two.training.zero = 1;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(two), "optimizer"), term(a, "optimizer") / 2);
}

TEST(Cases, AMaskOf128KTokensIs16GiBOfHostMemory) {
  // 131,072² bytes are 2^34; 65,536² are 2^32.
  const auto warned = host_memory_warnings(training(qwen3_32b(), 131072, 4));
  ASSERT_EQ(warned.size(), 1U);
  EXPECT_THAT(warned[0], HasSubstr("= 16 GiB"));
  EXPECT_THAT(host_memory_warnings(training(qwen3_32b(), 65536, 4)).at(0), HasSubstr("= 4 GiB"));
  EXPECT_TRUE(host_memory_warnings(training(qwen3_32b(), 16384, 4)).empty());
}

TEST(Exchange, NeedsBuffersOfItsOwn) {
  // Llama-3-8B, 8 ranks, blocks of 1,000: K and V 4,096 B a token and layer, Q 8,192 B, O 8,192 B and LSE 128 B.
  Scenario s = shapes::scenario(shapes::llama3_8b(), 8000, 8, Layout::contiguous);
  s.ring.exchange = Exchange::both_ways;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "ring_buffers"), 2 * 4096.0 * 1000) << "halves, twice";
  s.ring.exchange = Exchange::two_level;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "ring_buffers"), 4 * 4096.0 * 1000);
  s.ring.exchange = Exchange::all_gather;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "ring_buffers"), 4096.0 * 8000);
  EXPECT_EQ(term(memory_of_rank(s), "output_accumulator"), 0.0) << "one kernel, nothing to merge";
  s.ring.exchange = Exchange::one_way;
  s.ring.travels = Rotation::q;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "ring_buffers"), 2 * 8192.0 * 1000);
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "partial_outputs"), 2 * 8 * (8192.0 + 128) * 1000);
}

TEST(Exchange, UlyssesDividesHeadsInsteadOfTokensAndReplicatesKeysBeyondTheirNumber) {
  // 8,000 tokens on ulysses 8 x ring 1: 4 query heads and 1 K/V head over the whole sequence. On ulysses 32 the K/V head stays.
  Scenario s = shapes::scenario(shapes::llama3_8b(), 8000, 1, Layout::contiguous);
  s.parallel.ulysses = 8;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "kv_cache"), 131072.0 / 8 * 8000);
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "ulysses_buffers"), 8000.0 * (4 + 2) * 128 * 2);
  s.parallel.ulysses = 32;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "kv_cache"), 131072.0 / 8 * 8000);
}

TEST(Prefill, InChunksKeepsTheWholeCacheAndActivationsOfAChunk) {
  Scenario s = shapes::scenario(shapes::llama3_8b(), 8192, 1, Layout::zigzag);
  s.workload.scope = Scope::model;
  const double mlp = 3 * 14336.0 * 2;  // gate, up and product: more than Q, K, V and O
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "activations"), 8192 * mlp);
  s.workload.chunk = 2048;
  s.workload.cached = 4096;
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "activations"), 2048 * mlp);
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "kv_cache"), 131072.0 * (8192 + 4096));
  EXPECT_DOUBLE_EQ(term(memory_of_rank(s), "logits"), 4.0 * 128256) << "of the last token";
}

TEST(Overheads, AreTermsOfTheirOwn) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 10000, 1, Layout::contiguous);
  const double before = in_bytes(memory_of_rank(s).total);
  s.serving.memory_reserve = 0.1;
  s.serving.fragmentation = 0.2;
  s.serving.communication_buffers = bytes(1e9);
  const Memory m = memory_of_rank(s);
  EXPECT_DOUBLE_EQ(term(m, "engine_reserve"), 8e9);
  EXPECT_DOUBLE_EQ(term(m, "fragmentation"), before / 4) << "a fifth of what is then allocated";
  EXPECT_DOUBLE_EQ(in_bytes(m.total), before + before / 4 + 9e9);
}

TEST(LargestContext, IsTheLastLegalLengthThatFits) {
  Scenario s = training(shapes::llama3_8b(), 8192, 8);
  s.training.recompute = Recompute::full;
  s.training.zero = 1;
  const auto longest = largest_context(s);
  ASSERT_TRUE(longest);
  EXPECT_EQ(*longest % 16, 0) << "2 x ring";
  s.workload.tokens = *longest;
  EXPECT_TRUE(memory_of_rank(s).fits());
  s.workload.tokens = *longest + 16;
  EXPECT_FALSE(memory_of_rank(s).fits());
  // 70 B parameters and their optimiser fit on no GPU of 80 GB.
  EXPECT_FALSE(largest_context(training(shapes::llama3_70b(), 8192, 1)));
}

}  // namespace
}  // namespace ringsim
