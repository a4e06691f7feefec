#pragma once
// Which layers a pipeline stage holds, and how many of its activations are alive at once.
//
// The layers are cut into p·v pieces that follow each other (p stages, v pieces a stage: Narayanan et al., arXiv 2104.04473
// §2.2); where p·v does not divide them the first pieces hold one layer more. Piece i is on stage i mod p. The first stage
// holds the embedding, the last one the head.
//
// Pieces whose activations stage s of p keeps for the backward pass at the same time, with m micro-batches:
//   1F1B, v = 1          min(m, p - s)
//   interleaved, v > 1   min(m·v, 2·(p - s - 1) + (v - 1)·p + 1)
// the forward passes that a stage runs ahead of its first backward, and the one of its steady state. For s = 0 and many
// micro-batches that is p and p·v + p - 1, of L/p and L/(p·v) layers each: the whole model, and 1 + (p - 1)/(p·v) times it
// (Korthikanti et al., arXiv 2205.05198 §4.2.3).

#include <cstdint>
#include <vector>

namespace ringsim {

/// Layers [first, first + count).
struct LayerRun {
  std::int64_t first = 0;
  std::int64_t count = 0;
  friend bool operator==(const LayerRun&, const LayerRun&) = default;
};

/// The pieces of a stage, in the order in which a token meets them.
[[nodiscard]] std::vector<LayerRun> layers_of_stage(std::int64_t layers, std::int64_t pipeline, std::int64_t interleave,
                                                    std::int64_t stage);

/// (piece, micro-batch) pairs that a stage keeps at once.
[[nodiscard]] std::int64_t pieces_in_flight(std::int64_t pipeline, std::int64_t interleave, std::int64_t micro_batches,
                                            std::int64_t stage);

}  // namespace ringsim
