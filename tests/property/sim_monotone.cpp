// Without a contest for SMs times are sums and maxima alone: whatever gets faster or starts earlier, no rank ends
// later. Where kernels and hops slow each other down, that still holds for two buffers as long as working side by side is
// no loss (shares that sum to 1 or more): else a peer that comes late may help, by leaving more work to be done apart.
#include "tests/property/sim_random_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Ring;

// Shares of a core, or of more than one.
RateShares no_loss() {
  const double compute = rings::number(0.05, 1);
  return {compute, rings::number(1 - compute + 0.001, 1)};
}

template <class Improve>
void expect_no_rank_later(Improve improve) {
  Ring ring = rings::any_ring();
  if (ring.buffers == 2 && rings::coin()) ring.sharing = no_loss();
  const rings::Passes passes = rings::any_passes();
  Ring better = ring;
  improve(better);
  const RunResult before = run(ring, passes);
  const RunResult after = run(better, passes);
  for (std::size_t r = 0; r < before.end_s.size(); ++r) RC_ASSERT(after.end_s[r] <= before.end_s[r] * (1 + 1e-12));
}

RC_GTEST_PROP(Monotone, MoreBandwidthIsNeverSlower, ()) {
  expect_no_rank_later([](Ring& ring) { ring.token_s *= rings::number(0, 1) * 0.99 + 0.01; });
}

RC_GTEST_PROP(Monotone, OneFasterHopIsNeverSlower, ()) {
  expect_no_rank_later([](Ring& ring) {
    ring.hop_factor[static_cast<std::size_t>(*rc::gen::inRange<std::int64_t>(0, ring.ranks))] *= rings::number(0.01, 1);
  });
}

RC_GTEST_PROP(Monotone, LowerLatencyIsNeverSlower, ()) {
  expect_no_rank_later([](Ring& ring) { ring.latency_s *= rings::number(0, 1); });
}

RC_GTEST_PROP(Monotone, FasterKernelsAreNeverSlower, ()) {
  expect_no_rank_later([](Ring& ring) { ring.pair_s *= rings::number(0.01, 1); });
}

RC_GTEST_PROP(Monotone, OneFasterRankIsNeverSlower, ()) {
  expect_no_rank_later([](Ring& ring) {
    ring.slowdown[static_cast<std::size_t>(*rc::gen::inRange<std::int64_t>(0, ring.ranks))] *= rings::number(0.01, 1);
  });
}

RC_GTEST_PROP(Monotone, AnEarlierStartIsNeverSlower, ()) {
  expect_no_rank_later([](Ring& ring) {
    ring.start_s[static_cast<std::size_t>(*rc::gen::inRange<std::int64_t>(0, ring.ranks))] *= rings::number(0, 1);
  });
}

RC_GTEST_PROP(Monotone, AThirdBufferIsNeverSlower, ()) {
  expect_no_rank_later([](Ring& ring) {
    ring.buffers = 3;
    ring.sharing.reset();  // what three buffers make of interference is a bound
  });
}

RC_GTEST_PROP(Monotone, LessInterferenceIsNeverSlower, ()) {
  expect_no_rank_later([](Ring& ring) {
    if (!ring.sharing) return;
    for (RateShares* shares : {&ring.sharing->forward, &ring.sharing->backward, &ring.sharing->other}) {
      shares->compute += (1 - shares->compute) * rings::number(0, 1);
      shares->transfer += (1 - shares->transfer) * rings::number(0, 1);
    }
  });
}

// Whatever the shares: beside each other nothing is faster than alone, and sums and maxima of longer times are longer.
RC_GTEST_PROP(Monotone, NoInterferenceIsNeverSlower, ()) {
  Ring ring = rings::any_ring();
  ring.sharing = RateShares{rings::number(0.01, 1), rings::number(0.01, 1)};
  const rings::Passes passes = rings::any_passes();
  const std::vector<double> shared = run(ring, passes).end_s;
  ring.sharing.reset();
  const std::vector<double> alone = run(ring, passes).end_s;
  for (std::size_t r = 0; r < alone.size(); ++r) RC_ASSERT(alone[r] <= shared[r] * (1 + 1e-12));
}

}  // namespace
}  // namespace ringsim::sim
