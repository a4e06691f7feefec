// The library's models against the parameter counts that their makers publish. "checkpoint": the total in the index of the
// safetensors files on Hugging Face; "card": the model card or paper, with as many digits as it prints.
#include "models/parameters.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ringsim::scenarios {
namespace {

ParameterCount count_of(const std::string& model) {
  const Scenario s = testing::read_text("name: n\nmodel: " + model + "\nworkload: {tokens: 16Ki}\ncluster: dgx-h100\n");
  return count_parameters(s.model).value();
}

TEST(PublishedParameters, OfCheckpointsAreMatchedExactly) {
  EXPECT_EQ(count_of("llama2-7b").total(), 6738415616.0);
  EXPECT_EQ(count_of("llama3-8b").total(), 8030261248.0);
  EXPECT_EQ(count_of("llama3-70b").total(), 70553706496.0);
  EXPECT_EQ(count_of("llama3-405b").total(), 405853388800.0);
  EXPECT_EQ(count_of("mixtral-8x7b").total(), 46702792704.0);
  // Text part of google/gemma-3-27b-it, without vision tower and projector: four norms a layer, and those of Q and K.
  EXPECT_EQ(count_of("gemma3-27b").total(), 27009346304.0);
}

// Whose exact totals were not found: by hand from config.json; the next test holds them to the digits of the cards.
TEST(PublishedParameters, AreTheSumOfTheirMatrices) {
  // Q, K, V and output; gate, up and down; two norms, and those of Q and K; two embeddings of 151,936 words, a last norm.
  EXPECT_EQ(count_of("qwen3-32b").total(),
            64.0 * (5120.0 * 128 * (64 + 16) + 64.0 * 128 * 5120 + 3.0 * 5120 * 25600 + 2 * 5120 + 256) +
                2.0 * 151936 * 5120 + 5120);
  // 128 experts and a router instead of the MLP.
  EXPECT_EQ(count_of("qwen3-30b-a3b").total(), 48.0 * (2048.0 * 128 * (32 + 8) + 32.0 * 128 * 2048 +
                                                       128 * 3.0 * 2048 * 768 + 2048 * 128 + 2 * 2048 + 256) +
                                                   2.0 * 151936 * 2048 + 2048);
  // Queries by rank 1,536, keys and values by rank 512 and a rotary key of 64; three dense layers of 18,432, 58 with 256 experts, a
  // shared one and a router with 256 biases. Without the multi-token-prediction layer.
  const double attention =
      7168.0 * 1536 + 1536 + 1536.0 * 128 * 192 + 7168.0 * 576 + 512 + 512.0 * 128 * 256 + 128.0 * 128 * 7168;
  EXPECT_EQ(count_of("deepseek-v3").total(), 61 * (attention + 2 * 7168) + 3 * 3.0 * 7168 * 18432 +
                                                 58 * (257 * 3.0 * 7168 * 2048 + 7168.0 * 256 + 256) +
                                                 2.0 * 129280 * 7168 + 7168);
  // By hand, since the checkpoint packs mxfp4: 36 layers of 14,750,720 (Q, K, V and biases) + 11,799,360 (output) + 64 sinks +
  // 5760 (norms) + 368,768 (router) + 128 · 24,891,840 (experts and biases); two embeddings of 201,088 · 2880; a norm.
  EXPECT_EQ(count_of("gpt-oss-120b").total(),
            36.0 * (14750720 + 11799360 + 64 + 5760 + 368768 + 128.0 * 24891840) + 2.0 * 201088 * 2880 + 2880);
}

TEST(PublishedParameters, OfCardsAreMatchedToTheirDigits) {
  EXPECT_NEAR(count_of("gpt-oss-120b").total() / 1e9, 116.83, 0.005);  // arXiv 2508.10925, table 1
  EXPECT_NEAR(count_of("qwen3-32b").total() / 1e9, 32.8, 0.05);        // card: 32.8 B, 31.2 B without embeddings
  EXPECT_NEAR(count_of("qwen3-30b-a3b").total() / 1e9, 30.5, 0.05);    // card: 30.5 B
  const ParameterCount qwen = count_of("qwen3-32b");
  EXPECT_NEAR((qwen.total() - qwen.embedding - qwen.head) / 1e9, 31.2, 0.05);
  EXPECT_NEAR(count_of("deepseek-v3").total() / 1e9, 671.0, 0.05);  // arXiv 2412.19437
}

TEST(PublishedParameters, OfATokenAreThoseOfItsExperts) {
  // Cards that count the look-up of the embedding: Mixtral (arXiv 2401.04088: 13 B; 12.9 B in its announcement), Qwen3-30B-A3B
  // (3.3 B), DeepSeek-V3 (arXiv 2412.19437: 37 B; 37.55 with both embeddings, 36.6 without the look-up).
  EXPECT_NEAR(count_of("mixtral-8x7b").active() / 1e9, 12.9, 0.05);
  EXPECT_NEAR(count_of("qwen3-30b-a3b").active() / 1e9, 3.3, 0.06);
  EXPECT_NEAR(count_of("deepseek-v3").active() / 1e9, 37.0, 0.6);
  EXPECT_NEAR(count_of("deepseek-v3").active_without_embedding() / 1e9, 37.0, 0.5);
  // gpt-oss counts the output embedding alone (arXiv 2508.10925, table 1: 5.13 B).
  EXPECT_NEAR(count_of("gpt-oss-120b").active_without_embedding() / 1e9, 5.13, 0.005);
  // Dense models use all, and where the head is the embedding's matrix a token is multiplied with it.
  EXPECT_EQ(count_of("llama3-8b").active(), count_of("llama3-8b").total());
  EXPECT_EQ(count_of("gemma3-27b").active_without_embedding(), count_of("gemma3-27b").total());
}

TEST(PublishedCaches, OfATokenAndOfAWindow) {
  const auto model = [](const std::string& name) {
    return testing::read_text("name: n\nmodel: " + name + "\nworkload: {tokens: 16Ki}\ncluster: dgx-h100\n").model;
  };
  EXPECT_EQ(in_bytes(cache_per_token(model("llama2-7b"), 2)), 524288.0);   // 32 · 2 · 32 · 128 · 2 B
  EXPECT_EQ(in_bytes(cache_per_token(model("llama3-8b"), 2)), 131072.0);   // 8 heads instead of 32
  EXPECT_EQ(in_bytes(cache_per_token(model("llama3-70b"), 2)), 327680.0);  // 80 · 2 · 8 · 128 · 2 B
  EXPECT_EQ(in_bytes(cache_per_token(model("llama3-405b"), 2)), 516096.0);
  EXPECT_EQ(in_bytes(cache_per_token(model("qwen3-32b"), 2)), 262144.0);     // 64 layers, heads of 128 and not of 80
  EXPECT_EQ(in_bytes(cache_per_token(model("qwen3-30b-a3b"), 2)), 98304.0);  // 48 · 2 · 4 · 128 · 2 B
  EXPECT_EQ(in_bytes(cache_per_token(model("mixtral-8x7b"), 2)), 131072.0);
  // 36 layers of 2 · 8 · 64 · 2 B, of which 18 keep 128 tokens at most.
  EXPECT_EQ(in_bytes(cache_of_sequence(model("gpt-oss-120b"), 131072, 2)), 2048.0 * (18 * 131072.0 + 18 * 128));
  EXPECT_EQ(in_bytes(cache_per_token(model("deepseek-v3"), 2)), 70272.0);  // 61 · 576 · 2 B
  // Gemma-3-27B keeps 2 · 16 · 128 · 2 B a token and layer: of 131,072 tokens in 10 layers, of 1024 in 52.
  EXPECT_EQ(in_bytes(cache_of_sequence(model("gemma3-27b"), 131072, 2)), 8192.0 * (10 * 131072.0 + 52 * 1024));
  EXPECT_EQ(in_bytes(cache_of_sequence(model("gemma3-27b"), 512, 2)),
            in_bytes(cache_per_token(model("gemma3-27b"), 2)) * 512)
      << "no window is full";
}

}  // namespace
}  // namespace ringsim::scenarios
