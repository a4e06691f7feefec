#pragma once
// Attention of a decode step: one query a sequence over what is cached of it, T tokens on this rank.
//
//   bytes = T · cache bytes a token and layer        each read once, whatever the number of query heads
//   FLOP  = T · 2(Dqk + Dv) · H                      H query heads that the rank computes
//   time  = τ + max(bytes / W_memory, FLOP / F)      DenseCosts::time of an Elementwise
//
// Latent attention works on the latent (DeepSeek-V2, arXiv 2405.04434 §2.1.2: up-projections absorbed into those of queries and
// outputs): Dqk = c + Drope, Dv = c, with c + Drope cached elements that all heads share. That is H times as much computation
// for a byte as with one query head a key head, and can be what takes the time.
// F is the rate of a saturated attention kernel: an upper bound for few query rows. Not modelled: pages, and chips that few
// sequences cannot fill (split-K kernels, which spread a sequence over SMs, are assumed).

#include "models/dense_cost.hpp"
#include "models/plan.hpp"
#include "models/transformer.hpp"

#include <cstdint>
#include <string>

namespace ringsim {

/// What a rank's heads work with in a decode step.
struct DecodeHeads {
  std::int64_t query_heads = 1;
  std::int64_t query_dim = 0;
  std::int64_t value_dim = 0;
};
/// Of one of `tensor` · `ulysses` ranks, without those whose heads it takes over under decode context parallelism.
[[nodiscard]] DecodeHeads decode_heads(const Transformer& model, const Parallel& parallel);

/// Amounts of one layer's attention over `tokens` tokens of each sequence.
[[nodiscard]] Elementwise decode_attention(std::string name, const DecodeHeads& heads, Bytes cache_per_token,
                                           double tokens);

}  // namespace ringsim
