#pragma once
// FLOP of the model, by definition and not by what a rank executes. N: weights that a token is multiplied with (no embedding
// look-up, no norms and biases; of a mixture the experts that it visits); pairs: (query, key) pairs under the masks.
//
//   forward   2·N a token, of which 2·d·V are the logits: of every token in training, of the last one else
//             2·(Dqk + Dv)·H a pair and layer (4·D·H)
//   train     3 × forward (Narayanan et al., arXiv 2104.04473; PaLM, arXiv 2204.02311 appendix B)
//
//   MFU   model FLOP / (peak · time): the backward pass counts twice its forward, recomputation nothing
//   HFU   executed FLOP / (peak · time): the backward pass of attention computes its scores again (10·D·H instead of 8·D·H), and
//         full recomputation runs the forward pass of all layers again; selective runs no product again

#include "models/scenario.hpp"

#include <cstdint>

namespace ringsim {

/// 2·N of the layers, and of the logits.
[[nodiscard]] Flop layers_flop_per_token(const Transformer& model);
[[nodiscard]] Flop logits_flop_per_token(const Transformer& model);

/// Pairs that all layers' masks let through, summed over layers, of `tokens` queries behind `cached` tokens.
[[nodiscard]] double attention_pairs(const Transformer& model, std::int64_t tokens, std::int64_t cached, bool causal);

/// The whole job: all sequences, one pass (prefill), one optimiser step (train) or one token of every sequence (decode, over
/// a cache of workload.tokens).
[[nodiscard]] Flop model_flop(const Scenario& scenario);
[[nodiscard]] Flop executed_flop(const Scenario& scenario);

}  // namespace ringsim
