#pragma once
// What a kernel of a pair of blocks computes: the kernels know rectangles and lower triangles, of tokens that follow each other in
// their blocks. Every pair of blocks of the layouts is one of these under a causal mask:
//
//   contiguous   own block: triangle; earlier block: all; later block: nothing
//   zigzag       own block: triangle (positions ascend); earlier rank's: all queries × its first half; later rank's: second half
//                of the queries × all keys
//   striped      own or earlier rank's block: triangle; later rank's: triangle of the queries but the first and the keys but the last
//
// and all of the pair without a mask.

#include "kernels/host/tensors.hpp"
#include "models/mask.hpp"

#include <cstdint>

namespace ringsim::cuda {

/// Queries [first_query, first_query + queries) of their block against keys [first_key, first_key + keys) of theirs; causal: query i sees
/// keys j <= i of these.
struct Piece {
  std::int64_t first_query = 0;
  std::int64_t queries = 0;
  std::int64_t first_key = 0;
  std::int64_t keys = 0;
  bool causal = false;
  [[nodiscard]] bool empty() const { return queries == 0 || keys == 0; }
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// Positions ascend. Throws Error where what the mask lets through is neither a rectangle nor such a triangle (windows).
[[nodiscard]] Piece piece_of(const Mask& mask, const host::Positions& queries, const host::Positions& keys);

}  // namespace ringsim::cuda
