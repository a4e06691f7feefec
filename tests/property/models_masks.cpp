// Areas of masks and blocks at sizes that no one counts pair by pair: rows counted one by one, and identities.
#include "models/layout.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace ringsim {
namespace {

std::int64_t whole(std::int64_t from, std::int64_t to) { return *rc::gen::inRange<std::int64_t>(from, to + 1); }

RC_GTEST_PROP(BandArea, IsTheSumOfItsRows, ()) {
  const std::int64_t rows = whole(0, 500);
  const std::int64_t columns = whole(0, 500);
  const std::int64_t low = whole(-600, 600);
  const std::int64_t high = whole(-600, 600);
  std::int64_t pairs = 0;
  // Row i holds columns i - high ... i - low, as far as they exist.
  for (std::int64_t i = 0; i < rows; ++i) {
    pairs += std::max<std::int64_t>(0, std::min(columns - 1, i - low) - std::max<std::int64_t>(0, i - high) + 1);
  }
  RC_ASSERT(band_area(rows, columns, low, high) == pairs);
}

RC_GTEST_PROP(BandArea, OfAdjoiningBandsAddsUpAndTransposingMirrorsTheBand, ()) {
  const std::int64_t rows = whole(1, 1 << 20);
  const std::int64_t columns = whole(1, 1 << 20);
  const std::int64_t low = whole(-2000000, 2000000);
  const std::int64_t middle = whole(low, low + 1000000);
  const std::int64_t high = whole(middle + 1, middle + 1000000);
  RC_ASSERT(band_area(rows, columns, low, high) ==
            band_area(rows, columns, low, middle) + band_area(rows, columns, middle + 1, high));
  RC_ASSERT(band_area(rows, columns, low, high) == band_area(columns, rows, -high, -low));
  RC_ASSERT(band_area(rows, columns, -rows - columns, rows + columns) == rows * columns);
}

Shards any_shards(std::int64_t largest_block) {
  const auto layout = *rc::gen::element(Layout::contiguous, Layout::striped, Layout::zigzag);
  const std::int64_t ring = whole(1, 64);
  std::int64_t tokens = 2 * ring * whole(1, largest_block / 2);
  if (layout != Layout::zigzag) tokens += whole(0, ring - 1);
  return {layout, tokens, ring};
}

std::int64_t entries(const Shards& shards, bool queries_travel, const Mask& mask) {
  std::int64_t total = 0;
  for (std::int64_t step = 0; step < shards.ring(); ++step) {
    for (const WorkSegment& s : shards.step_work(step, queries_travel, mask))
      total += s.work.entries * (s.end - s.begin);
  }
  return total;
}

RC_GTEST_PROP(Shards, CoverACausalSequenceOnce, ()) {
  const Shards shards = any_shards(1 << 16);
  const std::int64_t s = shards.tokens();
  RC_ASSERT(entries(shards, *rc::gen::arbitrary<bool>(), Mask{true, std::nullopt}) == s * (s + 1) / 2);
  RC_ASSERT(entries(shards, *rc::gen::arbitrary<bool>(), Mask{false, std::nullopt}) == s * s);
}

// A causal query q sees min(q + 1, W) keys of a window W; without causality as many again after it, less itself.
RC_GTEST_PROP(Shards, CoverAWindowOnce, ()) {
  const Shards shards = any_shards(40);
  const std::int64_t window = whole(1, shards.tokens() + 3);
  std::int64_t causal = 0;
  std::int64_t both = 0;
  for (std::int64_t q = 0; q < shards.tokens(); ++q) {
    const std::int64_t before = std::min(q + 1, window);
    causal += before;
    both += before + std::min(shards.tokens() - q, window) - 1;
  }
  RC_ASSERT(entries(shards, *rc::gen::arbitrary<bool>(), Mask{true, window}) == causal);
  RC_ASSERT(entries(shards, *rc::gen::arbitrary<bool>(), Mask{false, window}) == both);
}

}  // namespace
}  // namespace ringsim
