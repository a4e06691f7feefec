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

double attention_parameters(const Transformer& m) {
  const auto d = static_cast<double>(m.hidden);
  const auto heads = static_cast<double>(m.heads);
  if (m.latent) {
    const LatentAttention& a = *m.latent;
    const auto rank = static_cast<double>(a.kv_lora_rank);
    const auto rope = static_cast<double>(a.qk_rope_head_dim);
    const auto nope = static_cast<double>(a.qk_nope_head_dim);
    const auto v = static_cast<double>(a.v_head_dim);
    const double query = a.q_lora_rank
                             ? static_cast<double>(*a.q_lora_rank) * (d + 1 + heads * (nope + rope))  // + norm
                             : d * heads * (nope + rope);
    return query + d * (rank + rope) + rank + rank * heads * (nope + v) + heads * v * d;
  }
  const auto dim = static_cast<double>(m.head_dim);
  const auto kv = static_cast<double>(m.kv_heads);
  const double bias = m.attention_bias ? dim * (heads + 2 * kv) : 0.0;
  return d * dim * (heads + 2 * kv) + heads * dim * d + bias;
}

double feed_forward_parameters(const Transformer& m, std::int64_t layer) {
  const FeedForward& f = *m.feed_forward;
  const auto d = static_cast<double>(m.hidden);
  const double matrices = f.gated ? 3.0 : 2.0;
  const bool mixture = f.experts > 0 && (f.expert_layer.empty() || f.expert_layer[static_cast<std::size_t>(layer)]);
  if (!mixture) return matrices * d * static_cast<double>(f.intermediate);
  const double expert = matrices * d * static_cast<double>(f.expert_intermediate);
  return expert * static_cast<double>(f.experts + f.shared_experts) + d * static_cast<double>(f.experts);  // + router
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

std::optional<double> parameters(const Transformer& m) {
  if (!m.feed_forward || !m.vocabulary) return std::nullopt;
  const auto d = static_cast<double>(m.hidden);
  double total = static_cast<double>(*m.vocabulary) * d * (m.tied_embeddings ? 1.0 : 2.0) + d;  // + final norm
  for (std::int64_t layer = 0; layer < m.layers; ++layer) {
    total += attention_parameters(m) + feed_forward_parameters(m, layer) + 2 * d;  // + two norms
  }
  return total;
}

HeadShape heads_of_rank(const Transformer& m, std::int64_t tensor, std::int64_t batch) {
  return {batch, m.heads / tensor, std::max<std::int64_t>(1, m.latent ? m.heads / tensor : m.kv_heads / tensor),
          m.query_key_dim(), m.value_dim()};
}

}  // namespace ringsim
