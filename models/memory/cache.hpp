#pragma once
// The K/V cache of a rank as it grows: by tokens, and by requests.
//
// A request of T tokens holds on each rank n = ceil(T / holders) tokens of every full layer and no more than the window W of
// a sliding one, both in whole pages of P tokens:
//   bytes = layers_full · b · P·ceil(n/P) + layers_sliding · b · P·ceil(min(n, W)/P)
// b: bytes a token and layer (models/kv_layout.hpp); holders: ring · decode_context ranks that divide a request's tokens, and
// for the latents of a prefill, which heads do not divide, Ulysses ranks as well. So a token more costs layers_full · b / holders, and a request
// more what its sliding layers hold and half a page a layer on average. An engine that has no groups of layers charges every
// layer as a full one.

#include "models/kv_layout.hpp"
#include "models/memory/rank.hpp"

namespace ringsim::memory {

struct CacheUse {
  Bytes per_layer_token;                             // b
  std::int64_t holders = 1;                          // ranks that divide a request's tokens
  std::int64_t full_layers = 0, sliding_layers = 0;  // of the stage
  std::int64_t window = 0;
  std::int64_t page = 1;
  std::int64_t copies = 1;  // tensor ranks that hold the same, after decode context parallelism

  [[nodiscard]] Bytes per_token() const;           // marginal, of a token of the whole request
  [[nodiscard]] Bytes per_request() const;         // beside it, of a request longer than the window
  [[nodiscard]] Bytes per_token_all_full() const;  // of an engine without groups of layers
  /// Of a request of which the rank holds `tokens` tokens.
  [[nodiscard]] Bytes of_request(std::int64_t tokens) const;
};

[[nodiscard]] CacheUse cache_use(const Rank& rank);

/// Tokens of a request that the rank holds, `of_ring` being those of its ring rank.
[[nodiscard]] std::int64_t held_tokens(const Rank& rank, std::int64_t of_ring);

}  // namespace ringsim::memory
