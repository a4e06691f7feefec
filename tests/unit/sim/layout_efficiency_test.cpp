// What the layouts reach under a causal mask, from running them: the fractions of the physics page.
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Ring;

// Useful pairs a rank, S(S + 1)/2N at one second each, over the makespan.
double efficiency(const Ring& ring) {
  const auto s = static_cast<double>(ring.tokens);
  return s * (s + 1) / 2 / static_cast<double>(ring.ranks) * ring.pair_s / run(ring).makespan_s;
}

Ring causal(Layout layout, std::int64_t n, std::int64_t block, double hop_share) {
  Ring ring{.layout = layout, .ranks = n, .tokens = n * block, .causal = true};
  ring.token_s = hop_share * static_cast<double>(block);  // hop time over a full kernel's time
  return ring;
}

TEST(LayoutEfficiency, OfContiguousIsNOver2NMinus1) {
  for (const std::int64_t n : {2, 4, 8, 64}) {
    for (const std::int64_t block : {4, 64}) {
      const auto s = static_cast<double>(n * block);
      const auto b = static_cast<double>(block);
      // The last rank computes its triangle and N - 1 whole blocks; hops up to half a kernel hide behind even the
      // triangle.
      EXPECT_NEAR(efficiency(causal(Layout::contiguous, n, block, 0.5)), (s + 1) / (2 * s - b + 1), 1e-12)
          << n << " " << block;
    }
    const auto ranks = static_cast<double>(n);
    EXPECT_NEAR(efficiency(causal(Layout::contiguous, n, 4096, 0.5)), ranks / (2 * ranks - 1), 1.0 / 4096) << n;
  }
}

TEST(LayoutEfficiency, OfContiguousFallsWhereTheFirstHopOutlastsTheTriangle) {
  // max(c/2, T) + (N - 2) · max(c, T) + c, with c = 64² and a triangle of 64 · 65 / 2 = 2080.
  const auto makespan = [](double hop_share) { return run(causal(Layout::contiguous, 8, 64, hop_share)).makespan_s; };
  EXPECT_NEAR(makespan(0.25), 2080 + 6 * 4096 + 4096, 1e-9);
  EXPECT_NEAR(makespan(0.75), 3072 + 6 * 4096 + 4096, 1e-9);
  EXPECT_NEAR(makespan(2.0), 8192 + 6 * 8192 + 4096, 1e-9);
}

TEST(LayoutEfficiency, OfZigzagIsOneAndTheSameOnEveryRank) {
  for (const std::int64_t n : {2, 4, 8, 64}) {
    const Ring ring = causal(Layout::zigzag, n, 16, 0.1);
    EXPECT_NEAR(efficiency(ring), 1.0, 1e-12) << n;
    const RunResult result = run(ring);
    for (const double end : result.end_s) EXPECT_NEAR(end, result.makespan_s, 1e-12 * result.makespan_s);
  }
}

TEST(LayoutEfficiency, OfStripedIsOneUpToTheDiagonal) {
  for (const std::int64_t n : {2, 4, 8, 64}) {
    for (const std::int64_t block : {8, 128}) {
      // Slowest rank N/2 + N/(2B) blocks against N/2 + 1/(2B) on average: short of one by less than 1/B.
      const double e = efficiency(causal(Layout::striped, n, block, 0.1));
      EXPECT_LT(e, 1.0);
      EXPECT_GT(e, 1.0 - 1.0 / static_cast<double>(block)) << n << " " << block;
    }
  }
}

}  // namespace
}  // namespace ringsim::sim
