#include "models/decode_cost.hpp"

#include <utility>

namespace ringsim {

DecodeHeads decode_heads(const Transformer& model, const Parallel& parallel) {
  DecodeHeads heads{model.heads / (parallel.tensor * parallel.ulysses), model.query_key_dim(), model.value_dim()};
  if (model.latent) {
    heads.query_dim = model.latent->kv_lora_rank + model.latent->qk_rope_head_dim;
    heads.value_dim = model.latent->kv_lora_rank;
  }
  return heads;
}

Elementwise decode_attention(std::string name, const DecodeHeads& heads, Bytes cache_per_token, double tokens) {
  const auto pair = static_cast<double>(2 * heads.query_heads * (heads.query_dim + heads.value_dim));
  return {std::move(name), Rows{0, 1}, cache_per_token * tokens, {}, flop(pair * tokens)};
}

}  // namespace ringsim
