#include "models/document_packing.hpp"

#include "models/error.hpp"
#include "models/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ringsim {
namespace {

// Pairs of a document's tokens [first, first + stride, ...) below `end`, of `length` tokens in all.
double pairs_of(std::int64_t first, std::int64_t end, std::int64_t stride, std::int64_t length, bool causal) {
  end = std::min(end, length);
  if (first >= end) return 0;
  const std::int64_t count = (end - first + stride - 1) / stride;
  const auto n = static_cast<double>(count);
  if (!causal) return n * static_cast<double>(length);
  const auto last = static_cast<double>(first + (count - 1) * stride);
  return n * (static_cast<double>(first + 1) + last + 1) / 2;
}

// Adds what each ring rank computes of a document that begins at `start` of its sequence.
class RankWork {
 public:
  RankWork(const Scenario& s, std::int64_t alignment)
      : shards_(s.ring.layout, s.workload.tokens, s.parallel.ring),
        causal_(s.workload.causal),
        by_document_(s.ring.layout == Layout::zigzag && alignment % (2 * s.parallel.ring) == 0) {}

  void add(std::int64_t start, std::int64_t length, std::int64_t padded, double* of_rank) const {
    for (std::int64_t rank = 0; rank < shards_.ring(); ++rank) {
      if (by_document_) {
        const Shards document(Layout::zigzag, padded, shards_.ring());
        of_rank[rank] += of_runs(document.two_runs(rank), 0, length);
      } else {
        of_rank[rank] += of_runs(shards_.two_runs(rank), start, length);
      }
    }
  }

 private:
  [[nodiscard]] double of_runs(const std::array<TokenRun, 2>& runs, std::int64_t start, std::int64_t length) const {
    double pairs = 0;
    for (const TokenRun& run : runs) {
      if (run.count == 0) continue;
      const std::int64_t end = run.first + run.count * run.stride - start;
      std::int64_t first = run.first - start;
      if (first < 0) first += (-first + run.stride - 1) / run.stride * run.stride;
      pairs += pairs_of(first, end, run.stride, length, causal_);
    }
    return pairs;
  }

  Shards shards_;
  bool causal_;
  bool by_document_;
};

}  // namespace

double mean_padding(std::int64_t alignment) { return static_cast<double>(alignment - 1) / 2; }

std::int64_t suggested_context_degree(std::int64_t tokens, std::int64_t tokens_a_rank) {
  std::int64_t degree = 1;
  while (degree * tokens_a_rank < tokens) degree *= 2;
  return degree;
}

TokenUnit document_alignment(const Scenario& s) {
  const Parallel& p = s.parallel;
  const std::int64_t user = s.workload.documents ? s.workload.documents->alignment : 0;
  if (user > 0) return {user, "workload.documents.alignment"};
  const std::int64_t context = p.ulysses * p.ring;
  const std::string ranks = p.ulysses > 1 ? "ulysses x ring" : "ring";
  TokenUnit unit;
  if (context > 1) {
    if (s.ring.layout == Layout::zigzag) {
      unit = {2 * context, "2 x " + ranks};
    } else if (p.ulysses > 1) {
      unit = {context, ranks};
    }
  }
  if (p.sequence_parallel && p.tensor > 1) {
    unit.from += unit.from.empty() ? "tensor (sequence_parallel)" : " x tensor (sequence_parallel)";
    unit.tokens *= p.tensor;
  }
  if (s.workload.dtype == Dtype::fp8) {
    unit.from = unit.from.empty() ? fmt::format("16 x {} (fp8)", ranks)
                                  : fmt::format("lcm({}, 16 x {} (fp8))", unit.from, ranks);
    unit.tokens = std::lcm(unit.tokens, 16 * context);
  }
  if (unit.from.empty()) unit.from = "1";
  return unit;
}

PackedDocuments pack_documents(const Scenario& s) {
  const Documents& documents = *s.workload.documents;
  const std::int64_t room = s.workload.tokens;
  if (documents.lengths.empty()) throw Error("no documents", "workload.documents", "at least one length");
  if (documents.alignment < 0) {
    throw Error(fmt::format("an alignment of {}", documents.alignment), "workload.documents", "0, or at least 1");
  }
  PackedDocuments packed;
  packed.alignment = document_alignment(s);
  const std::int64_t unit = packed.alignment.tokens;
  const RankWork work(s, unit);
  const std::int64_t ring = s.parallel.ring;
  packed.pairs_of_rank.assign(static_cast<std::size_t>(s.parallel.data * ring), 0.0);

  std::int64_t sequence = 0;
  std::int64_t used = 0;  // tokens of it
  for (const DocumentLength& entry : documents.lengths) {
    if (entry.tokens < 1 || entry.count < 1) {
      throw Error(fmt::format("{} documents of {} tokens", entry.count, entry.tokens), "workload.documents",
                  "lengths and counts of at least 1");
    }
    const std::int64_t padded = (entry.tokens + unit - 1) / unit * unit;
    if (padded > room) {
      throw Error(fmt::format("a document of {} tokens ({} when padded to {} = {}) is longer than a sequence of {}",
                              entry.tokens, padded, packed.alignment.from, unit, room),
                  "workload.documents", fmt::format("at most {} tokens, or longer sequences", room / unit * unit));
    }
    for (std::int64_t i = 0; i < entry.count; ++i) {
      if (used + padded > room) {
        ++sequence;
        used = 0;
      }
      if (sequence >= s.workload.batch) {
        throw Error(fmt::format("{} sequences of {} tokens do not hold all documents: {} are placed", s.workload.batch,
                                room, packed.documents),
                    "workload.documents", "a larger batch, longer sequences, or fewer documents");
      }
      const std::int64_t data = sequence / batch_of_rank(s);
      work.add(used, entry.tokens, padded, &packed.pairs_of_rank[static_cast<std::size_t>(data * ring)]);
      used += padded;
      ++packed.documents;
    }
    packed.useful_tokens += static_cast<double>(entry.tokens * entry.count);
    packed.padded_tokens += static_cast<double>(padded * entry.count);
    packed.pairs += static_cast<double>(entry.count) * pairs_of(0, entry.tokens, 1, entry.tokens, s.workload.causal);
  }
  packed.sequences = sequence + 1;
  packed.free_tokens = static_cast<double>(room * s.workload.batch) - packed.padded_tokens;
  packed.useful_share = packed.useful_tokens / packed.padded_tokens;
  packed.padding_tax = packed.padded_tokens / packed.useful_tokens - 1;
  const double fullest = *std::max_element(packed.pairs_of_rank.begin(), packed.pairs_of_rank.end());
  packed.attention_imbalance = fullest * static_cast<double>(packed.pairs_of_rank.size()) / packed.pairs;
  return packed;
}

}  // namespace ringsim
