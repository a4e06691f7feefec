#include "scenarios/hf_config.hpp"

#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ringsim::scenarios {
namespace {

using testing::error_of;

struct Read {
  Transformer model;
  std::vector<std::string> warnings;
};

Read read(const std::string& json) {
  Read result;
  result.model = read_hf_config(json, "config.json", result.warnings);
  return result;
}

std::int64_t sliding_count(const Transformer& model) {
  return std::count(model.sliding_layer.begin(), model.sliding_layer.end(), true);
}

TEST(HfConfig, Llama) {
  const Read r = read(R"({"model_type":"llama","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,
    "num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256,"tie_word_embeddings":false,
    "torch_dtype":"bfloat16","max_position_embeddings":131072})");
  EXPECT_EQ(r.model.attention_kind(), "GQA");
  EXPECT_EQ(r.model.head_dim, 128);  // missing: hidden / heads
  EXPECT_EQ(r.model.feed_forward->intermediate, 14336);
  EXPECT_EQ(r.model.feed_forward->experts, 0);
  EXPECT_EQ(r.model.vocabulary, 128256);
  EXPECT_FALSE(r.model.tied_embeddings);
  EXPECT_EQ(r.model.maximum_positions, 131072);
  EXPECT_EQ(r.model.weight_bytes_per_parameter, 2.0);
  EXPECT_TRUE(r.warnings.empty());
}

TEST(HfConfig, MissingKeyValueHeadsMeansMultiHeadAttention) {
  for (const char* field : {"", R"(,"num_key_value_heads":null)"}) {
    const Read r =
        read(std::string(R"({"model_type":"llama","hidden_size":256,"num_hidden_layers":2,"num_attention_heads":4)") +
             field + "}");
    EXPECT_EQ(r.model.kv_heads, 4);
    EXPECT_EQ(r.model.attention_kind(), "MHA");
    EXPECT_FALSE(r.model.feed_forward);
  }
}

TEST(HfConfig, TheNewNameOfTheDtypeIsRead) {
  const std::string base = R"({"model_type":"llama","hidden_size":256,"num_hidden_layers":2,"num_attention_heads":4,)";
  EXPECT_EQ(read(base + R"("dtype":"float32"})").model.weight_bytes_per_parameter, 4.0);
  EXPECT_EQ(read(base + R"("torch_dtype":"float16"})").model.weight_bytes_per_parameter, 2.0);
  EXPECT_FALSE(read(base + R"("torch_dtype":"auto"})").model.weight_bytes_per_parameter);
}

TEST(HfConfig, Qwen2CarriesAWindowThatIsOff) {
  const std::string base =
      R"({"model_type":"qwen2","hidden_size":512,"num_hidden_layers":4,"num_attention_heads":8,"num_key_value_heads":2,
    "sliding_window":131072,"max_window_layers":3)";
  const Read off = read(base + R"(,"use_sliding_window":false})");
  EXPECT_FALSE(off.model.sliding_window);
  EXPECT_EQ(sliding_count(off.model), 0);
  EXPECT_TRUE(off.model.attention_bias);  // Qwen2's projections always carry one
  EXPECT_FALSE(read(base + "}").model.sliding_window);
  const Read on = read(base + R"(,"use_sliding_window":true})");
  EXPECT_EQ(on.model.sliding_window, 131072);
  EXPECT_EQ(on.model.sliding_layer, (std::vector<bool>{false, false, false, true}));
}

TEST(HfConfig, Qwen3HeadsAreNotHiddenOverHeads) {
  const Read r = read(
      R"({"model_type":"qwen3","hidden_size":5120,"num_hidden_layers":64,"num_attention_heads":64,"num_key_value_heads":8,
    "head_dim":128,"intermediate_size":25600,"attention_bias":false,"use_sliding_window":false,"sliding_window":null})");
  EXPECT_EQ(r.model.head_dim, 128);  // hidden / heads would be 80
  EXPECT_FALSE(r.model.attention_bias);
}

TEST(HfConfig, Qwen3MoeSparseStepAndDenseLayers) {
  const std::string base =
      R"({"model_type":"qwen3_moe","hidden_size":2048,"num_hidden_layers":6,"num_attention_heads":32,"num_key_value_heads":4,
    "head_dim":128,"intermediate_size":6144,"moe_intermediate_size":768,"num_experts":128,"num_experts_per_tok":8,)";
  const Read all = read(base + R"("decoder_sparse_step":1,"mlp_only_layers":[]})");
  EXPECT_EQ(all.model.feed_forward->experts, 128);
  EXPECT_EQ(all.model.feed_forward->experts_per_token, 8);
  EXPECT_EQ(all.model.feed_forward->expert_intermediate, 768);
  EXPECT_EQ(all.model.feed_forward->expert_layer, std::vector<bool>(6, true));
  const Read some = read(base + R"("decoder_sparse_step":2,"mlp_only_layers":[3]})");
  EXPECT_EQ(some.model.feed_forward->expert_layer, (std::vector<bool>{false, true, false, false, false, true}));
}

TEST(HfConfig, MixtralExpertsHaveTheIntermediateSize) {
  const Read r = read(
      R"({"model_type":"mixtral","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,
    "num_key_value_heads":8,"num_local_experts":8,"num_experts_per_tok":2,"sliding_window":null,"vocab_size":32000})");
  EXPECT_EQ(r.model.feed_forward->experts, 8);
  EXPECT_EQ(r.model.feed_forward->expert_intermediate, 14336);
  EXPECT_FALSE(r.model.sliding_window);
}

TEST(HfConfig, MistralSlidesOnEveryLayer) {
  const Read r = read(
      R"({"model_type":"mistral","hidden_size":256,"num_hidden_layers":3,"num_attention_heads":4,"num_key_value_heads":2,"sliding_window":4096})");
  EXPECT_EQ(r.model.sliding_window, 4096);
  EXPECT_EQ(sliding_count(r.model), 3);
}

const std::string deepseek =
    R"({"model_type":"deepseek_v3","hidden_size":7168,"intermediate_size":18432,"moe_intermediate_size":2048,
  "num_hidden_layers":6,"num_attention_heads":128,"num_key_value_heads":128,"kv_lora_rank":512,"qk_nope_head_dim":128,"qk_rope_head_dim":64,
  "v_head_dim":128,"first_k_dense_replace":3,"n_routed_experts":256,"n_shared_experts":1,"num_experts_per_tok":8,)";

TEST(HfConfig, DeepSeekCachesTheLatentNotTheHeads) {
  const Read r = read(deepseek + R"("q_lora_rank":1536,"moe_layer_freq":1,"head_dim":64,
    "quantization_config":{"quant_method":"fp8","weight_block_size":[128,128]},"torch_dtype":"bfloat16"})");
  ASSERT_TRUE(r.model.latent);
  EXPECT_EQ(r.model.attention_kind(), "MLA");
  EXPECT_EQ(r.model.head_dim, 192);  // not the head_dim that newer configs carry, which is the rotary part alone
  EXPECT_EQ(r.model.value_dim(), 128);
  EXPECT_EQ(r.model.cache_elements_per_token(1), 512 + 64);
  EXPECT_EQ(r.model.latent->q_lora_rank, 1536);
  EXPECT_EQ(r.model.feed_forward->expert_layer, (std::vector<bool>{false, false, false, true, true, true}));
  EXPECT_EQ(r.model.feed_forward->shared_experts, 1);
  EXPECT_TRUE(r.model.feed_forward->router_bias);
  EXPECT_FALSE(r.model.feed_forward->bias);
  EXPECT_EQ(r.model.weight_bytes_per_parameter, 1.0);  // the quantization goes before the dtype
  EXPECT_TRUE(r.warnings.empty());
}

TEST(HfConfig, DeepSeekQueryRankMayBeNullAndTheFrequencyCountsFromZero) {
  const Read r = read(deepseek + R"("q_lora_rank":null,"moe_layer_freq":2})");
  EXPECT_FALSE(r.model.latent->q_lora_rank);
  EXPECT_EQ(r.model.feed_forward->expert_layer, (std::vector<bool>{false, false, false, false, true, false}));
}

TEST(HfConfig, SparseAttentionIsFlagged) {
  const Read r = read(deepseek + R"("q_lora_rank":1536,"index_n_heads":64,"index_head_dim":128,"index_topk":2048})");
  ASSERT_EQ(r.warnings.size(), 1U);
  EXPECT_NE(r.warnings[0].find("index_topk"), std::string::npos);
}

TEST(HfConfig, Gemma3NestsAndListsItsLayerTypes) {
  const Read r = read(
      R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text","hidden_size":2560,"intermediate_size":10240,
    "num_hidden_layers":6,"num_attention_heads":8,"num_key_value_heads":4,"head_dim":256,"sliding_window":1024,
    "layer_types":["sliding_attention","sliding_attention","sliding_attention","sliding_attention","sliding_attention","full_attention"],
    "vocab_size":262208}})");
  EXPECT_EQ(r.model.head_dim, 256);
  EXPECT_EQ(r.model.sliding_layer, (std::vector<bool>{true, true, true, true, true, false}));
  EXPECT_EQ(r.model.sliding_window, 1024);
  EXPECT_TRUE(r.model.tied_embeddings);
  EXPECT_TRUE(r.model.post_norms);
  EXPECT_TRUE(r.model.qk_norm);
}

TEST(HfConfig, OldGemmaConfigsGiveAPattern) {
  const std::string base =
      R"({"hidden_size":256,"num_hidden_layers":12,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":64,"sliding_window":512,)";
  const Read pattern = read(base + R"("model_type":"gemma3_text","sliding_window_pattern":6})");
  EXPECT_EQ(sliding_count(pattern.model), 10);
  EXPECT_FALSE(pattern.model.is_sliding(5));
  EXPECT_FALSE(pattern.model.is_sliding(11));
  EXPECT_EQ(sliding_count(read(base + R"("model_type":"gemma3_text"})").model), 10);
  const Read gemma2 = read(base + R"("model_type":"gemma2"})");
  EXPECT_TRUE(gemma2.model.post_norms);
  EXPECT_FALSE(gemma2.model.qk_norm) << "Gemma 3 brought them";
  EXPECT_TRUE(gemma2.model.is_sliding(0));
  EXPECT_FALSE(gemma2.model.is_sliding(1));
}

TEST(HfConfig, GptOss) {
  const Read r = read(
      R"({"model_type":"gpt_oss","hidden_size":2880,"intermediate_size":2880,"num_hidden_layers":4,"num_attention_heads":64,
    "num_key_value_heads":8,"head_dim":64,"num_local_experts":128,"experts_per_token":4,"num_experts_per_tok":4,"attention_bias":true,
    "sliding_window":128,"layer_types":["sliding_attention","full_attention","sliding_attention","full_attention"],
    "quantization_config":{"quant_method":"mxfp4"}})");
  EXPECT_EQ(r.model.sliding_layer, (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(r.model.head_dim, 64);
  EXPECT_EQ(r.model.feed_forward->expert_intermediate, 2880);
  EXPECT_EQ(r.model.weight_bytes_per_parameter, 17.0 / 32.0);
  EXPECT_TRUE(r.model.attention_bias);
  EXPECT_TRUE(r.model.output_bias) << "the flag is of all four projections";
  EXPECT_TRUE(r.model.attention_sinks);
  EXPECT_TRUE(r.model.feed_forward->bias);
  EXPECT_TRUE(r.model.feed_forward->router_bias);
}

TEST(HfConfig, QuantizationsOfWeights) {
  const std::string base =
      R"({"model_type":"llama","hidden_size":256,"num_hidden_layers":2,"num_attention_heads":4,"torch_dtype":"bfloat16","quantization_config":)";
  EXPECT_EQ(read(base + R"({"quant_method":"awq","bits":4}})").model.weight_bytes_per_parameter, 0.5);
  EXPECT_EQ(read(base + R"({"quant_method":"gptq","bits":8}})").model.weight_bytes_per_parameter, 1.0);
  EXPECT_EQ(read(base + R"({"quant_method":"bitsandbytes","load_in_4bit":true}})").model.weight_bytes_per_parameter,
            0.5);
  EXPECT_EQ(
      read(
          base +
          R"({"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":8,"type":"float"}}}}})")
          .model.weight_bytes_per_parameter,
      1.0);
  const Read unknown = read(base + R"({"quant_method":"aqlm"}})");
  EXPECT_FALSE(unknown.model.weight_bytes_per_parameter);
  EXPECT_EQ(unknown.warnings.size(), 1U);
}

TEST(HfConfig, UnknownTypesAreReadWithAWarning) {
  const Read r = read(R"({"model_type":"newcomer","hidden_size":256,"num_hidden_layers":2,"num_attention_heads":4})");
  EXPECT_EQ(r.model.layers, 2);
  ASSERT_EQ(r.warnings.size(), 1U);
  EXPECT_NE(r.warnings[0].find("newcomer"), std::string::npos);
}

TEST(HfConfig, MistakesAreReported) {
  for (
      const char* json :
      {"", "[]", "{", R"({"model_type":"llama","hidden_size":"256"})", R"({"model_type":"llama","hidden_size":256.5})",
       R"({"model_type":"llama","hidden_size":256,"num_hidden_layers":2,"num_attention_heads":3})",
       R"({"model_type":"llama","hidden_size":256,"num_hidden_layers":2})",
       R"({"model_type":"t5","is_encoder_decoder":true})",
       R"({"model_type":"llama","hidden_size":-256,"num_hidden_layers":2,"num_attention_heads":4})",
       R"({"model_type":"x","hidden_size":256,"num_hidden_layers":2,"num_attention_heads":4,"sliding_window":4,"layer_types":["linear_attention","full_attention"]})"}) {
    std::vector<std::string> warnings;
    const auto error = error_of([&] { static_cast<void>(read_hf_config(json, "config.json", warnings)); });
    ASSERT_TRUE(error) << json;
    EXPECT_EQ(error->where().rfind("config.json", 0), 0U) << json << " at " << error->where();
  }
}

TEST(HfConfig, AKeyThatStandsTwiceIsRefusedByName) {
  const auto error = error_of([] {
    static_cast<void>(read(R"({"model_type":"llama","hidden_size":256,"num_hidden_layers":2,"num_attention_heads":4,
      "rope":{"type":"a"},"other":[{"type":"b"},{"type":"c"}],"num_hidden_layers":3})"));
  });
  ASSERT_TRUE(error);
  EXPECT_NE(error->message().find("num_hidden_layers stands twice"), std::string::npos);
  EXPECT_TRUE(error_of([] { static_cast<void>(read(R"({"text_config":{"a":1,"a":1}})")); }));
}

}  // namespace
}  // namespace ringsim::scenarios
