#pragma once
// The work of a forward pass, divided: tiles of 128 queries of one head, each against blocks of keys, dealt out to the
// thread blocks of a persistent grid.

#include "kernels/cuda/bf16.hpp"

namespace ringsim::cuda {

constexpr int kHeadDim = 128;
constexpr int kQueryRows = 128;    // of a tile; 64 for each consumer warpgroup
constexpr int kConsumerRows = 64;  // what one wgmma has

/// Of a call. Query i sees key j < keys, where causal only j <= i + diagonal.
struct Shape {
  int heads = 0;
  int heads_per_key_head = 1;
  int queries = 0;
  int keys = 0;
  bool causal = false;
  int diagonal = 0;  // between -queries and keys

  [[nodiscard]] RINGSIM_HOST_DEVICE constexpr int row_tiles() const { return (queries + kQueryRows - 1) / kQueryRows; }
  [[nodiscard]] RINGSIM_HOST_DEVICE constexpr int tiles() const { return row_tiles() * heads; }
  /// Keys that a query sees: the first so many.
  [[nodiscard]] RINGSIM_HOST_DEVICE constexpr int keys_of(int query) const {
    if (!causal) return keys;
    const int last = query + diagonal + 1;
    return last < 0 ? 0 : last < keys ? last : keys;
  }
};

struct Tile {
  int head = 0;
  int first_query = 0;
};

/// Full: a head after the other, so that blocks at work share its keys in the cache. Causal: the longest tiles, which
/// are the last queries', first, so that the short ones even out the end.
[[nodiscard]] RINGSIM_HOST_DEVICE constexpr Tile tile_at(const Shape& shape, int number) {
  if (shape.causal) {
    return {number % shape.heads, (shape.row_tiles() - 1 - number / shape.heads) * kQueryRows};
  }
  return {number / shape.row_tiles(), number % shape.row_tiles() * kQueryRows};
}

/// The tile of a thread block in each round; beyond the last tile there is none, and none in later rounds. Every second
/// round goes backwards: who had the longest of one round gets the shortest of the next.
[[nodiscard]] RINGSIM_HOST_DEVICE constexpr int tile_of(int round, int block, int blocks) {
  return round * blocks + (round % 2 == 0 ? block : blocks - 1 - block);
}

/// Blocks of `key_rows` keys of which any query of the tile sees any.
[[nodiscard]] RINGSIM_HOST_DEVICE constexpr int key_blocks(const Shape& shape, int first_query, int key_rows) {
  const int end = first_query + kQueryRows;
  return (shape.keys_of((end < shape.queries ? end : shape.queries) - 1) + key_rows - 1) / key_rows;
}

}  // namespace ringsim::cuda
