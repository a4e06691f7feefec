// Which degrees and options are legal, and whether what is refused names a way out (users' cases C11 to C14 and C28).
#include "models/legality.hpp"

#include "models/error.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace ringsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Refusal {
  std::string where, what, hint;
};

Refusal refused(Scenario s, const std::function<void(Scenario&)>& change) {
  change(s);
  s.cluster = shapes::dgx_h100((s.parallel.product() + 7) / 8);
  try {
    check(s);
  } catch (const Error& e) {
    EXPECT_FALSE(e.hint().empty()) << e.message();
    return {e.where(), e.message(), e.hint()};
  }
  return {};
}

Scenario good() { return shapes::scenario(shapes::llama3_8b(), 8192, 1, Layout::zigzag); }

Scenario training() {
  Scenario s = good();
  s.workload.phase = Phase::train;
  s.workload.scope = Scope::model;
  s.workload.batch = 8;
  return s;
}

Transformer with_heads(std::int64_t heads, std::int64_t kv_heads) {
  return shapes::dense(48, heads * 128, heads, kv_heads, 128, 13824, 152064);
}

// 2^24 · 2^24 · 2^24 ranks are 2^72, which 64 bits do not hold: refused as any other product that is too large, not by what is left
// of it (which is 0, and would fit).
TEST(Legality, ADegreeTooManyIsNotLostInTheProduct) {
  Scenario s = good();
  s.parallel.ring = s.parallel.pipeline = s.parallel.data = std::int64_t{1} << 24;
  try {
    check(s);
    FAIL() << "2^72 ranks pass";
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), "parallel");
    EXPECT_THAT(e.message(), HasSubstr("more than 2^63 GPUs"));
  }
}

TEST(Ulysses, Of40QueryAnd8KeyHeadsIs1Or2Or4Or8AndWithReplication40) {
  // u divides 40 and divides 8: 1, 2, 4, 8. Of the other divisors of 40 (5, 10, 20, 40) 8 divides 40 alone.
  EXPECT_THAT(legal_ulysses(with_heads(40, 8), 1, false), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(legal_ulysses(with_heads(40, 8), 1, true), ElementsAre(1, 2, 4, 8, 40));
  Scenario s = good();
  s.model = with_heads(40, 8);
  const Refusal sixteen = refused(s, [](Scenario& x) { x.parallel.ulysses = 16; });
  EXPECT_EQ(sixteen.where, "parallel.ulysses");
  EXPECT_THAT(sixteen.hint, HasSubstr("one of 1, 2, 4, 8 (and with replicate_kv: true 40)"));
  EXPECT_THAT(sixteen.hint, HasSubstr("ulysses 8 x ring 2")) << "as many ranks with a ring, which heads do not limit";
  const Refusal forty = refused(s, [](Scenario& x) { x.parallel.ulysses = 40; });
  EXPECT_THAT(forty.hint, HasSubstr("replicate_kv: true, which sends 5 times the K/V bytes"));
  // lcm(2, 40) divides 8,000 tokens.
  EXPECT_EQ(refused(s,
                    [](Scenario& x) {
                      x.parallel.ulysses = 40;
                      x.parallel.replicate_kv = true;
                      x.workload.tokens = 8000;
                    })
                .what,
            "");
}

TEST(Ulysses, Of48HeadsIsADivisorOf48) {
  EXPECT_THAT(legal_ulysses(with_heads(48, 48), 1, false), ElementsAre(1, 2, 3, 4, 6, 8, 12, 16, 24, 48));
  // 52 heads: of the powers of two 4 is the last.
  EXPECT_THAT(legal_ulysses(with_heads(52, 52), 1, false), ElementsAre(1, 2, 4, 13, 26, 52));
  Scenario s = good();
  s.model = with_heads(48, 48);
  const Refusal r = refused(s, [](Scenario& x) { x.parallel.ulysses = 64; });
  EXPECT_THAT(r.hint, HasSubstr("1, 2, 3, 4, 6, 8, 12, 16, 24, 48"));
  EXPECT_THAT(r.hint, HasSubstr("ulysses 16 x ring 4"));
  EXPECT_THAT(r.hint, HasSubstr("64 query and 64 key/value heads would run, at +33.3 %")) << "64/48 - 1";
}

TEST(Ulysses, BeyondTwoKeyHeadsReplicatesThem) {
  EXPECT_THAT(legal_ulysses(with_heads(32, 2), 1, false), ElementsAre(1, 2));
  EXPECT_THAT(legal_ulysses(with_heads(32, 2), 1, true), ElementsAre(1, 2, 4, 8, 16, 32));
  // The latent of MLA is expanded to all heads before it is exchanged.
  EXPECT_EQ(legal_ulysses(shapes::deepseek_v3(), 8, false).back(), 16);
}

TEST(Ulysses, DividesTheHeadsThatTensorParallelismLeaves) {
  // 56 heads: tensor 2 leaves 28, which 4 divides; tensor 4 leaves 14, which it does not.
  Scenario s = good();
  s.model = with_heads(56, 56);
  const auto with = [](std::int64_t tensor) {
    return [tensor](Scenario& x) {
      x.parallel.tensor = tensor;
      x.parallel.ulysses = 4;
    };
  };
  EXPECT_EQ(refused(s, with(2)).what, "");
  const Refusal r = refused(s, with(4));
  EXPECT_EQ(r.where, "parallel.ulysses");
  EXPECT_THAT(r.hint, HasSubstr("one of 1, 2, 7, 14"));
}

TEST(PaddedHeads, KeepWholeGroupsAndCost14PercentFor28And7HeadsOnTwoRanks) {
  // 7 K/V heads on 2 ranks: 8 of them, and so 4 queries each make 32. Padding queries alone would leave 3.5 a K/V head.
  const PaddedHeads padded = padded_heads(with_heads(28, 7), 2);
  EXPECT_EQ(padded.query_heads, 32);
  EXPECT_EQ(padded.kv_heads, 8);
  EXPECT_NEAR(padded.tax, 32.0 / 28 - 1, 1e-12);
  // What is legal already stays as it is.
  EXPECT_EQ(padded_heads(with_heads(32, 8), 8).query_heads, 32);
}

TEST(Experts, DivideTheirNumberAndTheRanksThatHoldTokens) {
  Scenario s = training();
  s.model = shapes::mixtral_8x7b();
  const auto with = [](std::int64_t expert, std::int64_t ring) {
    return [=](Scenario& x) {
      x.parallel.expert = expert;
      x.parallel.ring = ring;
    };
  };
  EXPECT_EQ(refused(s, with(4, 4)).what, "");
  EXPECT_EQ(refused(s, with(3, 3)).where, "parallel.expert") << "8 experts in 3 parts";
  const Refusal too_few = refused(s, with(8, 4));
  EXPECT_EQ(too_few.where, "parallel.expert") << "8 parts on 4 ranks";
  EXPECT_EQ(too_few.hint, "one of 1, 2, 4");
  s.model = shapes::llama3_8b();
  EXPECT_EQ(refused(s, with(2, 2)).hint, "1") << "a model without experts";
}

TEST(Pipeline, TakesLayersThatDoNotDivideAndPiecesUpToTheLayers) {
  EXPECT_EQ(refused(training(), [](Scenario& s) { s.parallel.pipeline = 5; }).what, "") << "32 = 7 + 7 + 6 + 6 + 6";
  EXPECT_EQ(refused(training(), [](Scenario& s) { s.parallel.pipeline = 33; }).where, "parallel.pipeline");
  EXPECT_EQ(refused(good(), [](Scenario& s) { s.parallel.pipeline = 2; }).hint, "1, or workload.scope: model");
  EXPECT_EQ(refused(training(), [](Scenario& s) { s.training.interleave = 2; }).where, "training.interleave");
  const auto pieces = [](std::int64_t pipeline, std::int64_t interleave) {
    return [=](Scenario& s) {
      s.parallel.pipeline = pipeline;
      s.training.interleave = interleave;
    };
  };
  EXPECT_EQ(refused(training(), pieces(4, 8)).what, "");
  EXPECT_EQ(refused(training(), pieces(4, 9)).hint, "at most 8");
  EXPECT_EQ(refused(training(), pieces(3, 2)).where, "training.interleave") << "8 micro-batches in turns of 3";
  EXPECT_EQ(refused(training(), [](Scenario& s) { s.training.micro_batch = 3; }).hint, "one of 1, 2, 4, 8");
}

TEST(DecodeContext, DividesTheCopiesOfACache) {
  // Qwen3-235B: 4 K/V heads on tensor 8 are held twice. A latent on tensor 16: 16 times.
  Scenario s = good();
  s.model = with_heads(64, 4);
  const auto with = [](std::int64_t tensor, std::int64_t decode_context) {
    return [=](Scenario& x) {
      x.parallel.tensor = tensor;
      x.parallel.decode_context = decode_context;
    };
  };
  EXPECT_EQ(refused(s, with(8, 2)).what, "");
  const Refusal four = refused(s, with(8, 4));
  EXPECT_EQ(four.where, "parallel.decode_context");
  EXPECT_EQ(four.hint, "one of 1, 2");
  s.model = shapes::deepseek_v3();
  EXPECT_EQ(refused(s, with(16, 16)).what, "");
  EXPECT_EQ(refused(s, with(16, 8)).what, "");
  EXPECT_EQ(refused(s, with(16, 3)).hint, "one of 1, 2, 4, 8, 16");
}

TEST(Tokens, AreAMultipleOfWhatThePlanDividesThemBy) {
  Scenario s = good();
  s.parallel.ring = 4;
  EXPECT_EQ(sequence_unit(s).tokens, 8) << "2 x ring";
  s.parallel.ulysses = 2;
  EXPECT_EQ(sequence_unit(s).tokens, 8) << "each rank's two chunks are shared by two";
  s.parallel.ulysses = 8;
  EXPECT_EQ(sequence_unit(s).tokens, 32) << "lcm(2, 8) x 4";
  s.parallel.tensor = 2;
  s.parallel.sequence_parallel = true;
  EXPECT_EQ(sequence_unit(s).tokens, 64) << "2 x 8 x 4 ranks, each a token at least";
  const Refusal r = refused(good(), [](Scenario& x) {
    x.parallel.ring = 2;
    x.parallel.ulysses = 8;
    x.workload.tokens = 8200;
  });
  EXPECT_EQ(r.where, "workload.tokens");
  EXPECT_EQ(r.hint, "8192 or 8208 tokens") << "multiples of 16";
}

TEST(Tokens, OfChunksAndOfACachedPrefixAreLaidOutLikeAllOthers) {
  Scenario s = good();
  s.workload.scope = Scope::model;
  s.parallel.ring = 8;
  EXPECT_EQ(refused(s, [](Scenario& x) { x.workload.chunk = 2048; }).what, "");
  EXPECT_EQ(refused(s, [](Scenario& x) { x.workload.chunk = 2040; }).where, "workload.chunk") << "no multiple of 16";
  EXPECT_EQ(refused(s, [](Scenario& x) { x.workload.cached = 1600; }).what, "");
  EXPECT_EQ(refused(s, [](Scenario& x) { x.workload.cached = 1608; }).where, "workload.cached");
  EXPECT_EQ(refused(training(), [](Scenario& x) { x.workload.cached = 1600; }).where, "workload.cached");
}

TEST(Exchange, MovesQueriesOneWayOnly) {
  Scenario s = good();
  s.parallel.ring = 8;
  s.ring.inner = 4;
  for (const Exchange exchange : {Exchange::both_ways, Exchange::two_level, Exchange::all_gather}) {
    s.ring.exchange = exchange;
    EXPECT_EQ(refused(s, [](Scenario&) {}).what, "") << name_of(exchange);
    EXPECT_EQ(refused(s, [](Scenario& x) { x.ring.travels = Rotation::q; }).where, "ring.travels");
  }
  s.ring.exchange = Exchange::both_ways;
  s.parallel.tensor = 8;
  EXPECT_EQ(refused(s, [](Scenario&) {}).hint, "tokens") << "one K/V head of a rank has no halves";
}

TEST(Options, AreWithinTheirRanges) {
  EXPECT_EQ(refused(training(), [](Scenario& s) { s.training.zero = 4; }).where, "training.zero");
  EXPECT_EQ(refused(good(), [](Scenario& s) { s.serving.memory_reserve = 1.0; }).where, "serving.memory_reserve");
  EXPECT_EQ(refused(good(), [](Scenario& s) { s.serving.page_tokens = 0; }).where, "serving.page_tokens");
  EXPECT_EQ(refused(good(), [](Scenario& s) { s.serving.kv_layout = "mla-fp8"; }).hint, "one of bf16, fp16, fp8");
}

}  // namespace
}  // namespace ringsim
