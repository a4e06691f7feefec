#pragma once
// Parameters that a rank holds, and its optimiser step.
//
// Matrices are divided by tensor parallelism as their products are (K/V heads of which there are fewer than ranks, latent
// down-projections and the router are whole on each), experts by expert parallelism as well; norms and the biases of
// attention are whole.
//
// One optimiser step reads and writes the state (master copy and moments), reads the gradient and writes the parameter:
//   bytes = parameters / z · (2 · optimizer_bytes + gradient_bytes + weight bytes)
// z: from ZeRO 1 on the ranks that hold the same parameters (Rajbhandari et al., arXiv 1910.02054 §5), else 1.

#include "models/block/block_shape.hpp"

#include <cstdint>

namespace ringsim {

struct RankParameters {
  double shared = 0;   // that all ranks of Group::gradient hold alike
  double experts = 0;  // of routed experts: ranks of that group hold them alike where their experts are the same
  [[nodiscard]] double total() const { return shared + experts; }
  RankParameters& operator+=(const RankParameters& other) {
    shared += other.shared;
    experts += other.experts;
    return *this;
  }
};

[[nodiscard]] RankParameters layer_of_rank(const BlockShape& shape, std::int64_t layer);
/// Of the embedding, and of head and last norm. A shared matrix counts with the embedding; a last pipeline stage of several
/// holds a copy.
[[nodiscard]] RankParameters embedding_of_rank(const BlockShape& shape);
[[nodiscard]] RankParameters head_of_rank(const BlockShape& shape, bool holds_copy);

/// Ranks that hold the same shared parameters, and the same experts.
[[nodiscard]] double sharers(const Parallel& parallel);
[[nodiscard]] double expert_sharers(const Parallel& parallel);

/// Of a rank that holds these parameters.
[[nodiscard]] DenseWork optimizer_step(const BlockShape& shape, const Training& training, const RankParameters& held);

}  // namespace ringsim
