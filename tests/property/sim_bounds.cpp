// A makespan lies between what the busiest stream has to do and everything done one after the other.
#include "tests/property/sim_random_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

RC_GTEST_PROP(Makespan, IsNotBelowAnyRanksWorkNorAnyHopsTransfers, ()) {
  Ring ring = rings::any_ring();
  ring.merge_bytes_per_s = 0;
  ring.start_s.clear();
  const Passes passes = rings::any_passes();
  const Program program = program_of(ring, passes);
  const double makespan = run(ring, passes).makespan_s * (1 + 1e-12);
  const Shards shards = ring.spec().shards;
  const double forward = passes != Passes::backward ? 1 : 0;
  const double backward = passes != Passes::forward ? 1 : 0;
  const auto layers = static_cast<double>(ring.layers);
  for (std::int64_t r = 0; r < ring.ranks; ++r) {
    // A pair costs pair_s, 10/4 of it backward. Resident queries see all keys, resident keys all queries.
    double as_queries = 0;
    double as_keys = 0;
    for (std::int64_t j = 0; j < ring.ranks; ++j) {
      as_queries += static_cast<double>(shards.work(r, j, Mask{ring.causal, std::nullopt}).entries);
      as_keys += static_cast<double>(shards.work(j, r, Mask{ring.causal, std::nullopt}).entries);
    }
    const double pairs =
        forward * as_queries + 2.5 * backward * (ring.backward_travels == Rotation::kv ? as_queries : as_keys);
    RC_ASSERT(layers * pairs * ring.pair_s * ring.slowdown[static_cast<std::size_t>(r)] <= makespan);
    if (ring.ranks == 1) continue;
    // N - 1 shifts forward, N + 1 - 1 + 1 = N + 1 backward less one that K/V and gradient share: N for N >= 2, plus
    // none.
    const auto n = static_cast<double>(ring.ranks);
    const double shifts = layers * (forward * (n - 1) + backward * (n + 1));
    const double factor = ring.hop_factor[static_cast<std::size_t>(r)];
    const double hops =
        factor * (bytes_sent(program)[static_cast<std::size_t>(r)] * ring.token_s / 4 + shifts * ring.latency_s);
    RC_ASSERT(hops <= makespan);
  }
}

// At every step the ring takes at most its longest kernel and then its longest hop.
RC_GTEST_PROP(Makespan, IsNotAboveEverythingOneAfterTheOther, ()) {
  const Ring ring = rings::any_ring();
  const Passes passes = rings::any_passes();
  rings::Recorder log;
  const double makespan = run(ring, passes, &log).makespan_s;
  double total = *std::max_element(ring.start_s.begin(), ring.start_s.end());
  for (const auto& c : log.computes) {
    double longest = 0;
    for (std::size_t r = 0; r < c.start.size(); ++r) longest = std::max(longest, c.end[r] - c.start[r]);
    total += longest;
  }
  for (const auto& t : log.transfers) {
    double longest = 0;
    for (std::size_t r = 0; r < t.posted.size(); ++r) longest = std::max(longest, t.hop_end[r] - t.hop_start[r]);
    total += longest;
  }
  RC_ASSERT(makespan <= total * (1 + 1e-12));
}

}  // namespace
}  // namespace ringsim::sim
