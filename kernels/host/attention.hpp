#pragma once
// Attention of a block of queries against a block of keys, blockwise: the scores of a tile of keys at a time, never all.
//
// Forward, with positions p of the tokens and the scale σ (by convention 1/√Dqk):
//   S = σ·Q·Kᵀ where the mask lets p_q, p_k through, else −∞      O = softmax(S)·V      LSE = log Σ exp S
// Backward (FlashAttention, arXiv 2205.14135, algorithm 4), from LSE over *all* keys and delta = Σ dO ∘ O:
//   P = exp(S − LSE)    dV += Pᵀ·dO    dS = P ∘ (dO·Vᵀ − delta)    dQ += σ·dS·K    dK += σ·dSᵀ·Q
// K, V, dK and dV of a key/value head serve H/G query heads. Blocks may hold more rows than there are positions (a
// buffer for the largest block): the first ones count.

#include "kernels/host/tensors.hpp"
#include "models/mask.hpp"

namespace ringsim::host {

struct AttentionSpec {
  Mask mask;
  double scale = 1;        // σ
  Eigen::Index tile = 64;  // keys a tile
};

/// A block and where its tokens stand.
template <class T>
struct Placed {
  const Block<T>& block;
  const Positions& positions;
};

/// The output of the queries (q) over the block's keys and values (k, v) alone.
template <class T>
[[nodiscard]] Partial<T> attend(const AttentionSpec& spec, Placed<T> queries, Placed<T> keys);

/// The contributions of this pair of blocks to dQ (of q, d_out, lse, delta) and to dK, dV (of k, v).
template <class T>
[[nodiscard]] Block<T> attend_backward(const AttentionSpec& spec, Placed<T> queries, Placed<T> keys);

/// delta = Σ dO ∘ O over the dimension, [H][tokens][1].
template <class T>
[[nodiscard]] Heads<T> delta_of(const Heads<T>& d_out, const Heads<T>& o);

}  // namespace ringsim::host
