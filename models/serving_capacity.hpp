#pragma once
// How many requests a serving engine holds at once, and where those that it is asked for would have to queue.
//
//   pool       = capacity - everything but the cache (weights, activations, buffers, the engine's reserve)      a rank
//   a request  = its tokens in whole pages (memory/cache.hpp), T = tokens (+ cached; of a decode step + output)
//   requests   = floor(pool / request) · data
//
// The stage of a pipeline with room for the fewest counts. A point that asks for more requests than fit is bound by the pool: a
// measured throughput there shows queueing, not computing.
//
// Engines log "KV cache size" as a number of requests times the longest request, so that dividing bytes by it says nothing of a
// token's cost. Two log lines determine both parts: bytes = α · requests + β · tokens.

#include "models/scenario.hpp"

#include <cstdint>

namespace ringsim {

struct ServingCapacity {
  Bytes per_token;           // of a rank, marginal: a token more of a request
  Bytes per_request;         // of a rank, fixed: windows of sliding layers, half a page a layer
  Bytes per_token_all_full;  // of a rank, where an engine charges sliding layers as full ones
  Bytes reserved;            // of a rank: what the engine leaves alone
  Bytes pool;                // of a rank: what is left for the cache
  Bytes of_request;          // of a rank: one request at this length
  double tokens_of_request = 0;
  double resident_tokens = 0;  // of all requests that are asked for
  double capacity_tokens = 0;  // that the pools hold at this length of a request, not counted in whole requests
  std::int64_t requests = 0;   // asked for
  std::int64_t requests_that_fit = 0;
  double pages = 0;         // of a rank's pool, over its layers; a page holds page_tokens tokens of one layer
  std::int64_t copies = 1;  // tensor ranks that hold the same part of the cache
  std::int64_t stage = 0;   // with the least room
  bool queues = false;
};

/// Of a prefill or decode; training has no cache: all 0.
[[nodiscard]] ServingCapacity serving_capacity(const Scenario& scenario);

/// What a cache of so many requests with so many tokens in all takes.
struct CacheSample {
  double requests = 0;
  double tokens = 0;
  Bytes size;
};
struct CacheRates {
  Bytes per_request;  // α
  Bytes per_token;    // β
};
/// Throws Error where the two samples have the same tokens a request.
[[nodiscard]] CacheRates fit_cache_rates(const CacheSample& first, const CacheSample& second);

}  // namespace ringsim
