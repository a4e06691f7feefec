#include "kernels/gpu/piece.hpp"

#include "models/error.hpp"
#include "models/layout.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ringsim::cuda {
namespace {

using host::Positions;

Positions from_to(std::int64_t first, std::int64_t last) {
  Positions positions;
  for (std::int64_t p = first; p < last; ++p) positions.push_back(p);
  return positions;
}
Positions joined(Positions a, const Positions& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

constexpr Mask causal{true, {}};
constexpr Mask full{false, {}};

// Whatever the piece, it lets through exactly the pairs that the mask lets through.
void expect_exact(const Mask& mask, const Positions& queries, const Positions& keys) {
  const Piece piece = piece_of(mask, queries, keys);
  for (std::int64_t i = 0; i < std::ssize(queries); ++i) {
    for (std::int64_t j = 0; j < std::ssize(keys); ++j) {
      const std::int64_t row = i - piece.first_query;
      const std::int64_t column = j - piece.first_key;
      const bool inside = row >= 0 && row < piece.queries && column >= 0 && column < piece.keys;
      const bool computed = inside && (!piece.causal || column <= row);
      const bool seen = !mask.causal || queries[static_cast<std::size_t>(i)] >= keys[static_cast<std::size_t>(j)];
      ASSERT_EQ(computed, seen) << i << ", " << j;
    }
  }
}

TEST(Piece, WithoutAMaskEverythingIsARectangle) {
  EXPECT_EQ(piece_of(full, from_to(0, 4), from_to(4, 7)), (Piece{0, 4, 0, 3, false}));
}

// Contiguous blocks of 4: a block sees itself as a triangle, an earlier one whole, and nothing of a later one.
TEST(Piece, ContiguousBlocks) {
  EXPECT_EQ(piece_of(causal, from_to(4, 8), from_to(4, 8)), (Piece{0, 4, 0, 4, true}));
  EXPECT_EQ(piece_of(causal, from_to(4, 8), from_to(0, 4)), (Piece{0, 4, 0, 4, false}));
  EXPECT_TRUE(piece_of(causal, from_to(0, 4), from_to(4, 8)).empty());
}

// Zigzag over two ranks of four chunks of 2 tokens: rank 0 has chunks 0 and 3, rank 1 chunks 1 and 2. Rank 1's queries (2 ... 5) see of rank 0's
// keys the early chunk (0, 1) and none of the late one (6, 7); rank 0's late queries (6, 7) see all of rank 1's keys, its early ones nothing.
TEST(Piece, ZigzagBlocksAreHalves) {
  const Positions rank0 = joined(from_to(0, 2), from_to(6, 8));
  const Positions rank1 = from_to(2, 6);
  EXPECT_EQ(piece_of(causal, rank0, rank0), (Piece{0, 4, 0, 4, true}));
  EXPECT_EQ(piece_of(causal, rank1, rank0), (Piece{0, 4, 0, 2, false}));
  EXPECT_EQ(piece_of(causal, rank0, rank1), (Piece{2, 2, 0, 4, false}));
}

// Striped over two ranks: even tokens and odd ones. Even query 2i sees odd keys 1, 3, ... below it: i of them, so query 0 none, and the last odd key
// is seen by nobody.
TEST(Piece, StripedBlocksAreTrianglesShiftedByOne) {
  const Positions even{0, 2, 4, 6};
  const Positions odd{1, 3, 5, 7};
  EXPECT_EQ(piece_of(causal, odd, even), (Piece{0, 4, 0, 4, true}));
  EXPECT_EQ(piece_of(causal, even, odd), (Piece{1, 3, 0, 3, true}));
}

TEST(Piece, OfAllLayoutsAndPairsOfRanksLetsThroughWhatTheMaskDoes) {
  for (const Layout layout : {Layout::contiguous, Layout::zigzag, Layout::striped}) {
    for (const std::int64_t ring : {1, 2, 3, 4}) {
      // Zigzag needs two equal chunks a rank; the others may be uneven.
      const std::int64_t tokens = layout == Layout::zigzag ? 4 * ring : 5 * ring + (ring > 2 ? 1 : 0);
      const Shards shards(layout, tokens, ring);
      std::vector<Positions> blocks;
      for (std::int64_t rank = 0; rank < ring; ++rank) {
        Positions& block = blocks.emplace_back();
        for (const TokenRun& run : shards.runs(rank)) {
          for (std::int64_t i = 0; i < run.count; ++i) block.push_back(run.first + i * run.stride);
        }
      }
      for (const Positions& queries : blocks) {
        for (const Positions& keys : blocks) {
          for (const Mask& mask : {causal, full}) expect_exact(mask, queries, keys);
        }
      }
    }
  }
}

// A window of 3 over 4 queries leaves a band: neither of the two shapes.
TEST(Piece, ABandIsRefused) {
  EXPECT_THROW(static_cast<void>(piece_of({true, 3}, from_to(0, 8), from_to(0, 8))), Error);
}

}  // namespace
}  // namespace ringsim::cuda
