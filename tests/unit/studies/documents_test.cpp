// Studies of packed documents.

#include "models/document_packing.hpp"
#include "tests/unit/studies/study.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ringsim::studies {
namespace {

// Lengths whose remainders are all alike lose (a - 1)/2 tokens a document on average: 7.5 of 136.5 where a = 2 · 8 = 16, 5.5 %; with
// tensor parallelism of 8 that divides tokens, a = 128: 63.5 of 136.5, 46.5 %.
TEST(PaddingOfDocuments, GrowsWithTheRanksThatShareADocument) {
  const PackedDocuments packed = pack_documents(study("padding-of-documents"));
  EXPECT_EQ(packed.documents, 1024);
  EXPECT_EQ(packed.useful_tokens, 136.5 * 1024);
  EXPECT_EQ(packed.alignment.tokens, 16);
  EXPECT_NEAR(packed.padding_tax, 7.5 / 136.5, 1e-12);
  const PackedDocuments shared = pack_documents(
      study("padding-of-documents", {"parallel.tensor=8", "parallel.sequence_parallel=true", "cluster.nodes=8"}));
  EXPECT_EQ(shared.alignment.tokens, 128);
  EXPECT_NEAR(shared.padding_tax, 63.5 / 136.5, 1e-12);
}

// A document of l tokens has l (l + 1)/2 pairs: 524,800 against twice 131,328 = 262,656. Both ranks have 1,024 tokens, one has twice
// the work; against the mean of 393,728 it is 1.333 times, and the other one waits.
TEST(EqualTokensUnequalWork, OneDocumentIsTwiceTwoHalves) {
  const PackedDocuments packed = pack_documents(study("equal-tokens-unequal-work"));
  EXPECT_EQ(packed.useful_tokens, 2048);
  std::vector<double> pairs = packed.pairs_of_rank;
  std::sort(pairs.begin(), pairs.end());
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0], 262656);
  EXPECT_EQ(pairs[1], 524800);
  EXPECT_NEAR(packed.attention_imbalance, 524800.0 / 393728.0, 1e-12);
}

}  // namespace
}  // namespace ringsim::studies
