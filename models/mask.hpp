#pragma once
// Which (query, key) pairs a mask lets through, counted exactly.

#include <cstdint>
#include <optional>

namespace ringsim {

/// A band mask over token positions: query q sees key k where
///   causal:  0 <= q - k            (else any sign)
///   window W: q - k < W            (and k - q < W where not causal)
struct Mask {
  bool causal = true;
  std::optional<std::int64_t> window;  // tokens, the query itself included; absent: unlimited
  friend bool operator==(const Mask&, const Mask&) = default;
};

/// Tokens first, first + stride, ... (count of them): what a rank owns is a few such runs.
struct TokenRun {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t stride = 1;
  friend bool operator==(const TokenRun&, const TokenRun&) = default;
};

/// Pairs (i, m) with 0 <= i < rows, 0 <= m < columns and low <= i - m <= high, in closed form.
[[nodiscard]] std::int64_t band_area(std::int64_t rows, std::int64_t columns, std::int64_t low, std::int64_t high);

/// First and last of `rows` that meet at least one of `columns` within low <= i - m <= high; empty (last < first) if
/// none does.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t last = -1;
};
[[nodiscard]] RowRange band_rows(std::int64_t rows, std::int64_t columns, std::int64_t low, std::int64_t high);

/// Bounds on i - m for which key m of `keys` is seen by query i of `queries` (runs of equal stride).
struct Band {
  std::int64_t low = 0;
  std::int64_t high = -1;
};
[[nodiscard]] Band band_of(const TokenRun& queries, const TokenRun& keys, const Mask& mask);

/// Pairs (query, key) of two runs of equal stride that the mask lets through [entries].
[[nodiscard]] std::int64_t masked_area(const TokenRun& queries, const TokenRun& keys, const Mask& mask);

}  // namespace ringsim
