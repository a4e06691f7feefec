#include "models/mask.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace ringsim {
namespace {

// Sum over y <= x of clamp(y, 0, rows).
std::int64_t clamped_sum(std::int64_t x, std::int64_t rows) {
  if (x <= 0) return 0;
  if (x <= rows) return x * (x + 1) / 2;
  return rows * (rows + 1) / 2 + (x - rows) * rows;
}

// Pairs with i - m <= t: column m holds clamp(m + t + 1, 0, rows) of them.
std::int64_t area_up_to(std::int64_t rows, std::int64_t columns, std::int64_t t) {
  if (t < -columns) return 0;
  const std::int64_t reach = std::min(t, rows);  // beyond it every pair is in
  return clamped_sum(columns + reach, rows) - clamped_sum(reach, rows);
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

}  // namespace

std::int64_t band_area(std::int64_t rows, std::int64_t columns, std::int64_t low, std::int64_t high) {
  if (rows <= 0 || columns <= 0 || low > high) return 0;
  return area_up_to(rows, columns, high) - area_up_to(rows, columns, std::max(low, -columns) - 1);
}

RowRange band_rows(std::int64_t rows, std::int64_t columns, std::int64_t low, std::int64_t high) {
  // Row i meets columns i - high ... i - low.
  if (rows <= 0 || columns <= 0 || low > high) return {};
  const RowRange range{std::max<std::int64_t>(0, low), std::min(rows - 1, std::min(high, rows) + columns - 1)};
  return range.last < range.first ? RowRange{} : range;
}

Band band_of(const TokenRun& queries, const TokenRun& keys, const Mask& mask) {
  assert(queries.stride == keys.stride);
  // q - k = offset + stride · (i - m): turn the bounds on q - k into bounds on i - m.
  constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 4;
  const std::int64_t high = mask.window ? *mask.window - 1 : unlimited;
  const std::int64_t low = mask.causal ? 0 : -high;
  const std::int64_t offset = queries.first - keys.first;
  return {-floor_div(-(low - offset), queries.stride), floor_div(high - offset, queries.stride)};
}

std::int64_t masked_area(const TokenRun& queries, const TokenRun& keys, const Mask& mask) {
  const Band band = band_of(queries, keys, mask);
  return band_area(queries.count, keys.count, band.low, band.high);
}

}  // namespace ringsim
