#include "models/parameters.hpp"

#include "models/error.hpp"

namespace ringsim {
namespace {

double attention_parameters(const Transformer& m) {
  const auto d = static_cast<double>(m.hidden);
  const auto heads = static_cast<double>(m.heads);
  const double ends = (m.output_bias ? d : 0.0) + (m.attention_sinks ? heads : 0.0);
  if (m.latent) {
    const LatentAttention& a = *m.latent;
    const auto rank = static_cast<double>(a.kv_lora_rank);
    const auto rope = static_cast<double>(a.qk_rope_head_dim);
    const auto nope = static_cast<double>(a.qk_nope_head_dim);
    const auto v = static_cast<double>(a.v_head_dim);
    const double query = a.q_lora_rank
                             ? static_cast<double>(*a.q_lora_rank) * (d + 1 + heads * (nope + rope))  // + norm
                             : d * heads * (nope + rope);
    return query + d * (rank + rope) + rank + rank * heads * (nope + v) + heads * v * d + ends;
  }
  const auto dim = static_cast<double>(m.head_dim);
  const auto kv = static_cast<double>(m.kv_heads);
  const double bias = m.attention_bias ? dim * (heads + 2 * kv) : 0.0;
  const double norms = m.qk_norm ? 2 * dim : 0.0;
  return d * dim * (heads + 2 * kv) + heads * dim * d + bias + norms + ends;
}

double mlp_parameters(const Transformer& m, std::int64_t intermediate) {
  const FeedForward& f = *m.feed_forward;
  const auto d = static_cast<double>(m.hidden);
  const auto units = static_cast<double>(intermediate);
  const double inner = f.gated ? 2.0 : 1.0;  // matrices that lead to the hidden units
  return (inner + 1.0) * d * units + (f.bias ? inner * units + d : 0.0);
}

}  // namespace

ParameterCount& ParameterCount::operator+=(const ParameterCount& other) {
  embedding += other.embedding;
  attention += other.attention;
  mlp += other.mlp;
  router += other.router;
  experts += other.experts;
  active_experts += other.active_experts;
  shared_experts += other.shared_experts;
  norms += other.norms;
  head += other.head;
  return *this;
}

ParameterCount layer_parameters(const Transformer& m, std::int64_t layer) {
  if (!m.feed_forward)
    throw Error("the feed-forward part of the model is not known", "model.feed_forward", "intermediate: 14336");
  const auto d = static_cast<double>(m.hidden);
  ParameterCount count;
  count.attention = attention_parameters(m);
  count.norms = (m.post_norms ? 4.0 : 2.0) * d;
  if (!m.is_mixture(layer)) {
    count.mlp = mlp_parameters(m, m.feed_forward->intermediate);
    return count;
  }
  const FeedForward& f = *m.feed_forward;
  const double expert = mlp_parameters(m, f.expert_intermediate);
  count.router = static_cast<double>(f.experts) * (d + (f.router_bias ? 1.0 : 0.0));
  count.experts = static_cast<double>(f.experts) * expert;
  count.active_experts = static_cast<double>(f.experts_per_token) * expert;
  count.shared_experts = static_cast<double>(f.shared_experts) * expert;
  return count;
}

std::optional<ParameterCount> count_parameters(const Transformer& m) {
  if (!m.feed_forward || !m.vocabulary) return std::nullopt;
  ParameterCount count;
  for (std::int64_t layer = 0; layer < m.layers; ++layer) count += layer_parameters(m, layer);
  count.embedding = static_cast<double>(*m.vocabulary) * static_cast<double>(m.hidden);
  count.head = m.tied_embeddings ? 0.0 : count.embedding;
  count.norms += static_cast<double>(m.hidden);
  return count;
}

std::optional<double> parameters(const Transformer& m) {
  const std::optional<ParameterCount> count = count_parameters(m);
  return count ? std::optional(count->total()) : std::nullopt;
}

}  // namespace ringsim
