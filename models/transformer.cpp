#include "models/transformer.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim {
namespace {

void require_positive(std::int64_t value, const char* key) {
  if (value < 1)
    throw Error(fmt::format("{} is {}", key, value), fmt::format("model.{}", key), "a whole number, at least 1");
}

}  // namespace

std::string Transformer::attention_kind() const {
  if (latent) return "MLA";
  if (kv_heads == heads) return "MHA";
  return kv_heads == 1 ? "MQA" : "GQA";
}

bool Transformer::is_sliding(std::int64_t layer) const {
  return sliding_window && !sliding_layer.empty() && sliding_layer[static_cast<std::size_t>(layer)];
}

bool Transformer::is_mixture(std::int64_t layer) const {
  return feed_forward && feed_forward->experts > 0 &&
         (feed_forward->expert_layer.empty() || feed_forward->expert_layer[static_cast<std::size_t>(layer)]);
}

std::int64_t Transformer::cache_elements_per_token(std::int64_t tensor) const {
  if (latent) return latent->kv_lora_rank + latent->qk_rope_head_dim;
  return std::max<std::int64_t>(1, kv_heads / tensor) * 2 * head_dim;
}

void check(const Transformer& m) {
  require_positive(m.layers, "layers");
  require_positive(m.hidden, "hidden");
  require_positive(m.heads, "heads");
  require_positive(m.kv_heads, "kv_heads");
  require_positive(m.head_dim, "head_dim");
  if (m.heads % m.kv_heads != 0) {
    throw Error(fmt::format("{} query heads cannot share {} key/value heads evenly", m.heads, m.kv_heads),
                "model.kv_heads", fmt::format("a divisor of {}", m.heads));
  }
  if (m.sliding_window) require_positive(*m.sliding_window, "sliding_window");
  const auto layers = static_cast<std::size_t>(m.layers);
  if (!m.sliding_layer.empty() && m.sliding_layer.size() != layers) {
    throw Error(fmt::format("{} layer types for {} layers", m.sliding_layer.size(), m.layers), "model.layer_types",
                "one entry a layer");
  }
  const bool any_sliding = std::find(m.sliding_layer.begin(), m.sliding_layer.end(), true) != m.sliding_layer.end();
  if (any_sliding && !m.sliding_window) {
    throw Error("some layers slide, but no window is given", "model.sliding_window",
                "the window in tokens, such as 4096");
  }
  if (m.latent) {
    require_positive(m.latent->kv_lora_rank, "latent.kv_lora_rank");
    require_positive(m.latent->v_head_dim, "latent.v_head_dim");
  }
  if (m.feed_forward && m.feed_forward->experts > 0) {
    const FeedForward& f = *m.feed_forward;
    require_positive(f.experts_per_token, "feed_forward.experts_per_token");
    require_positive(f.expert_intermediate, "feed_forward.expert_intermediate");
    if (f.experts_per_token > f.experts) {
      throw Error(fmt::format("{} experts a token of {} experts", f.experts_per_token, f.experts),
                  "model.feed_forward.experts_per_token", fmt::format("at most {}", f.experts));
    }
    if (!f.expert_layer.empty() && f.expert_layer.size() != layers) {
      throw Error("the list of expert layers does not match the number of layers", "model.feed_forward",
                  "one entry a layer");
    }
  }
}

Bytes cache_per_token(const Transformer& model, double element_bytes) {
  return bytes(static_cast<double>(model.layers) * static_cast<double>(model.cache_elements_per_token(1)) *
               element_bytes);
}

Bytes cache_of_sequence(const Transformer& model, double tokens, double element_bytes) {
  double kept = 0;  // tokens, over all layers
  for (std::int64_t layer = 0; layer < model.layers; ++layer) {
    kept += model.is_sliding(layer) ? std::min(tokens, static_cast<double>(*model.sliding_window)) : tokens;
  }
  return bytes(kept * static_cast<double>(model.cache_elements_per_token(1)) * element_bytes);
}

HeadShape heads_of_rank(const Transformer& m, std::int64_t tensor, std::int64_t batch) {
  return {batch, m.heads / tensor, std::max<std::int64_t>(1, m.latent ? m.heads / tensor : m.kv_heads / tensor),
          m.query_key_dim(), m.value_dim()};
}

}  // namespace ringsim
