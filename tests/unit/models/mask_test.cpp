// Areas of masks in closed form against counting pair by pair.
#include "models/mask.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace ringsim {
namespace {

std::int64_t count_band(std::int64_t rows, std::int64_t columns, std::int64_t low, std::int64_t high) {
  std::int64_t pairs = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t m = 0; m < columns; ++m) pairs += low <= i - m && i - m <= high ? 1 : 0;
  }
  return pairs;
}

// The mask in words: a causal query sees no later key; a window hides keys that are `window` or more tokens away.
bool sees(std::int64_t query, std::int64_t key, const Mask& mask) {
  if (mask.causal && key > query) return false;
  const std::int64_t distance = query > key ? query - key : key - query;
  return !mask.window || distance < *mask.window;
}

std::int64_t count_mask(const TokenRun& queries, const TokenRun& keys, const Mask& mask) {
  std::int64_t pairs = 0;
  for (std::int64_t i = 0; i < queries.count; ++i) {
    for (std::int64_t m = 0; m < keys.count; ++m) {
      pairs += sees(queries.first + i * queries.stride, keys.first + m * keys.stride, mask) ? 1 : 0;
    }
  }
  return pairs;
}

TEST(BandArea, EqualsACountOverAllSmallRectanglesAndBands) {
  for (std::int64_t rows = 0; rows <= 6; ++rows) {
    for (std::int64_t columns = 0; columns <= 6; ++columns) {
      for (std::int64_t low = -9; low <= 9; ++low) {
        for (std::int64_t high = -9; high <= 9; ++high) {
          ASSERT_EQ(band_area(rows, columns, low, high), count_band(rows, columns, low, high))
              << rows << " x " << columns << ", " << low << " ... " << high;
        }
      }
    }
  }
}

TEST(MaskedArea, EqualsACountOverRunsStridesAndWindows) {
  for (const bool causal : {false, true}) {
    for (const std::int64_t window : {0, 1, 2, 3, 5, 8, 30}) {  // 0: no window
      const Mask mask{causal, window > 0 ? std::optional(window) : std::nullopt};
      for (std::int64_t stride = 1; stride <= 4; ++stride) {
        for (std::int64_t query_first = 0; query_first <= 12; query_first += 3) {
          for (std::int64_t key_first = 0; key_first <= 12; ++key_first) {
            for (const auto& [rows, columns] : {std::pair(4, 4), std::pair(5, 2), std::pair(1, 6)}) {
              const TokenRun queries{query_first, rows, stride};
              const TokenRun keys{key_first, columns, stride};
              ASSERT_EQ(masked_area(queries, keys, mask), count_mask(queries, keys, mask))
                  << "causal " << causal << " window " << window << " stride " << stride << " q " << query_first << "+"
                  << rows << " k " << key_first << "+" << columns;
            }
          }
        }
      }
    }
  }
}

TEST(MaskedArea, OfAWholeCausalSequenceIsTheTriangleWithItsDiagonal) {
  // Query q sees q + 1 keys: 1 + 2 + ... + 7 = 28.
  EXPECT_EQ(masked_area({0, 7, 1}, {0, 7, 1}, Mask{true, std::nullopt}), 28);
  // A window of 3 takes at most 3 keys a query: 1 + 2 + 5 · 3 = 18.
  EXPECT_EQ(masked_area({0, 7, 1}, {0, 7, 1}, Mask{true, 3}), 18);
  // Without causality both sides count: the diagonal 7, and 6 + 5 on either side of it.
  EXPECT_EQ(masked_area({0, 7, 1}, {0, 7, 1}, Mask{false, 3}), 7 + 2 * (6 + 5));
}

TEST(MaskedArea, OfTheLargestSequenceDoesNotOverflow) {
  constexpr std::int64_t s = std::int64_t{1} << 31;
  // 1 + 2 + ... + 2^31 = 2^30 · (2^31 + 1) = 2^61 + 2^30, and without a mask 2^62.
  EXPECT_EQ(masked_area({0, s, 1}, {0, s, 1}, Mask{true, std::nullopt}),
            (std::int64_t{1} << 61) + (std::int64_t{1} << 30));
  EXPECT_EQ(masked_area({0, s, 1}, {0, s, 1}, Mask{false, std::nullopt}), std::int64_t{1} << 62);
  // Queries of the second half against keys of the first: all of 2^30 · 2^30.
  EXPECT_EQ(masked_area({s / 2, s / 2, 1}, {0, s / 2, 1}, Mask{true, std::nullopt}), std::int64_t{1} << 60);
  EXPECT_EQ(masked_area({0, s / 2, 1}, {s / 2, s / 2, 1}, Mask{true, std::nullopt}), 0);
}

}  // namespace
}  // namespace ringsim
