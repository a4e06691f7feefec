#pragma once
// Attention of a block of queries against a block of keys, blockwise: the scores of one tile of queries and keys at a
// time, never all.
//
// Forward, with positions p of the tokens and the scale σ (by convention 1/√Dqk):
//   S = σ·Q·Kᵀ where the mask lets p_q, p_k through      O = softmax(S)·V      LSE = log Σ exp S
// Backward (FlashAttention, arXiv 2205.14135, algorithm 4), from LSE over *all* keys and delta = Σ dO ∘ O:
//   P = exp(S − LSE)    dV += Pᵀ·dO    dS = P ∘ (dO·Vᵀ − delta)    dQ += σ·dS·K    dK += σ·dSᵀ·Q
// K, V, dK and dV of a key/value head serve H/G query heads.
//
// Tiles that the mask empties are skipped, so a mask costs its band; tiles that an edge of it crosses are multiplied
// whole. Nothing is allocated once a workspace has been used with the same shapes.

#include "kernels/host/progress.hpp"
#include "kernels/host/softmax.hpp"
#include "kernels/host/views.hpp"
#include "models/mask.hpp"

#include <vector>

namespace ringsim::host {

/// Tokens of a tile.
struct Tiling {
  Eigen::Index queries = 64;
  Eigen::Index keys = 64;
};

struct AttentionSpec {
  Mask mask;
  double scale = 1;  // σ
  Tiling tile;
};

/// A block and where its tokens stand in the sequence, in ascending order.
template <class T>
struct Placed {
  BlockView<const T> block;
  const Positions& positions;
};

/// Scratch memory of the kernels, to be kept and used again.
template <class T>
struct Workspace {
  Matrix<T> scaled_q;             // [query tile][Dqk]       σ·Q
  Matrix<T> scores;               // [query tile][key tile]  S, then the weights that follow from it
  Matrix<T> d_scores;             // [query tile][key tile]
  Column<T> m, l;                 // [query tile]
  std::vector<KeyRange> visible;  // [query tile]
};

/// The output (o, lse) of the queries (q) over the block's keys (k, v) alone, written to `partial`. `progress` is called
/// after every matrix product of a tile.
template <class T>
void attend(const AttentionSpec& spec, Placed<T> queries, Placed<T> keys, Workspace<T>& workspace, BlockView<T> partial,
            Progress progress = {});

/// The contributions of this pair of blocks to dQ (of q, d_out, lse, delta) and to dK, dV (of k, v), written to q, k and v
/// of `gradient`.
template <class T>
void attend_backward(const AttentionSpec& spec, Placed<T> queries, Placed<T> keys, Workspace<T>& workspace,
                     BlockView<T> gradient, Progress progress = {});

/// delta = Σ dO ∘ O over the dimension, [H][tokens][1].
template <class T>
void delta_of(HeadsView<const T> d_out, HeadsView<const T> o, HeadsView<T> delta);

}  // namespace ringsim::host
