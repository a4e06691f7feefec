#pragma once
// Documents packed into sequences: what padding costs, and how evenly their attention falls on ranks.
//
// Documents go into the sequences in their order, each padded to a multiple of the alignment a [tokens], a sequence being
// closed when the next document does not fit. Data-parallel rank d takes sequences d·b ... d·b + b - 1, b = batch / data. A
// document attends to itself alone: under a causal mask token i of it to i + 1 tokens, l·(l + 1)/2 pairs in all (twice the
// length, four times the pairs), otherwise l². Padding attends to nothing.
//
// What a rank of the ring computes of it follows from the tokens that it holds: contiguous and striped layouts cut the
// sequence; zigzag cuts each document into 2·ring chunks where the alignment allows it (Megatron-LM and Transformer Engine
// with packed sequences), otherwise the sequence. Ulysses ranks share heads, so that they are alike.
//
//   alignment that a plan needs   2·c, c = ulysses · ring (zigzag; 1 with c = 1); · tensor with sequence_parallel;
//                                 least common multiple with 16·c for fp8 (users' cases: NeMo-Automodel #3757, SkyRL #2108)
//   mean padding of a document    (a - 1)/2, its length being anything modulo a

#include "models/legality.hpp"
#include "models/scenario.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim {

struct PackedDocuments {
  std::int64_t documents = 0;
  std::int64_t sequences = 0;  // that hold a document
  double useful_tokens = 0;
  double padded_tokens = 0;  // useful and padding of documents
  double free_tokens = 0;    // of all sequences, that no document takes
  TokenUnit alignment;
  double pairs = 0;                   // (query, key) pairs of all documents
  std::vector<double> pairs_of_rank;  // data · ring of them, the ring's ranks of a data rank beside each other
  double useful_share = 1;            // useful / padded tokens
  double padding_tax = 0;             // padded / useful tokens - 1
  double attention_imbalance = 1;     // work of the fullest rank against the mean: the makespan follows the fullest
};

/// Throws Error at "workload.documents" where a document or all together do not fit. The scenario must have documents.
[[nodiscard]] PackedDocuments pack_documents(const Scenario& scenario);

/// Multiple to which each document is padded: the user's, or what the plan needs.
[[nodiscard]] TokenUnit document_alignment(const Scenario& scenario);

/// (a - 1)/2 tokens.
[[nodiscard]] double mean_padding(std::int64_t alignment);

/// Context-parallel degree for one document: the smallest power of two with no more than `tokens_a_rank` on a rank.
[[nodiscard]] std::int64_t suggested_context_degree(std::int64_t tokens, std::int64_t tokens_a_rank);

}  // namespace ringsim
