// A ring has no first rank: where all ranks have the same work, only who is slow and which hop is slow matters, not
// their names.
#include "tests/property/sim_random_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Ring;

template <class T>
void rotate(std::vector<T>& values, std::int64_t by) {
  std::rotate(values.begin(), values.begin() + by, values.end());
}

Ring symmetric_ring() {
  Ring ring = rings::any_ring();
  ring.tokens = ring.ranks * *rc::gen::inRange<std::int64_t>(1, 5);
  ring.layout = Layout::contiguous;
  ring.causal = false;
  rings::disturb(ring);
  return ring;
}

RC_GTEST_PROP(Symmetry, RotatingHopsSpeedsAndStartsRotatesTheEnds, ()) {
  const Ring ring = symmetric_ring();
  const rings::Passes passes = rings::any_passes();
  const std::int64_t by = *rc::gen::inRange<std::int64_t>(0, ring.ranks);
  Ring renamed = ring;
  rotate(renamed.hop_factor, by);
  rotate(renamed.slowdown, by);
  rotate(renamed.start_s, by);
  std::vector<double> expected = run(ring, passes).end_s;
  rotate(expected, by);
  RC_ASSERT(run(renamed, passes).end_s == expected);
}

RC_GTEST_PROP(Symmetry, IdenticalRanksEndTogether, ()) {
  Ring ring = symmetric_ring();
  ring.hop_factor.clear();
  ring.slowdown.clear();
  ring.start_s.clear();
  const RunResult result = run(ring, rings::any_passes());
  for (const double end : result.end_s) RC_ASSERT(end == result.makespan_s);
}

// Zigzag gives every rank the same causal work; only the shape of its rectangles differs, which costs nothing here.
RC_GTEST_PROP(Symmetry, ZigzagRanksEndTogether, ()) {
  Ring ring = symmetric_ring();
  ring.layout = Layout::zigzag;
  ring.tokens = ring.ranks * 2 * *rc::gen::inRange<std::int64_t>(1, 5);
  ring.causal = true;
  ring.merge_bytes_per_s = 0;
  ring.hop_factor.clear();
  ring.slowdown.clear();
  ring.start_s.clear();
  const RunResult result = run(ring, rings::any_passes());
  for (const double end : result.end_s) RC_ASSERT(end == result.makespan_s);
}

// Seconds have no meaning of their own: all times doubled (exact in binary) double every end.
RC_GTEST_PROP(Symmetry, TwiceTheTimesEndTwiceAsLate, ()) {
  const Ring ring = rings::any_ring();
  const rings::Passes passes = rings::any_passes();
  Ring slow = ring;
  slow.pair_s *= 2;
  slow.token_s *= 2;
  slow.latency_s *= 2;
  slow.merge_bytes_per_s /= 2;
  for (double& s : slow.start_s) s *= 2;
  const RunResult once = run(ring, passes);
  const RunResult twice = run(slow, passes);
  for (std::size_t r = 0; r < once.end_s.size(); ++r) RC_ASSERT(twice.end_s[r] == 2 * once.end_s[r]);
}

}  // namespace
}  // namespace ringsim::sim
