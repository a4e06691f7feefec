#include "models/serving_capacity.hpp"

#include "models/error.hpp"
#include "models/memory/cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim {
namespace {

ServingCapacity of_stage(const Scenario& s, std::int64_t stage) {
  const memory::Rank rank = memory::rank_of(s, stage);
  const memory::CacheUse use = memory::cache_use(rank);
  const Memory memory = memory_of_stage(s, stage);
  ServingCapacity c;
  c.stage = stage;
  c.per_token = use.per_token();
  c.per_request = use.per_request();
  c.per_token_all_full = use.per_token_all_full();
  c.copies = use.copies;
  c.reserved = memory.of("engine_reserve");
  // What fragmentation loses grows with the cache: room for the cache is what is left of the room after it.
  const Bytes unallocated = c.reserved + memory.of("communication_buffers");
  const Bytes others = memory.total - unallocated - memory.of("fragmentation") - memory.of("kv_cache");
  c.pool = std::max(Bytes{}, (memory.capacity - unallocated) * (1.0 - s.serving.fragmentation) - others);
  c.of_request = use.of_request(memory::held_tokens(rank, rank.resident));
  c.tokens_of_request = static_cast<double>(rank.total);
  c.requests = s.workload.batch;
  c.resident_tokens = c.tokens_of_request * static_cast<double>(c.requests);
  const double fit = c.of_request > Bytes{} ? c.pool / c.of_request : 0.0;
  const auto data = static_cast<double>(s.parallel.data);
  c.requests_that_fit = static_cast<std::int64_t>(std::floor(fit)) * s.parallel.data;
  c.capacity_tokens = fit * c.tokens_of_request * data;
  c.pages = std::floor(c.pool / (use.per_layer_token * static_cast<double>(use.page)));
  c.queues = c.requests_that_fit < c.requests;
  return c;
}

}  // namespace

ServingCapacity serving_capacity(const Scenario& s) {
  if (runs_backward(s.workload.phase)) return {};
  ServingCapacity least = of_stage(s, 0);
  for (std::int64_t stage = 1; stage < s.parallel.pipeline; ++stage) {
    const ServingCapacity other = of_stage(s, stage);
    if (other.capacity_tokens < least.capacity_tokens) least = other;
  }
  return least;
}

CacheRates fit_cache_rates(const CacheSample& a, const CacheSample& b) {
  const double determinant = a.requests * b.tokens - b.requests * a.tokens;
  if (determinant == 0) {
    throw Error(fmt::format("both samples have {:.6g} tokens a request", a.tokens / a.requests), "samples",
                "two runs with requests of different lengths");
  }
  return {(b.tokens * a.size - a.tokens * b.size) / determinant,
          (a.requests * b.size - b.requests * a.size) / determinant};
}

}  // namespace ringsim
