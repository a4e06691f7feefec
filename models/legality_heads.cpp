#include "models/legality.hpp"

#include <algorithm>

namespace ringsim {
namespace {

// K/V heads that a tensor rank brings into an all-to-all.
std::int64_t exchanged_kv_heads(const Transformer& m, std::int64_t tensor) {
  return m.latent ? m.heads / tensor : std::max<std::int64_t>(1, m.kv_heads / tensor);
}

}  // namespace

std::vector<std::int64_t> legal_ulysses(const Transformer& m, std::int64_t tensor, bool replicate_kv) {
  std::vector<std::int64_t> legal;
  if (tensor < 1 || m.heads % tensor != 0) return legal;
  const std::int64_t heads = m.heads / tensor;
  const std::int64_t kv = exchanged_kv_heads(m, tensor);
  for (std::int64_t u = 1; u <= heads; ++u) {
    if (heads % u == 0 && (kv % u == 0 || (replicate_kv && u % kv == 0))) legal.push_back(u);
  }
  return legal;
}

std::vector<std::int64_t> legal_tensor(const Transformer& m) {
  std::vector<std::int64_t> legal;
  for (std::int64_t t = 1; t <= m.heads; ++t) {
    if (m.heads % t == 0 && (m.latent || m.kv_heads % t == 0 || t % m.kv_heads == 0)) legal.push_back(t);
  }
  return legal;
}

PaddedHeads padded_heads(const Transformer& m, std::int64_t ranks) {
  PaddedHeads best;
  const std::int64_t group = m.latent ? 1 : m.heads / m.kv_heads;
  const std::int64_t kv_heads = m.latent ? m.heads : m.kv_heads;
  // With as many K/V heads as the next multiple of the ranks every group fits, so none larger need be looked at.
  const std::int64_t most = (kv_heads + ranks - 1) / ranks * ranks;
  for (std::int64_t kv = kv_heads; kv <= most; ++kv) {
    if (kv % ranks != 0 && ranks % kv != 0) continue;
    std::int64_t of_group = group;
    while (kv * of_group % ranks != 0) ++of_group;
    if (best.query_heads == 0 || kv * of_group < best.query_heads) best = {kv * of_group, kv, 0.0};
  }
  best.tax = static_cast<double>(best.query_heads) / static_cast<double>(m.heads) - 1.0;
  return best;
}

}  // namespace ringsim
