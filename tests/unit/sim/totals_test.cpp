// Where every rank's time goes: the classes by hand on small rings, and the sum that must come out exactly.
#include "sim/totals.hpp"

#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

std::vector<RankSummary> totals_of(const Ring& ring, Passes passes = Passes::forward) {
  TotalsObserver totals(ring.ranks);
  const RunResult result = run(ring, passes, &totals);
  return totals.summaries(result);
}

struct Expected {
  double compute, exposed, late, masked, end;
};
void expect_classes(const RankSummary& r, const Expected& e) {
  EXPECT_NEAR(r.compute_s, e.compute, 1e-12) << "rank " << r.rank;
  EXPECT_NEAR(r.exposed_communication_s, e.exposed, 1e-12) << "rank " << r.rank;
  EXPECT_NEAR(r.bubble_late_s, e.late, 1e-12) << "rank " << r.rank;
  EXPECT_NEAR(r.bubble_masked_s, e.masked, 1e-12) << "rank " << r.rank;
  EXPECT_NEAR(r.bubble_end_s, e.end, 1e-12) << "rank " << r.rank;
  EXPECT_NEAR(r.bubble_s, e.late + e.masked + e.end, 1e-12) << "rank " << r.rank;
}

TEST(Totals, AHopThatOutlastsItsKernelIsExposed) {
  // Kernels of 5, hops of 8, four ranks: three waits of 3.
  for (const RankSummary& r : totals_of({.pair_s = 5, .token_s = 8})) {
    expect_classes(r, {20, 9, 0, 0, 0});
    EXPECT_NEAR(r.in_flight_s, 24, 1e-12);
    EXPECT_NEAR(r.end_s, 29, 1e-12);
  }
}

TEST(Totals, AHopThatHidesIsNotExposed) {
  for (const RankSummary& r : totals_of({.pair_s = 5, .token_s = 3})) {
    expect_classes(r, {20, 0, 0, 0, 0});
    EXPECT_EQ(r.exposed_communication_s, 0.0);
    EXPECT_EQ(r.bubble_s, 0.0);
    EXPECT_NEAR(r.in_flight_s, 9, 1e-12);
  }
}

TEST(Totals, WaitingForALatePeerIsNoCommunication) {
  // The straggler of recurrence_hand_test: rank 0 computes 10, hops take 3; starts 0, then 10 5 5 5, 20 13 10 13, 30 23
  // 16 23.
  const std::vector<RankSummary> r = totals_of({.pair_s = 5, .token_s = 3, .slowdown = {2, 1, 1, 1}});
  expect_classes(r[0], {40, 0, 0, 0, 0});
  // Rank 1, step 1: kernel until 10; its hop to rank 2 has ended at 8, the one from rank 0 flies 10-13: exposed 3. Step
  // 2: kernel until 18, the hop from rank 0 flies 20-23: late 2, exposed 3. Ends at 28 of 40.
  expect_classes(r[1], {20, 6, 2, 0, 12});
  // Of its two hops: 3 at once; 5-8 and 10-13; 13-16 and 20-23.
  EXPECT_NEAR(r[1].in_flight_s, 15, 1e-12);
  // Rank 2, step 2: kernel until 15, both hops fly 13-16: exposed 1. Ends at 21.
  expect_classes(r[2], {20, 1, 0, 0, 19});
  expect_classes(r[3], {20, 6, 2, 0, 12});
}

TEST(Totals, AMaskedStepIsABubbleWhateverIsInFlight) {
  // Causal, contiguous, three ranks of two tokens: kernels 3 or 4 or none, hops 4. Rank 0: 0-3, waits for the hop until
  // 4 (exposed 1), its step 1 is masked and waits 4-8, its step 2 is masked, it ends at 8 of 12. Rank 1 computes 0-3,
  // waits 1, computes 4-8, has nothing in step 2. Rank 2: 0-3, waits 1, 4-8, 8-12.
  const std::vector<RankSummary> r = totals_of({.ranks = 3, .tokens = 6, .causal = true, .token_s = 2});
  expect_classes(r[0], {3, 1, 0, 4, 4});
  expect_classes(r[1], {7, 1, 0, 0, 4});
  expect_classes(r[2], {11, 1, 0, 0, 0});
}

TEST(Totals, MergesAreComputeByTheirOwnName) {
  // Four kernels of 5, three merges of 2 (22 B at 11 B/s).
  for (const RankSummary& r : totals_of({.pair_s = 5, .token_s = 3, .merge_bytes_per_s = 11})) {
    EXPECT_NEAR(r.attention_s, 20, 1e-12);
    EXPECT_NEAR(r.merge_s, 6, 1e-12);
    expect_classes(r, {26, 0, 0, 0, 0});
  }
}

TEST(Totals, GradientsOnTheirWayHomeAreExposed) {
  // Three ranks, kernels of 10, hops of 1 for K/V and 1 for dK/dV: all hide but the last, which has no kernel beside
  // it.
  for (const RankSummary& r : totals_of({.ranks = 3, .tokens = 3, .pair_s = 4}, Passes::backward))
    expect_classes(r, {30, 1, 0, 0, 0});
}

// The shift that brings gradients home is no step of the mask's: nothing could be computed in it on any rank. So a rank
// whose last step was masked waits there for a late peer and for a hop in flight like every other.
TEST(Totals, TheWayHomeIsNotAMaskedStepEvenAfterOne) {
  // Two ranks of two tokens, causal, contiguous; kernels 2.5 · 3 = 7.5 and 2.5 · 4 = 10, hops of 2. Both compute
  // until 7.5. Step 1 carries dK/dV 7.5-9.5: rank 0 has nothing to compute (masked 2), rank 1 computes until 17.5.
  // Home 17.5-19.5: rank 0 waits 8 for its peer and 2 for the hop.
  const std::vector<RankSummary> r = totals_of({.ranks = 2, .tokens = 4, .causal = true}, Passes::backward);
  expect_classes(r[1], {17.5, 2, 0, 0, 0});
  expect_classes(r[0], {7.5, 2, 8, 2, 0});
}

TEST(Totals, WaitingForTheSmsIsNoCommunication) {
  // Two ranks, kernels of 5, hops of 3, events 0.5 late: the transfer becomes ready at 0.5, after the kernel has taken
  // the SMs; it flies 5-8 (exposed) and its event arrives at 8.5 (late). The last kernel ends at 13.5.
  Ring ring{.ranks = 2, .tokens = 2, .pair_s = 5, .token_s = 3};
  ring.contest = true;
  ring.event_latency_s = 0.5;
  for (const RankSummary& r : totals_of(ring)) {
    expect_classes(r, {10, 3, 0.5, 0, 0});
    EXPECT_NEAR(r.end_s, 13.5, 1e-12);
  }
}

// A rank that starts late does nothing until then; that time is a bubble like any other, or the parts would miss the
// makespan.
TEST(Totals, TheTimeBeforeALateStartIsABubble) {
  // Kernels of 5 and hops of 3; rank 0 starts at 1.5, which delays nobody, and ends at 21.5.
  const std::vector<RankSummary> r = totals_of({.pair_s = 5, .token_s = 3, .start_s = {1.5, 0, 0, 0}});
  EXPECT_NEAR(r[0].compute_s, 20, 1e-12);
  EXPECT_NEAR(r[0].bubble_s, 1.5, 1e-12);
  EXPECT_EQ((r[0].compute_s + r[0].exposed_communication_s) + r[0].bubble_s, 21.5);
}

TEST(Totals, TheThreePartsAddUpToTheMakespanExactly) {
  std::mt19937 random(11);
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  for (int i = 0; i < 2000; ++i) {
    Ring ring{
        .ranks = std::uniform_int_distribution<std::int64_t>(1, 12)(random), .buffers = 2 + i % 2, .layers = 1 + i % 3};
    ring.layout = i % 3 == 0 ? Layout::contiguous : i % 3 == 1 ? Layout::striped : Layout::zigzag;
    ring.tokens = ring.ranks * 4 + (ring.layout == Layout::zigzag ? 0 : i % 4);
    ring.causal = i % 4 != 0;
    ring.backward_travels = i % 5 < 3 ? Rotation::kv : Rotation::q;
    ring.pair_s = uniform(1e-6, 2e-6);
    ring.token_s = uniform(1e-7, 2e-5);
    ring.latency_s = i % 3 == 0 ? 0 : uniform(0, 1e-5);
    ring.launch_s = i % 2 == 0 ? 0 : uniform(0, 5e-6);
    ring.merge_bytes_per_s = i % 5 == 0 ? 0 : uniform(1e7, 1e8);
    if (i % 3 == 2) {
      for (std::int64_t r = 0; r < ring.ranks; ++r) ring.slowdown.push_back(uniform(0.5, 2));
    }
    if (i % 2 == 1) {
      for (std::int64_t r = 0; r < ring.ranks; ++r) ring.hop_factor.push_back(uniform(0.5, 2));
    }
    ring.contest = i % 4 == 3;
    ring.event_latency_s = ring.contest ? uniform(0, 1e-5) : 0;
    TotalsObserver totals(ring.ranks);
    const RunResult result = run(ring, i % 2 == 0 ? Passes::forward : Passes::both, &totals);
    for (const RankSummary& r : totals.summaries(result)) {
      ASSERT_EQ((r.compute_s + r.exposed_communication_s) + r.bubble_s, result.makespan_s)
          << "case " << i << " rank " << r.rank;
      ASSERT_GE(r.exposed_communication_s, 0.0);
      ASSERT_GE(r.bubble_s, 0.0);
      const double tolerance = 1e-12 * result.makespan_s;
      ASSERT_NEAR(r.bubble_s, r.bubble_late_s + r.bubble_masked_s + r.bubble_end_s, tolerance);
      ASSERT_NEAR(r.compute_s, r.attention_s + r.merge_s, tolerance);
      ASSERT_LE(r.exposed_communication_s, r.in_flight_s + tolerance) << "exposed is a part of the time in flight";
    }
  }
}

TEST(Totals, AWaitIsExposedWhileEitherOfItsHopsIsInFlight) {
  // Any wait and any two hops on a grid of small integers, where sums are exact: every unit of the wait lies in a hop, or it is late.
  // Eleven ranks, so that loops have a remainder; masked ones in the middle.
  std::mt19937_64 random(1);
  const auto moment = [&random] { return static_cast<double>(random() % 12); };
  constexpr std::int64_t ranks = 11;
  for (int i = 0; i < 500; ++i) {
    std::array<std::array<double, ranks>, 6> v{};
    auto& [from, until, hop_start, hop_end, in_start, in_end] = v;
    for (auto [first, last] : {std::pair(&from, &until), {&hop_start, &hop_end}, {&in_start, &in_end}}) {
      for (std::size_t r = 0; r < ranks; ++r) {
        (*first)[r] = moment();
        (*last)[r] = (*first)[r] + moment();
      }
    }
    const bool given = i % 2 == 0;  // else what comes in is the hop of rank r - 1
    const auto times = [](const std::array<double, ranks>& of) { return RankTimes(of.data(), ranks); };
    const std::array<SegmentCost, 3> segments = {{{0, 4, 1, false}, {4, 6, 0, true}, {6, ranks, 1, false}}};
    TotalsObserver totals(ranks);
    totals.on_wait({0, 0, times(from), times(until), times(hop_start), times(hop_end), segments, 0,
                    given ? in_start.data() : nullptr, given ? in_end.data() : nullptr});
    totals.on_transfer({nullptr, 0, 0, times(from), times(hop_start), times(hop_end), times(until), 0,
                        given ? in_start.data() : nullptr, given ? in_end.data() : nullptr});
    RunResult end;
    end.start_s.assign(ranks, 0.0);
    end.makespan_s = std::numeric_limits<double>::infinity();  // whatever the parts add up to
    end.end_s.assign(ranks, 0.0);
    const std::vector<RankSummary> all = totals.summaries(end);
    for (std::size_t r = 0; r < ranks; ++r) {
      const std::size_t sender = given ? r : (r + ranks - 1) % ranks;
      const double other_start = (given ? in_start : hop_start)[sender];
      const double other_end = (given ? in_end : hop_end)[sender];
      double exposed = 0;
      double in_flight = 0;
      for (double t = 0; t < 24; ++t) {  // the unit from t to t + 1
        const bool flies = (hop_start[r] <= t && t < hop_end[r]) || (other_start <= t && t < other_end);
        in_flight += flies ? 1 : 0;
        exposed += flies && from[r] <= t && t < until[r] ? 1 : 0;
      }
      const bool masked = r == 4 || r == 5;
      const double wait = until[r] - from[r];
      EXPECT_EQ(all[r].exposed_communication_s, masked ? 0 : exposed);
      EXPECT_EQ(all[r].bubble_late_s, masked ? 0 : wait - exposed);
      EXPECT_EQ(all[r].bubble_masked_s, masked ? wait : 0);
      EXPECT_EQ(all[r].in_flight_s, in_flight);
    }
  }
}

TEST(SettleRounding, MovesPartsByNoMoreThanRounding) {
  std::mt19937_64 random(5);
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  for (int i = 0; i < 100000; ++i) {
    std::array<double, 3> part{};
    for (double& p : part) p = random() % 4 == 0 ? 0.0 : std::exp(uniform(-25, 3));
    const std::array<double, 3> before = part;
    // The true total to a few units in the last place, as another order of addition would give it.
    double total = part[2] + part[1] + part[0];
    const int steps = total == 0 ? 0 : static_cast<int>(random() % 9) - 4;
    for (int k = 0; k < std::abs(steps); ++k) total = std::nextafter(total, steps > 0 ? 1e9 : 0.0);
    settle_rounding(part[0], part[1], part[2], total);
    ASSERT_EQ((part[0] + part[1]) + part[2], total);
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_NEAR(part[k], before[k], 1e-13 * total);
      if (before[k] == 0) {
        ASSERT_EQ(part[k], 0.0) << "a class that is empty stays empty";
      }
    }
  }
}

TEST(SettleRounding, RefusesPartsThatMissTheTotal) {
  double a = 1, b = 2, c = 3;
  EXPECT_THROW(settle_rounding(a, b, c, 6.001), std::logic_error);
  double nan = std::nan("");
  EXPECT_THROW(settle_rounding(nan, b, c, 6), std::logic_error);
}

}  // namespace
}  // namespace ringsim::sim
