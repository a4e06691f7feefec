// Packed documents: padding, and how evenly attention falls on ranks (users' cases C16 and C17).
#include "models/document_packing.hpp"

#include "models/error.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

Scenario packing(std::int64_t tokens, std::int64_t ring, Layout layout, std::vector<DocumentLength> lengths) {
  Scenario s = shapes::scenario(shapes::llama3_8b(), tokens, ring, layout);
  s.workload.phase = Phase::train;
  s.workload.documents = Documents{std::move(lengths), 0};
  return s;
}

std::string refused(const Scenario& s) {
  try {
    static_cast<void>(pack_documents(s));
  } catch (const Error& e) {
    return e.where();
  }
  return "";
}

TEST(Alignment, IsWhatThePlanNeeds) {
  Scenario s = packing(65536, 8, Layout::zigzag, {{100, 1}});
  EXPECT_EQ(document_alignment(s).tokens, 16) << "2 x ring";
  s.workload.dtype = Dtype::fp8;
  EXPECT_EQ(document_alignment(s).tokens, 128) << "lcm(16, 16 x 8)";
  s.workload.dtype = Dtype::bf16;
  s.parallel.tensor = 8;
  EXPECT_EQ(document_alignment(s).tokens, 16) << "tensor ranks hold the same tokens";
  s.parallel.sequence_parallel = true;
  EXPECT_EQ(document_alignment(s).tokens, 128) << "2 x 8 x 8";
  s.workload.documents->alignment = 64;
  EXPECT_EQ(document_alignment(s).tokens, 64) << "the user's own";
  EXPECT_EQ(document_alignment(packing(64, 1, Layout::zigzag, {{10, 1}})).tokens, 1) << "one rank needs none";
}

TEST(Padding, IsHalfTheAlignmentLessHalfATokenOnAverage) {
  // Lengths 129 to 144, one of each, end anywhere modulo 16: they are padded by 15, 14, ... 0 tokens, 7.5 on average.
  std::vector<DocumentLength> lengths;
  for (std::int64_t length = 129; length <= 144; ++length) lengths.push_back({length, 1});
  const PackedDocuments p = pack_documents(packing(16 * 144, 8, Layout::zigzag, lengths));
  EXPECT_DOUBLE_EQ((p.padded_tokens - p.useful_tokens) / 16, mean_padding(16));
  // Of documents of 137 tokens that is 5.5 %; at an alignment of 128, 46 %.
  EXPECT_NEAR(mean_padding(16) / 137, 0.055, 0.0005);
  EXPECT_NEAR(mean_padding(128) / 137, 0.46, 0.005);
}

TEST(Padding, IsToldAsShareAndTax) {
  // 100 documents of 137 tokens become 144: 137/144 useful, 7/137 on top; the sequence of 16,384 has 1,984 left.
  const PackedDocuments p = pack_documents(packing(16384, 8, Layout::zigzag, {{137, 100}}));
  EXPECT_EQ(p.documents, 100);
  EXPECT_DOUBLE_EQ(p.useful_share, 137.0 / 144);
  EXPECT_NEAR(p.padding_tax, 7.0 / 137, 1e-12);
  EXPECT_DOUBLE_EQ(p.free_tokens, 16384.0 - 14400);
}

TEST(Work, OfOneDocumentIsTwiceThatOfTwoHalves) {
  // l(l + 1)/2 pairs: 1,024 tokens make 524,800, twice 512 make 262,656. Two data ranks with equal tokens: the first one sets
  // the pace, at 524,800 against a mean of 393,728.
  Scenario s = packing(1024, 1, Layout::zigzag, {{1024, 1}, {512, 2}});
  s.workload.batch = 2;
  s.parallel.data = 2;
  const PackedDocuments p = pack_documents(s);
  EXPECT_DOUBLE_EQ(p.pairs, 524800.0 + 262656);
  EXPECT_DOUBLE_EQ(p.pairs_of_rank.at(0), 524800.0);
  EXPECT_DOUBLE_EQ(p.pairs_of_rank.at(1), 262656.0);
  EXPECT_NEAR(p.attention_imbalance, 524800.0 / 393728, 1e-12);
}

TEST(Work, FallsOnRanksByTheirLayout) {
  // 8 tokens on 2 ranks: the early half has 1 + 2 + 3 + 4 = 10 pairs, the late one 26; striped 1 + 3 + 5 + 7 = 16 and 20; zigzag
  // (tokens 0, 1, 6, 7 and 2 to 5) 18 each.
  const auto of = [](Layout layout, std::vector<DocumentLength> lengths) {
    return pack_documents(packing(8, 2, layout, std::move(lengths))).pairs_of_rank;
  };
  EXPECT_EQ(of(Layout::contiguous, {{8, 1}}), (std::vector<double>{10, 26}));
  EXPECT_EQ(of(Layout::striped, {{8, 1}}), (std::vector<double>{16, 20}));
  EXPECT_EQ(of(Layout::zigzag, {{8, 1}}), (std::vector<double>{18, 18}));
  // Two documents of 4: 10 pairs each, on a rank of its own; zigzag cuts each document, 1 + 4 and 2 + 3.
  EXPECT_EQ(of(Layout::contiguous, {{4, 2}}), (std::vector<double>{10, 10}));
  EXPECT_EQ(of(Layout::zigzag, {{4, 2}}), (std::vector<double>{10, 10}));
  // 3 tokens padded to 4: zigzag's first rank has the first and the padding, which attends to nothing: 1 and 2 + 3.
  EXPECT_EQ(of(Layout::zigzag, {{3, 1}}), (std::vector<double>{1, 5}));
  // A document that begins in the middle of a block: 3 tokens, then 5. Striped: tokens 0, 2, 4, 6 are the documents' 1st, 3rd,
  // 2nd and 4th, the others the 2nd, 1st, 3rd and 5th.
  EXPECT_EQ(of(Layout::striped, {{3, 1}, {5, 1}}), (std::vector<double>{10, 11}));
  EXPECT_EQ(of(Layout::contiguous, {{3, 1}, {5, 1}}), (std::vector<double>{7, 14}));
}

TEST(Packing, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refused(packing(1024, 8, Layout::zigzag, {{1024, 1}})), "");
  EXPECT_EQ(refused(packing(1024, 8, Layout::zigzag, {{1025, 1}})), "workload.documents");
  EXPECT_EQ(refused(packing(1024, 8, Layout::zigzag, {{520, 2}})), "workload.documents") << "528 + 528 in one sequence";
  Scenario two = packing(1024, 8, Layout::zigzag, {{520, 2}});
  two.workload.batch = 2;
  EXPECT_EQ(refused(two), "");
  EXPECT_EQ(pack_documents(two).sequences, 2);
}

TEST(ContextDegree, IsTheNextPowerOfTwo) {
  EXPECT_EQ(suggested_context_degree(4096, 8192), 1);
  EXPECT_EQ(suggested_context_degree(8193, 8192), 2);
  EXPECT_EQ(suggested_context_degree(262144, 8192), 32);
  EXPECT_EQ(suggested_context_degree(262145, 8192), 64);
}

}  // namespace
}  // namespace ringsim
