#pragma once
// Layouts: who owns which tokens, and how much attention a pair of blocks costs (physics: "Layouts under a causal
// mask").
//
//   contiguous  rank r owns tokens rB ... (r+1)B - 1; an uneven sequence gives the first S mod N ranks one token more
//   striped     token t on rank t mod N (Brandon et al., Striped Attention, arXiv 2311.09431)
//   zigzag      chunks r and 2N - 1 - r of S/2N tokens (zhuzilin/ring-flash-attention; Llama 3, arXiv 2407.21783
//   §3.3.2)
//
// Tokens that are cached before the sequence (P of them, positions 0 ... P - 1; the new ones stand at P ...) are keys alone,
// spread by the same layout. So a rank holds block(r) queries and keys_of(r) keys.

#include "models/mask.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ringsim {

enum class Layout { contiguous, striped, zigzag };

constexpr std::string_view name_of(Layout layout) {
  return layout == Layout::contiguous ? "contiguous" : layout == Layout::striped ? "striped" : "zigzag";
}

/// Which part of a block a kernel reads: zigzag needs only one half of the queries or keys off the diagonal.
enum class Part { whole, early, late };

/// A block's keys, or a half of them that travels on its own: zigzag's early or late chunks, else the first or second half of
/// each run (an odd token goes to the first).
enum class Half { whole, first, second };

/// One attention kernel of a ring step: queries of one block against keys of another.
struct AttendWork {
  // The rectangle: whole runs of tokens of which any takes part; under a window, of each run the tokens from the first
  // to the last that take part (a kernel for windows skips the rest).
  std::int64_t rows = 0;     // queries
  std::int64_t columns = 0;  // keys
  std::int64_t entries = 0;  // (query, key) pairs that the mask lets through; 0: the step is masked, no kernel runs
  Part query_part = Part::whole;
  Part key_part = Part::whole;  // of the new tokens; whole where several blocks' keys or a half's are meant
  int edges = 0;                // mask edges that cross the rectangle: the causal one, the window's one or two
  double heads = 1;             // part of the rank's heads that the kernel computes
  [[nodiscard]] bool masked() const { return entries == 0; }
  [[nodiscard]] bool partial() const { return entries != rows * columns; }  // a mask edge crosses the rectangle
  /// Some queries of the block see none of the keys: zigzag's early half of a later block, the first row below the diagonal of a
  /// striped one. An implementation computes, and merges, the others only.
  [[nodiscard]] bool leaves_rows_out() const {
    return query_part != Part::whole || (rows == columns && entries > 0 && entries == rows * (rows - 1) / 2);
  }
  friend bool operator==(const AttendWork&, const AttendWork&) = default;
};

/// Ranks [begin, end) that do the same work.
struct WorkSegment {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  AttendWork work;
};

/// A sequence of `tokens` tokens after `cached` others, spread over `ring` ranks. Throws Error where the layout cannot hold
/// it (zigzag needs tokens and cached tokens divisible by 2·ring; every layout at least one new token a rank).
class Shards {
 public:
  Shards(Layout layout, std::int64_t tokens, std::int64_t ring, std::int64_t cached = 0);

  [[nodiscard]] Layout layout() const { return layout_; }
  [[nodiscard]] std::int64_t tokens() const { return tokens_; }
  [[nodiscard]] std::int64_t ring() const { return ring_; }
  [[nodiscard]] std::int64_t cached() const { return cached_; }
  /// All ranks hold equally many tokens, new and cached.
  [[nodiscard]] bool even() const { return tokens_ % ring_ == 0 && cached_ % ring_ == 0; }
  /// Tokens of a rank's block, of the largest block, and of the ranks before `even_from` (which hold one more).
  [[nodiscard]] std::int64_t block(std::int64_t rank) const { return tokens_ / ring_ + (rank < remainder() ? 1 : 0); }
  [[nodiscard]] std::int64_t largest_block() const { return block(0); }
  [[nodiscard]] std::int64_t remainder() const { return tokens_ % ring_; }
  /// Keys of a rank: its new and its cached tokens, or a half of them.
  [[nodiscard]] std::int64_t keys_of(std::int64_t rank, Half half = Half::whole) const;
  [[nodiscard]] std::int64_t largest_keys(Half half = Half::whole) const { return keys_of(0, half); }

  /// The runs of new tokens that a rank owns, in ascending order; one run, or two for zigzag (early and late half).
  [[nodiscard]] std::vector<TokenRun> runs(std::int64_t rank) const;
  /// The same without an allocation; the second run is empty but for zigzag.
  [[nodiscard]] std::array<TokenRun, 2> two_runs(std::int64_t rank) const;
  /// The runs of a rank's keys: two of cached tokens, two of new ones; the second of each is empty but for zigzag.
  [[nodiscard]] std::array<TokenRun, 4> key_runs(std::int64_t rank, Half half = Half::whole) const;

  /// The kernel that the queries of `query_rank`'s block against the keys of `key_rank`'s block need, exact in entries.
  [[nodiscard]] AttendWork work(std::int64_t query_rank, std::int64_t key_rank, const Mask& mask,
                                Half half = Half::whole) const;
  /// The kernel of the queries of a rank's block against all keys.
  [[nodiscard]] AttendWork work_on_all(std::int64_t query_rank, const Mask& mask) const;

  /// work() of every rank r at ring step k, as maximal runs of ranks with equal work, in ascending order.
  /// Keys travel: queries of r against keys of (r - k) mod N. Queries travel: queries of (r - k) mod N, keys of r.
  [[nodiscard]] std::vector<WorkSegment> step_work(std::int64_t step, bool queries_travel, const Mask& mask,
                                                   Half half = Half::whole) const;

 private:
  // Zigzag, but for a ring of one, which owns everything.
  [[nodiscard]] bool in_two_chunks() const { return layout_ == Layout::zigzag && ring_ > 1; }
  [[nodiscard]] std::array<TokenRun, 2> spread(std::int64_t tokens, std::int64_t rank) const;

  Layout layout_;
  std::int64_t tokens_;
  std::int64_t ring_;
  std::int64_t cached_;
};

}  // namespace ringsim
