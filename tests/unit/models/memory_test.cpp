// Memory of a rank: the figures of the seeds and of the physics page, and each term against a count.
#include "models/memory.hpp"

#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ringsim {
namespace {

double term(const Scenario& s, const std::string& name) {
  const Memory m = memory_of_rank(s);
  const auto found = std::find_if(m.terms.begin(), m.terms.end(), [&](const MemoryTerm& t) { return t.name == name; });
  return found == m.terms.end() ? 0.0 : in_bytes(found->size);
}

// A model without weights, so that the terms of attention stand alone.
Transformer attention_only(std::int64_t layers, std::int64_t heads, std::int64_t kv_heads, std::int64_t head_dim) {
  Transformer m = shapes::dense(layers, heads * head_dim, heads, kv_heads, head_dim, 0, 0);
  m.feed_forward.reset();
  m.vocabulary.reset();
  return m;
}

TEST(Memory, ATokenOfLlama2Leaves512KiB) {
  // K and V, 32 layers, 32 heads of 128 elements of 2 bytes.
  EXPECT_DOUBLE_EQ(in_bytes(cache_per_token(shapes::llama2_7b(), 2)), 524288.0);
  EXPECT_DOUBLE_EQ(term(shapes::scenario(shapes::llama2_7b(), 1, 1, Layout::contiguous), "kv_cache"), 524288.0);
}

TEST(Memory, AMillionTokensOfLlama2Take524GB) {
  EXPECT_DOUBLE_EQ(term(shapes::scenario(shapes::llama2_7b(), 1000000, 1, Layout::contiguous), "kv_cache"), 524.288e9);
}

TEST(Memory, EightyGBHold152587TokensAndNothingElse) {
  EXPECT_LE(term(shapes::scenario(shapes::llama2_7b(), 152587, 1, Layout::contiguous), "kv_cache"), 80e9);
  EXPECT_GT(term(shapes::scenario(shapes::llama2_7b(), 152588, 1, Layout::contiguous), "kv_cache"), 80e9);
}

TEST(Memory, ARingDividesTheCache) {
  // 400 KB a token (50 layers · 20 heads · 100 elements · K and V · 2 bytes), 100,000 tokens, 5 ranks: 8 GB each.
  const Transformer m = attention_only(50, 20, 20, 100);
  EXPECT_DOUBLE_EQ(in_bytes(cache_per_token(m, 2)), 400000.0);
  EXPECT_DOUBLE_EQ(term(shapes::scenario(m, 100000, 5, Layout::contiguous), "kv_cache"), 8e9);
}

TEST(Memory, RawQueriesKeysAndValuesOfAMillionTokensTake49GB) {
  // Hidden size 8192 in bf16: 16.384 GB for each of Q, K, V, so 49.152 GB for the three; O is a fourth.
  const Scenario s = shapes::scenario(attention_only(1, 64, 64, 128), 1000000, 1, Layout::contiguous);
  EXPECT_DOUBLE_EQ(term(s, "activations"), 49.152e9 + 16.384e9);
}

TEST(Memory, AScoreMatrixOfAMillionTokensWouldTakeTwoTB) {
  // A million by a million scores of 2 bytes: nobody holds it.
  const std::int64_t scores = Shards(Layout::contiguous, 1000000, 1).work(0, 0, Mask{false, std::nullopt}).entries;
  EXPECT_EQ(scores * 2, 2000000000000);
}

TEST(Memory, LatentAttentionKeepsOneVectorAndOneRotaryKeyATokenOnEveryTensorRank) {
  // DeepSeek-V3: (512 + 64) elements · 61 layers · 2 bytes, whatever the tensor degree is.
  EXPECT_DOUBLE_EQ(in_bytes(cache_per_token(shapes::deepseek_v3(), 2)), 70272.0);
  Scenario s = shapes::scenario(shapes::deepseek_v3(), 1000, 1, Layout::contiguous);
  s.parallel.tensor = 8;
  EXPECT_DOUBLE_EQ(term(s, "kv_cache"), 70272.0 * 1000);
}

TEST(Memory, TensorParallelismDividesTheCacheDownToOneHead) {
  // Llama-3-8B has 8 key/value heads: 131,072 B a token in all, 16,384 B a head.
  Scenario s = shapes::scenario(shapes::llama3_8b(), 1000, 1, Layout::contiguous);
  for (const auto& [tensor, bytes_a_token] : {std::pair(1, 131072.0), std::pair(4, 32768.0), std::pair(8, 16384.0),
                                              std::pair(16, 16384.0), std::pair(32, 16384.0)}) {
    s.parallel.tensor = tensor;
    EXPECT_DOUBLE_EQ(term(s, "kv_cache"), bytes_a_token * 1000) << "tensor " << tensor;
  }
}

TEST(Memory, SlidingLayersHoldNoMoreThanTheirWindow) {
  // Of 4 layers two slide with 100 tokens: a block of 1000 leaves 2 · 1000 + 2 · 100 tokens of 2 · 2 heads · 8 elements
  // · 2 bytes.
  Transformer m = attention_only(4, 4, 2, 8);
  m.sliding_window = 100;
  m.sliding_layer = {true, false, true, false};
  EXPECT_DOUBLE_EQ(term(shapes::scenario(m, 4000, 4, Layout::contiguous), "kv_cache"), 2200.0 * 64);
  // A block of 50 is smaller than the window.
  EXPECT_DOUBLE_EQ(term(shapes::scenario(m, 200, 4, Layout::contiguous), "kv_cache"), 200.0 * 64);
}

TEST(Memory, TheRankWithTheLargestBlockIsTheOneThatCounts) {
  // 11 tokens on 4 ranks: the largest block has 3.
  EXPECT_DOUBLE_EQ(term(shapes::scenario(attention_only(1, 1, 1, 1), 11, 4, Layout::contiguous), "kv_cache"), 3.0 * 4);
}

TEST(Memory, RingBuffersHoldOneLayersTravellingBlockTwiceOrThreeTimes) {
  // K and V of a block of 1000 tokens: 2 · 8 heads · 128 · 2 bytes = 4096 B a token.
  Scenario s = shapes::scenario(shapes::llama3_8b(), 8000, 8, Layout::contiguous);
  EXPECT_DOUBLE_EQ(term(s, "ring_buffers"), 2 * 4096.0 * 1000);
  s.ring.buffers = 3;
  EXPECT_DOUBLE_EQ(term(s, "ring_buffers"), 3 * 4096.0 * 1000);
  EXPECT_EQ(term(shapes::scenario(shapes::llama3_8b(), 8000, 1, Layout::contiguous), "ring_buffers"), 0.0);
}

TEST(Memory, WeightsAreDividedByTensorDegreeAndSizedByTheCheckpoint) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 1000, 1, Layout::contiguous);
  EXPECT_DOUBLE_EQ(term(s, "weights"), 6738415616.0 * 2);
  s.parallel.tensor = 8;
  EXPECT_DOUBLE_EQ(term(s, "weights"), 6738415616.0 * 2 / 8);
  s.model.weight_bytes_per_parameter = 1.0;
  EXPECT_DOUBLE_EQ(term(s, "weights"), 6738415616.0 / 8);
}

// A training step, every term by hand. 2 layers, 4 query heads over 2 key/value heads of 8 elements, tensor 2: a rank
// holds 2 query heads and 1 key/value head. 64 tokens on a ring of 4: blocks of 16; 3 sequences: 48 tokens. Q 16, O 16,
// K and V 16 wide.
TEST(Memory, OfATrainingRankTermByTerm) {
  Scenario s = shapes::scenario(attention_only(2, 4, 2, 8), 64, 4, Layout::zigzag);
  s.workload.phase = Phase::train;
  s.workload.batch = 3;
  s.parallel.tensor = 2;
  EXPECT_DOUBLE_EQ(term(s, "saved_activations"),
                   2 * 48.0 * ((16 + 16 + 16) * 2 + 2 * 4));                 // Q, O, K/V in bf16, LSE in fp32
  EXPECT_DOUBLE_EQ(term(s, "ring_buffers"), 2 * 48.0 * 16 * 2);              // two of K/V in bf16
  EXPECT_DOUBLE_EQ(term(s, "output_accumulator"), 48.0 * (16 * 4 + 2 * 4));  // O and LSE in fp32
  EXPECT_DOUBLE_EQ(term(s, "travelling_gradient"), 3 * 48.0 * 16 * 4);       // three of dK/dV in fp32
  EXPECT_DOUBLE_EQ(term(s, "gradients"), 48.0 * (16 * 2 + 16 * 4));          // dO in bf16, dQ in fp32
  EXPECT_EQ(term(s, "kv_cache"), 0.0);
  EXPECT_DOUBLE_EQ(in_bytes(memory_of_rank(s).total), 9984.0 + 3072 + 3456 + 9216 + 4608);
}

TEST(Memory, OfATrainingRankThatSendsItsQueriesAround) {
  Scenario s = shapes::scenario(attention_only(2, 4, 2, 8), 64, 4, Layout::zigzag);
  s.workload.phase = Phase::train;
  s.workload.batch = 3;
  s.parallel.tensor = 2;
  s.ring.backward = Rotation::q;
  s.ring.gradient = GradientDtype::bf16;
  EXPECT_DOUBLE_EQ(term(s, "ring_buffers"),
                   2 * 48.0 * ((16 + 16) * 2 + 2 * 8));                 // two of Q, dO and two statistics of 2 heads
  EXPECT_DOUBLE_EQ(term(s, "travelling_gradient"), 3 * 48.0 * 16 * 2);  // three of dQ in bf16
  EXPECT_DOUBLE_EQ(term(s, "gradients"), 48.0 * (16 * 2 + 16 * 4));     // dO in bf16, dK/dV in fp32
}

TEST(Memory, FitsUpToItsCapacity) {
  const Scenario fits = shapes::scenario(shapes::llama2_7b(), 100000, 1, Layout::contiguous);
  const Memory m = memory_of_rank(fits);
  EXPECT_EQ(m.capacity, gigabytes(80));
  EXPECT_TRUE(m.fits());  // 13.5 GB of weights, 52.4 GB of cache, 3.3 GB of activations
  EXPECT_FALSE(memory_of_rank(shapes::scenario(shapes::llama2_7b(), 152587, 1, Layout::contiguous)).fits());
  Bytes sum;
  for (const MemoryTerm& t : m.terms) sum += t.size;
  EXPECT_DOUBLE_EQ(in_bytes(m.total), in_bytes(sum));
}

}  // namespace
}  // namespace ringsim
