// A layer around its attention as amounts of one rank: FLOP from the weights, traffic from the tokens, and how the axes divide
// both.
#include "models/block/ends.hpp"
#include "models/block/layer.hpp"
#include "models/dense_cost.hpp"
#include "models/memory.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringsim {
namespace {

Scenario scenario_of(const Transformer& model, Phase phase = Phase::train) {
  Scenario s = shapes::scenario(model, 65536, 1, Layout::zigzag);
  s.workload.phase = phase;
  return s;
}

std::vector<BlockStep> all(const LayerSteps& steps) {
  std::vector<BlockStep> list = steps.before;
  list.insert(list.end(), steps.after.begin(), steps.after.end());
  return list;
}

double flop_of_steps(const std::vector<BlockStep>& steps, double tokens, double sequences) {
  double total = 0;
  for (const BlockStep& step : steps) {
    if (const auto* work = std::get_if<DenseWork>(&step)) total += in_flop(flop_of(*work, tokens, sequences));
  }
  return total;
}

std::vector<CollectiveTraffic> collectives(const std::vector<BlockStep>& steps) {
  std::vector<CollectiveTraffic> found;
  for (const BlockStep& step : steps) {
    if (const auto* traffic = std::get_if<CollectiveTraffic>(&step)) found.push_back(*traffic);
  }
  return found;
}

std::vector<CollectiveKind> kinds(const std::vector<BlockStep>& steps) {
  std::vector<CollectiveKind> found;
  for (const CollectiveTraffic& traffic : collectives(steps)) found.push_back(traffic.kind);
  return found;
}

// Bytes that the elementwise passes move for a token.
double passed_bytes(const std::vector<BlockStep>& steps, double tokens) {
  double total = 0;
  for (const BlockStep& step : steps) {
    const auto* work = std::get_if<DenseWork>(&step);
    if (work == nullptr) continue;
    for (const auto& part : work->parts) {
      if (const auto* pass = std::get_if<Elementwise>(&part))
        total += in_bytes(pass->per_row) * pass->rows.of(tokens, 1);
    }
  }
  return total;
}

// Qwen3-30B-A3B: 48 layers of 2048, 32 heads over 4 of 128 elements, 8 of 128 experts of 768 hidden units.
Transformer qwen3_moe() {
  Transformer m = shapes::dense(48, 2048, 32, 4, 128, 6144, 151936);
  m.qk_norm = true;
  m.feed_forward->experts = 128;
  m.feed_forward->experts_per_token = 8;
  m.feed_forward->expert_intermediate = 768;
  return m;
}

TEST(Block, MultipliesEveryTokenWithEveryWeightAndTwiceMoreOnTheWayBack) {
  // Llama-3-8B, a layer: 4096·128·(32 + 2·8) + 4096·4096 in attention and 3·4096·14,336 in the MLP, 218,103,808 weights. Two FLOP
  // a weight and token; dX and dW of every product are as large as itself.
  const BlockShape shape = block_shape(scenario_of(shapes::llama3_8b()), 3);
  EXPECT_EQ(flop_of_steps(all(layer_forward(shape, 0)), 1000, 3), 2.0 * 218103808 * 3000);
  EXPECT_EQ(flop_of_steps(all(layer_backward(shape, 0)), 1000, 3), 4.0 * 218103808 * 3000);
  EXPECT_TRUE(collectives(all(layer_forward(shape, 0))).empty()) << "one rank sends nothing";
}

TEST(Block, TensorAndUlyssesRanksDoTheWorkOfOneTogether) {
  Scenario s = scenario_of(shapes::llama3_70b());
  const double one = flop_of_steps(all(layer_forward(block_shape(s, 1), 0)), 4096, 1);
  s.parallel.tensor = 8;
  s.parallel.ulysses = 2;
  EXPECT_DOUBLE_EQ(16 * flop_of_steps(all(layer_forward(block_shape(s, 1), 0)), 4096, 1), one);
  // 16 tensor ranks share 8 K/V heads: each head is on two of them, so the K/V projections are done twice over. Of
  // 2·8192·128·(64 + 16) + ... FLOP a token 2·8192·128·16 are theirs.
  s.parallel.tensor = 16;
  s.parallel.ulysses = 1;
  EXPECT_DOUBLE_EQ(16 * flop_of_steps(all(layer_forward(block_shape(s, 1), 0)), 4096, 1),
                   one + 2.0 * 8192 * 128 * 16 * 4096);
}

TEST(Block, LatentDownProjectionsAreWholeOnEveryTensorRank) {
  // DeepSeek-V3 projects 7168 elements to 1536 and to 512 + 64 before heads exist that could be divided.
  Scenario s = scenario_of(shapes::deepseek_v3());
  const double one = flop_of_steps(layer_forward(block_shape(s, 1), 0).before, 1, 1);
  s.parallel.tensor = 8;
  EXPECT_DOUBLE_EQ(8 * flop_of_steps(layer_forward(block_shape(s, 1), 0).before, 1, 1),
                   one + 7 * 2.0 * 7168 * (1536 + 576));
}

TEST(Block, LatentPrefillExpandsItsPartOfTheCachedPrefix) {
  // 8192 tokens in the cache of 4 ring ranks: 2048 of them on each, which are expanded by 512 → 128·(128 + 128).
  Scenario s = scenario_of(shapes::deepseek_v3(), Phase::prefill);
  s.parallel.ring = 4;
  const double fresh = flop_of_steps(layer_forward(block_shape(s, 1), 0).before, 1024, 2);
  s.workload.cached = 8192;
  EXPECT_DOUBLE_EQ(flop_of_steps(layer_forward(block_shape(s, 1), 0).before, 1024, 2),
                   fresh + 2.0 * 512 * 128 * 256 * 2048 * 2);
}

TEST(Block, TensorRanksAddUpTwiceALayerAndPass) {
  // Llama-3-70B, bf16: 8192 elements, 16,384 B a token. Forward behind attention and MLP, backward ahead of them.
  Scenario s = scenario_of(shapes::llama3_70b());
  s.parallel.tensor = 8;
  const BlockShape shape = block_shape(s, 2);
  for (const LayerSteps& steps : {layer_forward(shape, 0), layer_backward(shape, 0)}) {
    ASSERT_EQ(kinds(all(steps)), (std::vector{CollectiveKind::all_reduce, CollectiveKind::all_reduce}));
    for (const CollectiveTraffic& traffic : collectives(all(steps))) {
      EXPECT_EQ(traffic.group, Group::tensor);
      EXPECT_EQ(in_bytes(traffic.bytes_per_token), 2 * 16384.0) << "over two sequences";
    }
  }
  // Forward: the sum of attention's outputs stands right behind it; backward: it ends what leads to attention.
  EXPECT_TRUE(collectives(layer_forward(shape, 0).before).empty());
  EXPECT_EQ(collectives(layer_backward(shape, 0).after).size(), 1U);
}

TEST(Block, SequenceParallelismSendsTheSameInTwoHalvesAndDividesNormsAndResiduals) {
  Scenario s = scenario_of(shapes::llama3_70b());
  s.parallel.tensor = 8;
  const double whole = passed_bytes(all(layer_forward(block_shape(s, 1), 0)), 64);
  s.parallel.sequence_parallel = true;
  const BlockShape shape = block_shape(s, 1);
  using enum CollectiveKind;
  const std::vector<CollectiveKind> expected{all_gather, reduce_scatter, all_gather, reduce_scatter};
  EXPECT_EQ(kinds(all(layer_forward(shape, 0))), expected);
  EXPECT_EQ(kinds(all(layer_backward(shape, 0))), expected) << "their transposes in reverse";
  for (const CollectiveTraffic& traffic : collectives(all(layer_forward(shape, 0))))
    EXPECT_EQ(in_bytes(traffic.bytes_per_token), 16384.0);
  // Two norms of 2 and two residuals of 3 passes over 16,384 B a token: 7/8 of them go to the others.
  EXPECT_DOUBLE_EQ(passed_bytes(all(layer_forward(shape, 0)), 64), whole - 10 * 16384.0 * 64 * 7 / 8);
}

TEST(Block, ExpertsGetAsManyTokensAsTheirRanksGive) {
  // A token goes to 8 experts: 8·2048 elements of 2 B out, as many back; FLOP of 8 experts of 3·2048·768 weights a token, however
  // many ranks divide the 128.
  Scenario s = scenario_of(qwen3_moe());
  const double one = flop_of_steps(all(layer_forward(block_shape(s, 1), 0)), 512, 1);
  EXPECT_EQ(one, 2.0 * 512 * (2048 * 128 * 40 + 4096 * 2048 + 2048 * 128 + 8 * 3 * 2048 * 768));
  s.parallel.data = 8;
  s.parallel.expert = 8;
  const BlockShape shape = block_shape(s, 1);
  EXPECT_DOUBLE_EQ(flop_of_steps(all(layer_forward(shape, 0)), 512, 1), one);
  for (const LayerSteps& steps : {layer_forward(shape, 0), layer_backward(shape, 0)}) {
    const std::vector<CollectiveTraffic> sent = collectives(all(steps));
    ASSERT_EQ(sent.size(), 2U);
    for (const CollectiveTraffic& traffic : sent) {
      EXPECT_EQ(traffic.kind, CollectiveKind::all_to_all);
      EXPECT_EQ(traffic.group, Group::expert);
      EXPECT_EQ(in_bytes(traffic.bytes_per_token), 32768.0);
    }
  }
}

TEST(Block, AnUnevenRouterMakesTheFullestRankSlowerAndTheModelNoLarger) {
  Scenario s = scenario_of(qwen3_moe());
  s.parallel.data = 8;
  s.parallel.expert = 8;
  const DenseCosts costs(s.profile, s.cluster.gpu);
  const auto experts_time = [&] {
    double total_s = 0;
    for (const BlockStep& step : layer_forward(block_shape(s, 1), 0).after) {
      const auto* work = std::get_if<DenseWork>(&step);
      if (work == nullptr || work->name != "experts") continue;
      total_s += in_seconds(costs.time(*work, 65536, 1));
    }
    return total_s;
  };
  const double even_s = experts_time();
  const double flops = flop_of_steps(all(layer_forward(block_shape(s, 1), 0)), 65536, 1);
  s.parallel.load_imbalance = 1.5;
  EXPECT_GT(even_s, 0);
  EXPECT_DOUBLE_EQ(experts_time(), 1.5 * even_s) << "compute-bound: half as many rows more, half as long again";
  EXPECT_EQ(flop_of_steps(all(layer_forward(block_shape(s, 1), 0)), 65536, 1), flops);
}

TEST(Block, ADecodeStepHasARowASequenceWhateverTheRing) {
  Scenario s = scenario_of(shapes::llama3_8b(), Phase::decode);
  s.parallel.ring = 8;
  const BlockShape shape = block_shape(s, 16);
  EXPECT_EQ(flop_of_steps(all(layer_forward(shape, 0)), 65536, 16), 2.0 * 218103808 * 16);
  s.parallel.tensor = 8;
  s.parallel.sequence_parallel = true;  // one token cannot be divided: all-reduces as without it
  const std::vector<CollectiveTraffic> sent = collectives(all(layer_forward(block_shape(s, 16), 0)));
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[0].kind, CollectiveKind::all_reduce);
  EXPECT_EQ(in_bytes(sent[0].bytes_per_token), 0.0);
  EXPECT_EQ(in_bytes(sent[0].fixed), 16 * 4096 * 2.0);
}

TEST(Block, DecodingRingRanksShareTheRowsOfExpertsThatTheyDivide) {
  // All 8 ring ranks hold the same tokens and 16 of 128 experts each: nothing has to go to the experts, each does an eighth of
  // the rows, and the results of all 8 experts of a token come back.
  Scenario s = scenario_of(qwen3_moe(), Phase::decode);
  s.parallel.ring = 8;
  const double one = flop_of_steps(all(layer_forward(block_shape(s, 1), 0)), 0, 64);
  s.parallel.expert = 8;
  const std::vector<BlockStep> steps = all(layer_forward(block_shape(s, 1), 0));
  const double of_experts = 2.0 * 64 * 8 * 3 * 2048 * 768;
  EXPECT_DOUBLE_EQ(flop_of_steps(steps, 0, 64), one - of_experts * 7 / 8);
  ASSERT_EQ(collectives(steps).size(), 1U);
  EXPECT_EQ(in_bytes(collectives(steps)[0].fixed), 32768.0);
}

TEST(Block, RecomputationRunsAllAgainOrWhatCostsNoProduct) {
  Scenario s = scenario_of(shapes::llama3_8b());
  s.parallel.tensor = 4;
  const BlockShape shape = block_shape(s, 1);
  const Recomputation none = layer_recomputation(shape, 0, Recompute::none);
  EXPECT_TRUE(all(none.steps).empty());
  EXPECT_FALSE(none.attention);
  const Recomputation full = layer_recomputation(shape, 0, Recompute::full);
  EXPECT_TRUE(full.attention);
  EXPECT_EQ(flop_of_steps(all(full.steps), 100, 1), flop_of_steps(all(layer_forward(shape, 0)), 100, 1));
  EXPECT_EQ(collectives(all(full.steps)).size(), 2U) << "with its all-reduces";
  // Two norms read and write 4096 elements, the activation reads two and writes one of 14,336 / 4: all of 2 B.
  const Recomputation selective = layer_recomputation(shape, 0, Recompute::selective);
  EXPECT_FALSE(selective.attention);
  EXPECT_EQ(flop_of_steps(all(selective.steps), 100, 1), 0.0);
  EXPECT_EQ(passed_bytes(all(selective.steps), 100), 100 * 2.0 * (2 * 2 * 4096 + 3 * 3584));
}

TEST(Block, Fp8IsForMatrixProductsOfLayersAlone) {
  Scenario s = scenario_of(shapes::llama3_8b(), Phase::prefill);
  s.workload.dtype = Dtype::fp8;
  const BlockShape shape = block_shape(s, 1);
  for (const BlockStep& step : all(layer_forward(shape, 0))) {
    for (const auto& part : std::get<DenseWork>(step).parts) {
      if (const auto* gemm = std::get_if<Gemm>(&part)) {
        EXPECT_EQ(gemm->dtype, Dtype::fp8) << gemm->name;
      }
    }
  }
  const std::vector<BlockStep> logits = last_logits(shape);
  const auto& head = std::get<DenseWork>(logits.front());
  EXPECT_EQ(std::get<Gemm>(head.parts.back()).dtype, Dtype::bf16);
  s.workload.dtype = Dtype::bf16;
  EXPECT_EQ(passed_bytes(all(layer_forward(shape, 0)), 10), passed_bytes(all(layer_forward(block_shape(s, 1), 0)), 10))
      << "norms and residuals stay in bf16";
}

// A checkpoint whose MLPs alone are quantised: 3 · 4,096 · 14,336 parameters a layer take one byte instead of two, and no other
// product changes its format.
TEST(Block, MlpsMayHaveAFormatOfTheirOwn) {
  Transformer quantised = shapes::llama3_8b();
  quantised.feed_forward->dtype = Dtype::fp8;
  int of_mlps = 0;
  for (const BlockStep& step : all(layer_forward(block_shape(scenario_of(quantised, Phase::prefill), 1), 0))) {
    const auto* work = std::get_if<DenseWork>(&step);
    if (work == nullptr) continue;
    for (const auto& part : work->parts) {
      const auto* gemm = std::get_if<Gemm>(&part);
      if (gemm == nullptr) continue;
      const bool of_mlp = gemm->name == "gate and up projections" || gemm->name == "down projection";
      EXPECT_EQ(gemm->dtype, of_mlp ? Dtype::fp8 : Dtype::bf16) << work->name << ": " << gemm->name;
      if (of_mlp) {
        EXPECT_EQ(gemm->matrix_bytes, 1.0);
        ++of_mlps;
      }
    }
  }
  EXPECT_EQ(of_mlps, 2);
  Scenario plain = scenario_of(shapes::llama3_8b(), Phase::prefill);
  plain.workload.scope = Scope::model;
  Scenario shorter = plain;
  shorter.model = quantised;
  const double saved = in_bytes(memory_of_rank(plain).of("weights")) - in_bytes(memory_of_rank(shorter).of("weights"));
  EXPECT_DOUBLE_EQ(saved, 32.0 * 3 * 4096 * 14336);
}

TEST(Ends, LogitsAreOfTheLastTokenOrOfAllInTraining) {
  // Llama-3-8B: 2·4096·128,256 FLOP a token; 4 tensor ranks have a quarter of the words each.
  Scenario s = scenario_of(shapes::llama3_8b());
  s.parallel.tensor = 4;
  const BlockShape shape = block_shape(s, 2);
  const double a_token = 2.0 * 4096 * 128256 / 4;
  EXPECT_DOUBLE_EQ(flop_of_steps(last_logits(shape), 1000, 2), 2 * a_token);
  EXPECT_DOUBLE_EQ(flop_of_steps(loss_forward(shape), 1000, 2), 2000 * a_token);
  EXPECT_DOUBLE_EQ(flop_of_steps(loss_backward(shape), 1000, 2), 2 * 2000 * a_token);
  // The embeddings of 4096 · 2 B are added up; the loss needs three numbers of 4 B a token; the head's gradient is added up.
  EXPECT_EQ(in_bytes(collectives(embedding_forward(shape)).at(0).bytes_per_token), 2 * 8192.0);
  EXPECT_TRUE(collectives(embedding_backward(shape)).empty());
  EXPECT_EQ(in_bytes(collectives(loss_forward(shape)).at(0).bytes_per_token), 2 * 12.0);
  EXPECT_EQ(in_bytes(collectives(loss_backward(shape)).at(0).bytes_per_token), 2 * 8192.0);
  // What is generated next is chosen from all words: 128,256 · 2 B of each of the two sequences.
  EXPECT_EQ(in_bytes(collectives(last_logits(shape)).at(0).fixed), 2 * 2 * 128256.0);
}

TEST(Ends, AndLayersNameWhatTheyMiss) {
  Scenario s = scenario_of(shapes::llama3_8b());
  s.model.vocabulary.reset();
  const auto where = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.where();
    }
    return std::string();
  };
  EXPECT_EQ(where([&] { static_cast<void>(embedding_forward(block_shape(s, 1))); }), "model.vocabulary");
  s.model.feed_forward.reset();
  EXPECT_EQ(where([&] { static_cast<void>(layer_forward(block_shape(s, 1), 0)); }), "model.feed_forward");
}

}  // namespace
}  // namespace ringsim
