// Without a contest for SMs times are sums and maxima alone: whatever gets faster or starts earlier, no rank ends
// later.
#include "tests/property/sim_random_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Ring;

template <class Improve>
void expect_no_rank_later(Improve improve) {
  const Ring ring = rings::any_ring();
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
  expect_no_rank_later([](Ring& ring) { ring.buffers = 3; });
}

}  // namespace
}  // namespace ringsim::sim
