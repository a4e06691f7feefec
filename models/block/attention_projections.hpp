#pragma once
// The projections around attention. e bytes an element, t tensor ranks; H/t query heads and max(1, G/t) K/V heads a rank.
//
//   Q, K, V       [rows × d] · [d × D·(H + 2G)/t]; norms of Q and K: 2 (backward 3) elements; rotary embedding: reads and
//                 writes Q and K, forward and backward
//   output        [rows × H·Dv/t] · [H·Dv/t × d]
//   latent        (DeepSeek-V2, arXiv 2405.04434 §2.1) queries: d → q_lora, norm, q_lora → H/t·(Dnope + Drope); keys and values:
//                 d → c + Drope, norm of c, c → H/t·(Dnope + Dv). Down-projections are whole on every tensor rank. Only the
//                 rotary parts are rotated: H/t + 1 of Drope.
//
// Latent attention expands the cached prefix that a rank holds as well, in prefill. In decode the up-projections are applied to
// queries and outputs instead of keys and values (§2.1.2, "absorbed"): for the new token they have the same size.
//
// Biases ride on the products. Not modelled: gathering latents instead of hidden vectors under sequence parallelism.

#include "models/block/two_way.hpp"

#include <vector>

namespace ringsim {

[[nodiscard]] std::vector<TwoWay> attention_input(const BlockShape& shape);
[[nodiscard]] std::vector<TwoWay> attention_output(const BlockShape& shape);

}  // namespace ringsim
