#include "models/memory/cache.hpp"

#include <algorithm>

namespace ringsim::memory {
namespace {

std::int64_t whole_pages(std::int64_t tokens, std::int64_t page) { return (tokens + page - 1) / page * page; }

// Ranks beside the ring's that divide a request's tokens. Ulysses ranks attend with a part of the heads over all tokens, for
// which a decode step needs the whole latent on each; a prefill expands it where the tokens are and exchanges heads.
std::int64_t holders_beside_ring(const Scenario& s) {
  const bool divided = s.model.latent && s.workload.phase != Phase::decode;
  return s.parallel.decode_context * (divided ? s.parallel.ulysses : 1);
}

}  // namespace

std::int64_t held_tokens(const Rank& r, std::int64_t of_ring) {
  const std::int64_t holders = holders_beside_ring(r.scenario);
  return (of_ring + holders - 1) / holders;
}

CacheUse cache_use(const Rank& r) {
  const Scenario& s = r.scenario;
  CacheUse use;
  use.per_layer_token = cache_bytes(kv_layout_of(s), s.model, r.ring.heads.kv_heads);
  use.holders = s.parallel.ring * holders_beside_ring(s);
  for (const LayerRun& piece : r.pieces) {
    for (std::int64_t layer = piece.first; layer < piece.first + piece.count; ++layer) {
      ++(s.model.is_sliding(layer) ? use.sliding_layers : use.full_layers);
    }
  }
  use.window = s.model.sliding_window.value_or(0);
  use.page = s.serving.page_tokens;
  use.copies = std::max<std::int64_t>(1, cache_copies(s.model, s.parallel.tensor) / s.parallel.decode_context);
  return use;
}

Bytes CacheUse::per_token() const {
  return per_layer_token * static_cast<double>(full_layers) / static_cast<double>(holders);
}

Bytes CacheUse::per_request() const {
  const double half_page = static_cast<double>(page - 1) / 2;
  return per_layer_token * (static_cast<double>(sliding_layers * whole_pages(window, page)) +
                            static_cast<double>(full_layers) * half_page);
}

Bytes CacheUse::per_token_all_full() const {
  return per_layer_token * static_cast<double>(full_layers + sliding_layers) / static_cast<double>(holders);
}

Bytes CacheUse::of_request(std::int64_t tokens) const {
  const std::int64_t sliding = sliding_layers * whole_pages(std::min(tokens, window), page);
  return per_layer_token * static_cast<double>(full_layers * whole_pages(tokens, page) + sliding);
}

void add_cache(const Rank& r, Terms& terms) {
  const Scenario& s = r.scenario;
  if (r.training) return;
  const CacheUse use = cache_use(r);
  const char* what = s.model.latent ? "latents of all layers; / ring, whole on every tensor rank"
                                    : "keys and values of all layers; / (ring x tensor up to the number of K/V heads)";
  std::string divided = divisors(s, {Axis::tensor, Axis::ulysses, Axis::ring, Axis::pipeline, Axis::data});
  if (s.parallel.decode_context > 1) divided += " x decode_context " + std::to_string(s.parallel.decode_context);
  if (use.copies > 1) divided += ", in " + std::to_string(use.copies) + " copies";
  terms.add("kv_cache", what, std::move(divided),
            use.of_request(held_tokens(r, r.resident)) * static_cast<double>(batch_of_rank(s)));
}

}  // namespace ringsim::memory
