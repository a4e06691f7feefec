// What a tile of keys shows to a tile of queries, against the mask's definition pair by pair.
#include "kernels/host/visibility.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ringsim::host {
namespace {

bool sees(const Mask& mask, std::int64_t query, std::int64_t key) {
  if (mask.causal && key > query) return false;
  return !mask.window || (query - key < *mask.window && key - query < *mask.window);
}

// A contiguous block, a striped one, and a zigzag one of two runs far apart.
const std::vector<std::vector<std::int64_t>> tiles = {{0},      {5},           {0, 1, 2, 3},   {4, 5, 6, 7},
                                                      {12, 13}, {1, 5, 9, 13}, {2, 6, 10, 14}, {2, 3, 20, 21}};

void expect_definition(const Mask& mask, const std::vector<std::int64_t>& queries,
                       const std::vector<std::int64_t>& keys) {
  std::size_t pairs = 0;
  for (const std::int64_t query : queries) {
    const KeyRange range = visible_keys(mask, query, keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto index = static_cast<Eigen::Index>(i);
      EXPECT_EQ(sees(mask, query, keys[i]), range.first <= index && index < range.last) << query << " " << keys[i];
      pairs += sees(mask, query, keys[i]) ? 1U : 0U;
    }
  }
  const Coverage covers = coverage(mask, queries, keys);
  // `part` is allowed of any tile; the others are claims.
  if (covers == Coverage::none) {
    EXPECT_EQ(pairs, 0U);
  }
  if (covers == Coverage::whole) {
    EXPECT_EQ(pairs, queries.size() * keys.size());
  }
  // Where one tile is a single token nothing is left between none and whole but what it sees.
  if (queries.size() * keys.size() == 1) {
    EXPECT_NE(covers, Coverage::part);
  }
}

TEST(Visibility, FollowsTheMask) {
  for (const Mask& mask : {Mask{false, std::nullopt}, Mask{true, std::nullopt}, Mask{true, 1}, Mask{true, 4},
                           Mask{false, 1}, Mask{false, 4}, Mask{true, 100}, Mask{false, 100}}) {
    for (const auto& queries : tiles) {
      for (const auto& keys : tiles) expect_definition(mask, queries, keys);
    }
  }
}

TEST(Visibility, TilesOffTheBandAreSkipped) {
  const std::vector<std::int64_t> early = {0, 1, 2, 3};
  const std::vector<std::int64_t> late = {8, 9, 10, 11};
  // The nearest pair is 3 and 8, five apart: a window of five keeps it out, one of six lets it in.
  EXPECT_EQ(coverage({true, std::nullopt}, early, late), Coverage::none);
  EXPECT_EQ(coverage({true, std::nullopt}, late, early), Coverage::whole);
  EXPECT_EQ(coverage({true, 5}, late, early), Coverage::none);
  EXPECT_EQ(coverage({true, 6}, late, early), Coverage::part);
  EXPECT_EQ(coverage({false, 5}, early, late), Coverage::none);
  EXPECT_EQ(coverage({false, 6}, early, late), Coverage::part);
  // The furthest are 11 apart.
  EXPECT_EQ(coverage({false, 11}, early, late), Coverage::part);
  EXPECT_EQ(coverage({false, 12}, early, late), Coverage::whole);
  EXPECT_EQ(coverage({true, std::nullopt}, early, early), Coverage::part);
}

}  // namespace
}  // namespace ringsim::host
