// Shapes of transformers: published parameter counts, and what is refused.
#include "models/transformer.hpp"

#include "models/error.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

TEST(Parameters, EqualThePublishedCounts) {
  // As their checkpoints count them.
  EXPECT_EQ(parameters(shapes::llama2_7b()), 6738415616.0);
  EXPECT_EQ(parameters(shapes::llama3_8b()), 8030261248.0);
  EXPECT_EQ(parameters(shapes::llama3_70b()), 70553706496.0);
  EXPECT_EQ(parameters(shapes::mixtral_8x7b()), 46702792704.0);
}

TEST(Parameters, ShareTheEmbeddingsWhereTheyAreTied) {
  // Llama-3.2-1B: 16 layers of 2048, 32 heads over 8 of 64 elements, 8192 hidden units, 128,256 words, tied.
  Transformer m = shapes::dense(16, 2048, 32, 8, 64, 8192, 128256);
  m.tied_embeddings = true;
  EXPECT_EQ(parameters(m), 1235814400.0);
}

TEST(Parameters, CountTheBiasesOfQwen2) {
  // Qwen2-7B: 28 layers of 3584, 28 heads over 4 of 128 elements, 18,944 hidden units, 152,064 words.
  Transformer m = shapes::dense(28, 3584, 28, 4, 128, 18944, 152064);
  m.attention_bias = true;
  EXPECT_EQ(parameters(m), 7615616512.0);
}

TEST(Parameters, OfDeepseekV3AreThoseOfItsMatricesNormsAndRouters) {
  EXPECT_EQ(parameters(shapes::deepseek_v3()), 671026419200.0);
}

TEST(Parameters, AreUnknownWithoutFeedForwardOrVocabulary) {
  Transformer m = shapes::llama2_7b();
  m.vocabulary.reset();
  EXPECT_FALSE(parameters(m).has_value());
  m = shapes::llama2_7b();
  m.feed_forward.reset();
  EXPECT_FALSE(parameters(m).has_value());
}

TEST(Heads, AreDividedByTensorParallelismAndNeverBelowOne) {
  // 64 query heads over 8 key/value heads.
  const HeadShape eight = heads_of_rank(shapes::llama3_70b(), 8, 3);
  EXPECT_EQ(eight.query_heads, 8);
  EXPECT_EQ(eight.kv_heads, 1);
  EXPECT_EQ(eight.batch, 3);
  const HeadShape sixteen = heads_of_rank(shapes::llama3_70b(), 16, 1);
  EXPECT_EQ(sixteen.query_heads, 4);
  EXPECT_EQ(sixteen.kv_heads, 1);
}

TEST(Heads, OfLatentAttentionTravelExpanded) {
  // 128 heads over 8 ranks, each with a key of 128 + 64 and a value of 128 elements.
  const HeadShape h = heads_of_rank(shapes::deepseek_v3(), 8, 1);
  EXPECT_EQ(h.query_heads, 16);
  EXPECT_EQ(h.kv_heads, 16);
  EXPECT_EQ(h.query_key_dim, 192);
  EXPECT_EQ(h.value_dim, 128);
}

TEST(AttentionKind, IsNamedByItsHeads) {
  EXPECT_EQ(shapes::llama2_7b().attention_kind(), "MHA");
  EXPECT_EQ(shapes::llama3_8b().attention_kind(), "GQA");
  EXPECT_EQ(shapes::deepseek_v3().attention_kind(), "MLA");
  EXPECT_EQ(shapes::dense(1, 8, 8, 1, 1, 1, 1).attention_kind(), "MQA");
}

TEST(SlidingLayers, NeedAWindowAndAFlag) {
  Transformer m = shapes::dense(2, 8, 8, 8, 1, 1, 1);
  EXPECT_FALSE(m.is_sliding(0));
  m.sliding_window = 16;
  EXPECT_FALSE(m.is_sliding(0)) << "no layer is marked";
  m.sliding_layer = {false, true};
  EXPECT_FALSE(m.is_sliding(0));
  EXPECT_TRUE(m.is_sliding(1));
}

// The key that a refusal names; empty if it is accepted.
std::string refused(const Transformer& m) {
  try {
    check(m);
  } catch (const Error& e) {
    EXPECT_FALSE(e.hint().empty()) << e.message();
    return e.where();
  }
  return "";
}

TEST(TransformerCheck, AcceptsRealModels) {
  for (const Transformer& m : {shapes::llama2_7b(), shapes::llama3_8b(), shapes::llama3_70b(), shapes::mixtral_8x7b(),
                               shapes::deepseek_v3()}) {
    EXPECT_EQ(refused(m), "");
  }
}

template <class Change>
std::string refused_with(Change change) {
  Transformer m = shapes::mixtral_8x7b();
  change(m);
  return refused(m);
}

TEST(TransformerCheck, NamesTheImpossibleKey) {
  EXPECT_EQ(refused_with([](Transformer& m) { m.layers = 0; }), "model.layers");
  EXPECT_EQ(refused_with([](Transformer& m) { m.hidden = -1; }), "model.hidden");
  EXPECT_EQ(refused_with([](Transformer& m) { m.heads = 0; }), "model.heads");
  EXPECT_EQ(refused_with([](Transformer& m) { m.kv_heads = 0; }), "model.kv_heads");
  EXPECT_EQ(refused_with([](Transformer& m) { m.head_dim = 0; }), "model.head_dim");
  EXPECT_EQ(refused_with([](Transformer& m) { m.kv_heads = 5; }), "model.kv_heads") << "5 does not divide 32";
  EXPECT_EQ(refused_with([](Transformer& m) { m.kv_heads = 64; }), "model.kv_heads") << "more than query heads";
  EXPECT_EQ(refused_with([](Transformer& m) { m.sliding_window = 0; }), "model.sliding_window");
  EXPECT_EQ(refused_with([](Transformer& m) { m.sliding_layer = {true}; }), "model.layer_types")
      << "one flag for 32 layers";
  EXPECT_EQ(refused_with([](Transformer& m) { m.sliding_layer.assign(32, true); }), "model.sliding_window")
      << "no window";
  EXPECT_EQ(refused_with([](Transformer& m) { m.feed_forward->experts_per_token = 9; }),
            "model.feed_forward.experts_per_token");
  EXPECT_EQ(refused_with([](Transformer& m) { m.feed_forward->expert_intermediate = 0; }),
            "model.feed_forward.expert_intermediate");
  EXPECT_EQ(refused_with([](Transformer& m) { m.feed_forward->expert_layer = {true}; }), "model.feed_forward");
  EXPECT_EQ(refused_with([](Transformer& m) { m.latent = LatentAttention{}; }), "model.latent.kv_lora_rank");
}

}  // namespace
}  // namespace ringsim
