// Studies of memory.

#include "models/memory.hpp"

#include "models/kv_layout.hpp"
#include "models/largest_context.hpp"
#include "models/serving_capacity.hpp"
#include "tests/unit/studies/study.hpp"

#include <gtest/gtest.h>

namespace ringsim::studies {
namespace {

double gigabytes(Bytes size) { return in_bytes(size) / 1e9; }

// A mask of 131,072² bytes is 16 GiB a sample, 4 GiB at half the tokens, and the data loader makes it whole, before any rank takes
// its part. The GPUs themselves need next to nothing.
TEST(MaskOfTheDataLoader, GrowsWithTheSquareOnTheHost) {
  const Scenario s = study("mask-of-the-data-loader");
  const auto warnings = host_memory_warnings(s);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("16"), std::string::npos) << warnings[0];
  EXPECT_LT(gigabytes(memory_of_rank(s).total), 10.0);
}

// Inputs of 64 layers: 64 · 131,072 · 5,120 · 2 B = 85.9 GB, and two of 64 more for the last norm's input and output; logits in
// fp32: 151,936 · 131,072 · 4 B = 79.7 GB. Tensor parallelism of 8 alone leaves an eighth of both on every GPU, a ring of four a
// quarter of that; a loss in chunks takes the logits away.
TEST(LogitsOfALargeVocabulary, AreAsMuchAsTheCheckpoints) {
  const double checkpoints = (64.0 + 2) * 131072 * 5120 * 2 / 1e9;
  const double logits = 151936.0 * 131072 * 4 / 1e9;
  const std::vector<std::string> alone = {"parallel.ring=1", "parallel.data=8", "workload.batch=8"};
  const Memory tensor = memory_of_rank(study("logits-of-a-large-vocabulary", alone));
  EXPECT_NEAR(gigabytes(tensor.of("saved_activations")), checkpoints / 8, 0.001);
  EXPECT_NEAR(gigabytes(tensor.of("logits")), logits / 8, 0.001);
  const Memory ring = memory_of_rank(study("logits-of-a-large-vocabulary"));
  EXPECT_NEAR(gigabytes(ring.of("saved_activations")), checkpoints / 32, 0.001);
  EXPECT_NEAR(gigabytes(ring.of("logits")), logits / 32, 0.001);
  EXPECT_TRUE(ring.fits());
  const Memory chunked = memory_of_rank(study("logits-of-a-large-vocabulary", {"training.logits_chunk=4Ki"}));
  EXPECT_NEAR(gigabytes(chunked.of("logits")), 151936.0 * 4096 * 4 / 8 / 1e9, 0.001);
}

// 60 · 262,144 · 5,376 · 2 B = 169.1 GB (165.2 GB where "256K" is 256,000 tokens); a ring of four leaves 42.3 GB a rank. The last
// norm's input and output are kept beside the 60 layers', 2/60 more.
TEST(CheckpointsOf256K, DependOnWhatAKIs) {
  const double of_layers = 60.0 * 262144 * 5376 * 2 / 1e9;
  const auto saved = [](const Sets& sets) {
    return gigabytes(memory_of_rank(study("checkpoints-of-256k", sets)).of("saved_activations"));
  };
  EXPECT_NEAR(saved({"parallel.ring=1", "parallel.data=8", "workload.batch=8"}), of_layers * 62 / 60, 0.01);
  EXPECT_NEAR(saved({}), of_layers * 62 / 60 / 4, 0.01);
  EXPECT_NEAR(saved({"workload.tokens=256K"}), 60.0 * 256000 * 5376 * 2 / 1e9 * 62 / 60 / 4, 0.01);
  EXPECT_TRUE(memory_of_rank(study("checkpoints-of-256k")).fits());
  EXPECT_FALSE(
      memory_of_rank(study("checkpoints-of-256k", {"parallel.ring=1", "parallel.data=8", "workload.batch=8"})).fits());
}

// A ring divides tokens, so activations and logits halve; weights, gradients and the optimiser's state stay, unless ZeRO divides
// them over the ring's ranks. Twice the sequences on twice the ranks is the same memory again.
TEST(ContextParallelismAndMemory, DividesTokensOnly) {
  const std::string name = "context-parallelism-and-memory";
  const Memory two = memory_of_rank(study(name));
  const Memory one = memory_of_rank(study(name, {"parallel.ring=1"}));
  for (const char* term : {"weights", "weight_gradients", "optimizer"}) {
    EXPECT_GT(in_bytes(one.of(term)), 0) << term;
    EXPECT_EQ(two.of(term), one.of(term)) << term;
  }
  EXPECT_NEAR(in_bytes(two.of("logits")), in_bytes(one.of("logits")) / 2, 1.0);
  EXPECT_NEAR(in_bytes(two.of("saved_activations")), in_bytes(one.of("saved_activations")) / 2, 1.0);
  const Memory half = memory_of_rank(study(name, {"parallel.ring=1", "training.micro_batch=2"}));
  EXPECT_NEAR(in_bytes(half.of("logits")), in_bytes(two.of("logits")), 1.0);
  const Memory sharded = memory_of_rank(study(name, {"training.zero=3"}));
  EXPECT_NEAR(in_bytes(sharded.of("optimizer")), in_bytes(two.of("optimizer")) / 2, 1.0);
  EXPECT_NEAR(in_bytes(sharded.of("weights")), in_bytes(two.of("weights")) / 2, 1.0);
}

// 10 full layers hold 32,768 tokens, 50 sliding ones 1,024: 378,880 tokens of a layer instead of 60 · 32,768 = 1,966,080, 5.19 times
// less. That is the most that an engine with a pool for each kind of layer gains over one that charges all as full (measured: 4.0).
TEST(CacheOfSlidingLayers, IsAFifthOfWhatFullLayersWouldTake) {
  const ServingCapacity c = serving_capacity(study("cache-of-sliding-layers"));
  EXPECT_EQ(c.tokens_of_request, 32768);
  EXPECT_NEAR(in_bytes(c.per_token_all_full) * 32768 / in_bytes(c.of_request), 1966080.0 / 378880.0, 1e-9);
  // A token more of a request costs the full layers alone; the windows are a fixed cost of each request.
  EXPECT_NEAR(in_bytes(c.per_token), in_bytes(c.per_token_all_full) / 6, 1e-9);
  EXPECT_NEAR(in_bytes(c.per_request), in_bytes(c.per_token_all_full) / 60 * 50 * 1024, 1e-6);
}

// 61 layers · (512 + 64) elements · 2 B = 70,272 B a token; 128 key/value heads in the config would make it 57 times as much. Every
// tensor rank has to see the whole latent: 8 copies, unless decode context parallelism of 8 divides the tokens.
TEST(CopiesOfALatentCache, AreRemovedByDecodeContextParallelism) {
  const ServingCapacity divided = serving_capacity(study("copies-of-a-latent-cache"));
  const ServingCapacity copied = serving_capacity(study("copies-of-a-latent-cache", {"parallel.decode_context=1"}));
  EXPECT_EQ(in_bytes(copied.per_token), 70272);
  EXPECT_EQ(copied.copies, 8);
  EXPECT_EQ(in_bytes(divided.per_token), 70272.0 / 8);
  EXPECT_EQ(divided.copies, 1);
  // Other memory is as it was, so eight times as many tokens fit, up to whole requests.
  EXPECT_NEAR(divided.capacity_tokens / copied.capacity_tokens, 8.0, 0.01);
  EXPECT_TRUE(refusal("copies-of-a-latent-cache", {"parallel.decode_context=16"}));
}

// A latent in fp8 for sparse attention: 512 B, 16 B of scales, 128 B of rotary keys that stay bf16: 656 B a token and layer, 57 % of
// 1,152 B. All in fp8 it would be 576 B.
TEST(Fp8CacheIsNotHalf, SinceScalesAndRotaryKeysStay) {
  const auto per_token = [](const char* layout) {
    const Scenario s = study("fp8-cache-is-not-half", {std::string("serving.kv_layout=") + layout});
    return in_bytes(cache_bytes(kv_layout_of(s), s.model, 1));
  };
  EXPECT_EQ(per_token("mla-fp8-sparse"), 656);
  EXPECT_EQ(per_token("mla-bf16"), 1152);
  EXPECT_EQ(per_token("mla-fp8"), 576);
  EXPECT_NEAR(in_bytes(serving_capacity(study("fp8-cache-is-not-half")).per_token), 61.0 * 656 / 8, 1e-9);
  const auto error = refusal("fp8-cache-is-not-half", {"model=llama3-8b", "parallel.decode_context=1"});
  ASSERT_TRUE(error);  // a layout of latents, and no latent
  EXPECT_EQ(error->hint(), "one of bf16, fp16, fp8");
}

}  // namespace
}  // namespace ringsim::studies
