// Caches by layout, and how many requests they hold (users' cases C27 to C30).
#include "models/serving_capacity.hpp"

#include "models/error.hpp"
#include "models/kv_layout.hpp"
#include "models/memory.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

Scenario decode(const Transformer& model, std::int64_t tokens, std::int64_t batch) {
  Scenario s = shapes::scenario(model, tokens, 1, Layout::contiguous);
  s.workload.phase = Phase::decode;
  s.workload.scope = Scope::model;
  s.workload.batch = batch;
  s.workload.output_tokens = 1;
  return s;
}

// Without weights and activations to speak of: 80 GB for the cache of `layers` layers of one K/V head of 128.
Transformer small(std::int64_t layers) { return shapes::dense(layers, 128, 1, 1, 128, 1, 1); }

TEST(KvLayout, IsBytesATokenAndLayer) {
  const Transformer latent = shapes::deepseek_v3();
  const Transformer grouped = shapes::llama3_8b();
  const auto of = [](const Transformer& m, const char* name) {
    Scenario s;
    s.model = m;
    s.serving.kv_layout = name;
    return in_bytes(cache_bytes(kv_layout_of(s), m, m.kv_heads));
  };
  // 8 heads, keys and values of 128.
  EXPECT_EQ(of(grouped, "bf16"), 8 * 256 * 2);
  EXPECT_EQ(of(grouped, "fp8"), 8 * 256);
  // 512 latent and 64 rotary elements. Sparse: 512 fp8, 4 scales of 4 B, 64 in bf16: 0.57 of bf16, not half.
  EXPECT_EQ(of(latent, "mla-bf16"), 1152);
  EXPECT_EQ(of(latent, "mla-fp8"), 576);
  EXPECT_EQ(of(latent, "mla-fp8-sparse"), 512 + 16 + 128);
  // 256 B of halves, 32 scales, 64 rotary elements in bf16 and 16 B of padding; or in fp8 and none.
  EXPECT_EQ(of(latent, "mla-nvfp4"), 256 + 32 + 128 + 16);
  EXPECT_EQ(of(latent, "mla-nvfp4-compact"), 256 + 32 + 64);
  EXPECT_THROW(static_cast<void>(of(grouped, "mla-bf16")), Error);
  EXPECT_THROW(static_cast<void>(of(grouped, "int4")), Error);
}

TEST(KvLayout, OfALatentTakes68KiBATokenOfDeepSeekWhateverItsConfigSaysOfHeads) {
  // 61 layers · 576 · 2 B = 70,272 B; 1 Mi tokens: 73.7 GB. With 128 "K/V heads" of 128 and 128 it would be 57 times that.
  Scenario s = decode(shapes::deepseek_v3(), (1 << 20) - 1, 1);
  s.serving.kv_layout = "mla-bf16";
  s.parallel.tensor = 8;
  EXPECT_NEAR(in_bytes(memory_of_rank(s).of("kv_cache")), 73.7e9, 0.05e9);
  EXPECT_DOUBLE_EQ(in_bytes(serving_capacity(s).per_token), 70272.0);
  EXPECT_NEAR(61 * 2.0 * 128 * 128 * 2 / 70272, 56.9, 0.05);
}

TEST(DecodeContext, RemovesTheCopiesOfACache) {
  // A latent on tensor 8 is there eight times; decode_context 8 leaves one, in eighths.
  Scenario s = decode(shapes::deepseek_v3(), 8191, 64);
  s.parallel.tensor = 8;
  EXPECT_EQ(serving_capacity(s).copies, 8);
  const Bytes whole = memory_of_rank(s).of("kv_cache");
  s.parallel.decode_context = 8;
  EXPECT_EQ(serving_capacity(s).copies, 1);
  EXPECT_DOUBLE_EQ(whole / memory_of_rank(s).of("kv_cache"), 8.0);
  // Tensor 16 with decode_context 8 stays in a node and leaves two.
  s.parallel.tensor = 16;
  EXPECT_EQ(serving_capacity(s).copies, 2);
}

TEST(ServingCapacity, OfAHybridModelChargesAWindowARequest) {
  // 60 layers, 50 of them with a window of 1,024, requests of 32,768 tokens: 10 · 32768 + 50 · 1024 token-layers instead of
  // 60 · 32768: 5.19 times as many requests.
  Transformer m = small(60);
  m.sliding_window = 1024;
  m.sliding_layer.assign(60, true);
  for (std::size_t layer = 5; layer < 60; layer += 6) m.sliding_layer[layer] = false;
  const ServingCapacity grouped = serving_capacity(decode(m, 32767, 1));
  EXPECT_DOUBLE_EQ(in_bytes(grouped.of_request), 512.0 * (10 * 32768 + 50 * 1024));
  EXPECT_DOUBLE_EQ(in_bytes(grouped.per_token), 512.0 * 10);
  EXPECT_DOUBLE_EQ(in_bytes(grouped.per_request), 512.0 * 50 * 1024);
  EXPECT_DOUBLE_EQ(in_bytes(grouped.per_token_all_full), 512.0 * 60);
  EXPECT_NEAR(grouped.per_token_all_full * 32768.0 / grouped.of_request, 5.19, 0.005);
}

TEST(ServingCapacity, CountsWholePages) {
  // 1,000 tokens in pages of 64: 16 pages, 1,024 tokens of 512 B a layer; half a page a layer is lost on average.
  Scenario s = decode(small(4), 999, 1);
  s.serving.page_tokens = 64;
  const ServingCapacity c = serving_capacity(s);
  EXPECT_DOUBLE_EQ(in_bytes(c.of_request), 4 * 1024 * 512.0);
  EXPECT_DOUBLE_EQ(in_bytes(c.per_request), 4 * 31.5 * 512);
}

TEST(ServingCapacity, SaysWhereRequestsWouldQueue) {
  // Requests of 4 layers · 512 B · 488,000 tokens = 0.999424 GB. Of 80 GB a tenth is left alone: 72 GB, less about a MB of
  // weights and activations. 72 requests take 71.96 GB and fit, of 73 one queues.
  Scenario s = decode(small(4), 487999, 72);
  s.serving.memory_reserve = 0.1;
  const ServingCapacity enough = serving_capacity(s);
  EXPECT_DOUBLE_EQ(in_bytes(enough.reserved), 8e9);
  EXPECT_NEAR(in_bytes(enough.pool), 72e9, 1e6);
  EXPECT_EQ(enough.requests_that_fit, 72);
  EXPECT_FALSE(enough.queues);
  EXPECT_TRUE(memory_of_rank(s).fits());
  s.workload.batch = 73;
  EXPECT_TRUE(serving_capacity(s).queues);
  EXPECT_FALSE(memory_of_rank(s).fits());
  // Two data-parallel replicas hold twice as many.
  s.workload.batch = 144;
  s.parallel.data = 2;
  EXPECT_EQ(serving_capacity(s).requests_that_fit, 144);
  EXPECT_FALSE(serving_capacity(s).queues);
}

TEST(CacheRates, FollowFromTwoLogLinesButNotFromOne) {
  // 150,000 tokens in 7.7 GiB are 53.8 KiB a token, not 56 bytes; but a request of 121,344 tokens that costs 3.6 KiB a token and
  // a fixed 6 GiB explains the line as well, and only a run of other lengths tells.
  const double kib = 1024;
  EXPECT_NEAR(7.7 * 1024 * 1024 * 1024 / 150000 / kib, 53.8, 0.05);
  const double alpha = 6.0 * 1024 * 1024 * kib;
  const double beta = 3.6 * kib;
  const CacheRates rates =
      fit_cache_rates({1, 121344, bytes(alpha + beta * 121344)}, {4, 4 * 32768.0, bytes(4 * alpha + 4 * 32768 * beta)});
  EXPECT_NEAR(in_bytes(rates.per_request) / alpha, 1, 1e-12);
  EXPECT_NEAR(in_bytes(rates.per_token) / beta, 1, 1e-12);
  EXPECT_THROW(static_cast<void>(fit_cache_rates({1, 1000, bytes(5)}, {2, 2000, bytes(10)})), Error);
}

}  // namespace
}  // namespace ringsim
