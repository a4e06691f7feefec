// Kernels and hops that slow each other down: by hand, and against a fluid that is advanced event by event.
#include "sim/totals.hpp"
#include "tests/unit/sim/fluid.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace ringsim::sim {
namespace {

using rings::Fluid;
using rings::Passes;
using rings::Recorder;
using rings::Ring;
using rings::Sharing;

std::vector<RankSummary> totals_of(const Ring& ring, Passes passes = Passes::forward) {
  TotalsObserver totals(ring.ranks);
  const RunResult result = run(ring, passes, &totals);
  return totals.summaries(result);
}

TEST(RateSharing, HalvesThatFitTakeTheSumOfKernelAndHop) {
  // Two ranks, kernels of 10, hops of 4, one core for both: the hop takes 4 / 0.5 = 8, in which the kernel makes 4; its
  // other 6 follow, until 14 = 10 + 4. The second kernel has the core to itself: 24. Nothing is exposed.
  const Ring ring{.ranks = 2, .tokens = 2, .pair_s = 10, .token_s = 4, .sharing = RateShares{0.5, 0.5}};
  Recorder log;
  run(ring, Passes::forward, &log);
  EXPECT_NEAR(log.transfer(Pass::forward, 0, 0).hop_end[0], 8, 1e-12);
  EXPECT_NEAR(log.attention(Pass::forward, 0, 0).end[0], 14, 1e-12);
  for (const RankSummary& r : totals_of(ring)) {
    EXPECT_NEAR(r.end_s, 24, 1e-12);
    EXPECT_NEAR(r.compute_s, 24, 1e-12);
    EXPECT_EQ(r.exposed_communication_s, 0.0);
    EXPECT_NEAR(r.in_flight_s, 8, 1e-12);
  }
}

TEST(RateSharing, AHopThatOutlastsItsKernelEndsAtFullSpeed) {
  // Kernels of 4, hops of 10, halves: the kernel takes 8, in which the hop makes 4; its other 6 run alone, exposed,
  // until 14. The second kernel ends at 18.
  for (const RankSummary& r :
       totals_of({.ranks = 2, .tokens = 2, .pair_s = 4, .token_s = 10, .sharing = RateShares{0.5, 0.5}})) {
    EXPECT_NEAR(r.end_s, 18, 1e-12);
    EXPECT_NEAR(r.compute_s, 12, 1e-12);
    EXPECT_NEAR(r.exposed_communication_s, 6, 1e-12);
  }
}

TEST(RateSharing, SharesNeedNotAddUpToOne) {
  // Kernels of 10 at 0.8, hops of 4 at 0.5: the hop takes 8, in which the kernel makes 6.4; 3.6 follow, until 11.6.
  Recorder log;
  run({.ranks = 2, .tokens = 2, .pair_s = 10, .token_s = 4, .sharing = RateShares{0.8, 0.5}}, Passes::forward, &log);
  EXPECT_NEAR(log.transfer(Pass::forward, 0, 0).hop_end[1], 8, 1e-12);
  EXPECT_NEAR(log.attention(Pass::forward, 0, 0).end[1], 11.6, 1e-12);
}

TEST(RateSharing, AHopGoesOnBesideTheMerge) {
  // Three ranks, kernels of 4, merges of 2, hops of 10, halves. Step 0 as above, until 14. Step 1: the kernel takes 8
  // until 22 and the merge 4 until 26; the hop has made 6 of 10 and ends at 30. Step 2: kernel and merge until 36.
  Recorder log;
  const RunResult result = run(
      {.ranks = 3, .tokens = 3, .pair_s = 4, .token_s = 10, .merge_bytes_per_s = 11, .sharing = RateShares{0.5, 0.5}},
      Passes::forward, &log);
  EXPECT_NEAR(log.attention(Pass::forward, 0, 1).end[0], 22, 1e-12);
  EXPECT_NEAR(log.transfer(Pass::forward, 0, 1).hop_end[0], 30, 1e-12);
  EXPECT_NEAR(result.makespan_s, 36, 1e-12);
}

TEST(RateSharing, OnlyTheReceiverOfAHopIsSlowed) {
  // Two ranks, kernels of 10; the hop 0 -> 1 takes 4, the one back 0.4. Halves. Rank 1 receives for 8 and computes until
  // 14; rank 0 receives for 0.8 and computes until 10.4. It then waits for nothing: its own hop has ended at 8.
  Recorder log;
  run({.ranks = 2, .tokens = 2, .pair_s = 10, .token_s = 4, .hop_factor = {1, 0.1}, .sharing = RateShares{0.5, 0.5}},
      Passes::forward, &log);
  EXPECT_NEAR(log.transfer(Pass::forward, 0, 0).hop_end[0], 8, 1e-12);
  EXPECT_NEAR(log.transfer(Pass::forward, 0, 0).hop_end[1], 0.8, 1e-12);
  EXPECT_NEAR(log.attention(Pass::forward, 0, 0).end[1], 14, 1e-12);
  EXPECT_NEAR(log.attention(Pass::forward, 0, 0).end[0], 10.4, 1e-12);
}

TEST(RateSharing, AHopThatStartsLateDisturbsTheRestOfTheKernel) {
  // Rank 1 becomes ready at 6: both hops (4, halves) start there. Rank 0's kernel of 10 has 4 left: it takes 8 more,
  // until 14, and its incoming hop as long. Rank 1's kernel runs 6-20 and ends after 8 beside the hop and 6 alone.
  Recorder log;
  run({.ranks = 2, .tokens = 2, .pair_s = 10, .token_s = 4, .start_s = {0, 6}, .sharing = RateShares{0.5, 0.5}},
      Passes::forward, &log);
  EXPECT_NEAR(log.attention(Pass::forward, 0, 0).end[0], 14, 1e-12);
  EXPECT_NEAR(log.attention(Pass::forward, 0, 0).end[1], 20, 1e-12);
  EXPECT_NEAR(log.transfer(Pass::forward, 0, 0).hop_end[0], 14, 1e-12);
}

TEST(RateSharing, WithThreeBuffersAHopSlowsTheKernelThatItStartsIn) {
  // Three ranks, kernels of 10, hops of 2, halves. The first hop takes 4, in which the kernel makes 2; the second hop
  // follows at once and takes 4 more, in which the kernel makes 2; its other 6 run until 14. Two more kernels of 10.
  Recorder log;
  const RunResult result =
      run({.ranks = 3, .tokens = 3, .buffers = 3, .pair_s = 10, .token_s = 2, .sharing = RateShares{0.5, 0.5}},
          Passes::forward, &log);
  EXPECT_NEAR(log.transfer(Pass::forward, 0, 1).hop_start[0], 4, 1e-12);
  EXPECT_NEAR(log.transfer(Pass::forward, 0, 1).hop_end[0], 8, 1e-12);
  EXPECT_NEAR(log.attention(Pass::forward, 0, 0).end[0], 14, 1e-12);
  EXPECT_NEAR(log.attention(Pass::forward, 0, 1).start[0], 14, 1e-12);
  EXPECT_NEAR(result.makespan_s, 34, 1e-12);
}

std::string text(const Ring& r, Passes passes) {
  return std::string(name_of(r.layout)) + (r.causal ? " causal" : " full") + " N " + std::to_string(r.ranks) + " S " +
         std::to_string(r.tokens) + " buffers " + std::to_string(r.buffers) + " layers " + std::to_string(r.layers) +
         " shares " + std::to_string(r.sharing->forward.compute) + " " + std::to_string(r.sharing->forward.transfer) +
         ", backward " + std::to_string(r.sharing->backward.compute) + " " +
         std::to_string(r.sharing->backward.transfer) +
         (passes == Passes::forward    ? " forward"
          : passes == Passes::backward ? " backward"
                                       : " both") +
         (r.backward_travels == Rotation::q ? " q" : " kv");
}

Ring random_ring(std::mt19937& random) {
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  const auto whole = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  Ring ring{.ranks = whole(1, 8), .buffers = whole(2, 3), .layers = whole(1, 3)};
  ring.layout = std::array{Layout::contiguous, Layout::striped, Layout::zigzag}[static_cast<std::size_t>(whole(0, 2))];
  ring.tokens = ring.layout == Layout::zigzag ? 4 * ring.ranks : 3 * ring.ranks + whole(0, ring.ranks);
  ring.causal = whole(0, 2) > 0;
  ring.backward_travels = whole(0, 1) == 0 ? Rotation::kv : Rotation::q;
  ring.gradient = whole(0, 1) == 0 ? GradientDtype::bf16 : GradientDtype::fp32;
  // Whole numbers in half of the cases: then things end at the same moment.
  const bool ties = whole(0, 1) == 0;
  const auto some = [&](std::int64_t from, std::int64_t to) {
    return ties ? static_cast<double>(whole(from, to)) : uniform(static_cast<double>(from), static_cast<double>(to));
  };
  ring.pair_s = some(1, 4);
  ring.token_s = some(1, 12);
  ring.latency_s = whole(0, 1) == 0 ? 0 : some(1, 5);
  ring.merge_bytes_per_s = whole(0, 1) == 0 ? 0 : some(4, 40);
  const auto any = [&] { return RateShares{uniform(0.1, 1), uniform(0.1, 1)}; };
  ring.sharing = ties               ? Sharing(RateShares{0.5, 0.5})
                 : whole(0, 1) == 0 ? Sharing(any())
                                    : Sharing(any(), any(), any());
  if (whole(0, 1) == 0) {
    for (std::int64_t r = 0; r < ring.ranks; ++r) {
      ring.slowdown.push_back(some(1, 3));
      ring.hop_factor.push_back(some(1, 3));
    }
  }
  if (whole(0, 2) == 0) {
    for (std::int64_t r = 0; r < ring.ranks; ++r) ring.start_s.push_back(some(0, 12));
  }
  return ring;
}

TEST(RateSharing, EqualsTheFluid) {
  std::mt19937 random(3);
  int changed = 0;
  constexpr int cases = 600;
  for (int i = 0; i < cases; ++i) {
    Ring ring = random_ring(random);
    for (const Passes passes : {Passes::forward, Passes::backward, Passes::both}) {
      const std::vector<double> expected = Fluid(ring, passes).run();
      const RunResult result = run(ring, passes);
      for (std::size_t r = 0; r < expected.size(); ++r) {
        ASSERT_NEAR(result.end_s[r], expected[r], 1e-9 * expected[r])
            << "case " << i << ", rank " << r << ": " << text(ring, passes);
      }
    }
    const double with = run(ring, Passes::both).makespan_s;
    ring.sharing.reset();
    changed += with > run(ring, Passes::both).makespan_s * 1.001 ? 1 : 0;
  }
  EXPECT_GT(changed, cases / 2) << "so that the agreement is about something";
}

TEST(RateSharing, FullSharesAreAsGoodAsNone) {
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    Ring ring = random_ring(random);
    ring.sharing = RateShares{1.0, 1.0};
    const std::vector<double> shared = run(ring, Passes::both).end_s;
    ring.sharing.reset();
    EXPECT_EQ(shared, run(ring, Passes::both).end_s) << "case " << i;
  }
}

TEST(RateSharing, PartsAddUpToTheMakespanAndObserversChangeNothing) {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    Ring ring = random_ring(random);
    TotalsObserver totals(ring.ranks);
    const RunResult result = run(ring, Passes::both, &totals);
    ASSERT_EQ(result.end_s, run(ring, Passes::both).end_s);
    for (const RankSummary& r : totals.summaries(result)) {
      ASSERT_EQ((r.compute_s + r.exposed_communication_s) + r.bubble_s, result.makespan_s);
      ASSERT_LE(r.exposed_communication_s, r.in_flight_s + 1e-12 * result.makespan_s);
    }
  }
}

}  // namespace
}  // namespace ringsim::sim
