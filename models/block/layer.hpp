#pragma once
// A layer around its attention, as steps of one rank, forward, backward, and what recomputation runs again:
//
//   before attention   norm · [all-gather] · Q, K, V (norms of Q and K, rotary embedding)
//   after attention    output projection · [all-reduce or reduce-scatter] · residual, norm · [all-gather] · MLP or mixture ·
//                      [all-reduce or reduce-scatter] · residual
//
// in brackets what tensor parallelism adds (Shoeybi et al., arXiv 1909.08053 §3; under sequence parallelism Korthikanti et al.,
// arXiv 2205.05198 §4.2.2). Backward is the reverse: an all-reduce stands where the products divided by columns begin instead of
// where those divided by depth end. Sequence parallelism gathers a saved input a second time in the backward pass; that runs
// beside the product that gives dX (§4.2.2) and is not counted.
//
// Attention itself, with its exchanges between ranks, is not part of it.

#include "models/block/two_way.hpp"
#include "models/training.hpp"

#include <cstdint>
#include <vector>

namespace ringsim {

/// Steps in the order in which they run; attention runs between the two lists.
struct LayerSteps {
  std::vector<BlockStep> before;
  std::vector<BlockStep> after;
};

[[nodiscard]] LayerSteps layer_forward(const BlockShape& shape, std::int64_t layer);

/// The backward pass: `before` of what stands behind attention, `after` of what leads to it.
[[nodiscard]] LayerSteps layer_backward(const BlockShape& shape, std::int64_t layer);

/// What runs again ahead of a layer's backward pass.
struct Recomputation {
  LayerSteps steps;
  bool attention = false;  // the forward attention, with its exchanges, runs again between them
};
[[nodiscard]] Recomputation layer_recomputation(const BlockShape& shape, std::int64_t layer, Recompute recompute);

/// Layers alike in their work: dense or a mixture.
[[nodiscard]] inline bool same_block(const Transformer& model, std::int64_t a, std::int64_t b) {
  return model.is_mixture(a) == model.is_mixture(b);
}

}  // namespace ringsim
