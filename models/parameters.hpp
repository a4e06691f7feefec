#pragma once
// Parameters of a transformer by part, exact: matrices, biases and the vectors of norms. d hidden size, H and G heads, D head
// dimension, f hidden units, n experts of which a token visits k:
//
//   attention   d·D·(H + 2G) + H·D·d; biases D·(H + 2G) and d; sinks H; norms of Q and K 2D
//               latent (DeepSeek-V2, arXiv 2405.04434 §2.1): q_lora·(d + 1 + H·Dqk) or d·H·Dqk; d·(c + Drope) + c; c·H·(Dnope + Dv); H·Dv·d
//   MLP         3·d·f gated, else 2·d·f; biases 2f + d or f + d
//   mixture     router d·n and n biases; n MLPs of their own width; shared MLPs
//   norms       2d a layer, 4d with norms behind attention and MLP, d at the end
//   ends        vocabulary · d for the embedding, and once more for the head unless they are one matrix
//
// Not counted: multi-token-prediction layers, vision towers, and the gate of Qwen2-MoE's shared expert.

#include "models/transformer.hpp"

#include <cstdint>
#include <optional>

namespace ringsim {

struct ParameterCount {
  double embedding = 0;
  double attention = 0;  // with its biases, sinks and the norms inside of it
  double mlp = 0;        // of dense layers
  double router = 0;
  double experts = 0;         // routed, all of them
  double active_experts = 0;  // routed, that a token visits
  double shared_experts = 0;
  double norms = 0;  // around attention and MLP, and the last
  double head = 0;   // 0 where it is the embedding's matrix

  [[nodiscard]] double total() const {
    return embedding + attention + mlp + router + experts + shared_experts + norms + head;
  }
  /// What one token passes through, both embeddings included: the count that most model cards print.
  [[nodiscard]] double active() const { return total() - experts + active_experts; }
  /// The same without the look-up of the embedding, which multiplies nothing; where the head shares its matrix that stays.
  [[nodiscard]] double active_without_embedding() const { return active() - (head > 0 ? embedding : 0); }
  ParameterCount& operator+=(const ParameterCount& other);
};

/// Of one layer, without the ends. Throws Error where the feed-forward part is not known.
[[nodiscard]] ParameterCount layer_parameters(const Transformer& model, std::int64_t layer);

/// Of the whole network; empty where feed-forward part or vocabulary are not known.
[[nodiscard]] std::optional<ParameterCount> count_parameters(const Transformer& model);

}  // namespace ringsim
