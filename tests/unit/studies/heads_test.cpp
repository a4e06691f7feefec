// Studies of heads that do not divide.

#include "models/legality.hpp"
#include "tests/unit/studies/study.hpp"

#include <gtest/gtest.h>

namespace ringsim::studies {
namespace {

// 40 query and 8 key/value heads: a degree divides 40 and either divides 8 or is a multiple of 8: 1, 2, 4, 8, and 40 with every
// key/value head on five ranks. Nothing lies between 8 and 40, so 16 GPUs are Ulysses 8 in a ring of 2.
TEST(HeadsThatDivide, NothingLiesBetweenEightAndForty) {
  const Scenario s = study("heads-that-divide");
  EXPECT_EQ(legal_ulysses(s.model, 1, true), (std::vector<std::int64_t>{1, 2, 4, 8, 40}));
  EXPECT_EQ(legal_ulysses(s.model, 1, false), (std::vector<std::int64_t>{1, 2, 4, 8}));
  EXPECT_EQ(s.parallel.ulysses * s.parallel.ring, 16);
  const auto error = refusal("heads-that-divide", {"parallel.ulysses=16", "parallel.ring=1"});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "--set parallel.ulysses");
  EXPECT_NE(error->hint().find("1, 2, 4, 8"), std::string::npos) << error->hint();
  EXPECT_NE(error->hint().find("ring"), std::string::npos) << error->hint();
  EXPECT_TRUE(refusal("heads-that-divide", {"parallel.ulysses=5", "parallel.ring=1"}));  // divides 40, not 8
}

// 48 = 16 · 3: of the powers of two 16 is the last that divides it, 64 exceeds it. 52 = 4 · 13: the last is 4.
TEST(FortyEightHeads, AllowSixteen) {
  EXPECT_EQ(study("forty-eight-heads").parallel.ulysses, 16);
  for (const char* degree : {"parallel.ulysses=64", "parallel.ulysses=32"}) {
    const auto error = refusal("forty-eight-heads", {degree, "cluster.nodes=8"});
    ASSERT_TRUE(error);
    EXPECT_NE(error->hint().find("12, 16, 24, 48"), std::string::npos) << error->hint();
  }
  const std::vector<std::string> thirty = {"model.heads=52", "model.kv_heads=52"};
  EXPECT_TRUE(refusal("forty-eight-heads", {thirty[0], thirty[1], "parallel.ulysses=8"}));
  EXPECT_FALSE(refusal("forty-eight-heads", {thirty[0], thirty[1], "parallel.ulysses=4"}));
}

// Two key/value heads on eight ranks: each is sent to four of them. Of K and V a rank so sends 2 · 8 heads instead of 2 · 2, of Q 32
// either way, and 7/8 of it leaves the rank. A degree of two needs no copies, nor does a ring.
TEST(UlyssesBeyondKvHeads, SendsEveryHeadSeveralTimes) {
  EXPECT_TRUE(refusal("ulysses-beyond-kv-heads", {"parallel.replicate_kv=false"}));
  const auto in_of = [](const sim::Prediction& p) {
    double bytes = 0;
    for (const auto& one : p.traffic) {
      if (one.kind == "all-to-all" && one.name.find("O") == std::string::npos) bytes += one.bytes_per_rank;
    }
    return bytes;
  };
  const auto p = predicted("ulysses-beyond-kv-heads");
  EXPECT_NEAR(in_of(p), 6 * 16384.0 * (32 + 2 * 8) * 128 * 2 * 7 / 8, 1.0);
  EXPECT_FALSE(
      refusal("ulysses-beyond-kv-heads", {"parallel.ulysses=2", "parallel.ring=4", "parallel.replicate_kv=false"}));
}

// 28 query heads in groups of four on 7 key/value heads cannot be halved. Filled up on their own, the heads would be 28 and 8, 3.5 a
// group; filling the key/value heads first gives 32 and 8, and 32/28 = 14 % more attention.
TEST(PaddedHeads, CostASeventhMore) {
  const auto error = refusal("padded-heads", {"model.heads=28", "model.kv_heads=7"});
  ASSERT_TRUE(error);
  EXPECT_NE(error->message().find("parallel.ulysses"), std::string::npos) << error->message();
  EXPECT_NE(error->hint().find("32 query and 8 key/value heads"), std::string::npos) << error->hint();
  const Scenario s = study("padded-heads");
  Transformer real = s.model;
  real.heads = 28;
  real.kv_heads = 7;
  const PaddedHeads padded = padded_heads(real, s.parallel.ulysses);
  EXPECT_EQ(padded.query_heads, 32);
  EXPECT_EQ(padded.kv_heads, 8);
  EXPECT_NEAR(padded.tax, 32.0 / 28 - 1, 1e-12);
}

}  // namespace
}  // namespace ringsim::studies
