// The closed form against the recurrence: equal where it says that it is exact, below it elsewhere, and exact wherever
// all ranks run in lockstep.
#include "sim/closed_form/engine.hpp"
#include "sim/totals.hpp"
#include "tests/unit/models/shapes.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

std::string text(const Ring& r, bool backward) {
  return std::string(name_of(r.layout)) + (r.causal ? " causal" : " full") + " N " + std::to_string(r.ranks) + " S " +
         std::to_string(r.tokens) + " buffers " + std::to_string(r.buffers) + " token_s " + std::to_string(r.token_s) +
         " alpha " + std::to_string(r.latency_s) + " merge " + std::to_string(r.merge_bytes_per_s) + " half depth " +
         std::to_string(r.half_depth) + (backward ? " train" : " forward") +
         (r.backward_travels == Rotation::q ? " q" : " kv");
}

bool agrees(const Ring& ring, bool backward) {
  const ClosedFormResult formula = closed_form(ring.spec(), ring.machine(), backward);
  const double makespan = run(ring, backward ? Passes::both : Passes::forward).makespan_s;
  if (formula.exact) {
    EXPECT_NEAR(formula.makespan_s, makespan, 1e-9 * makespan) << text(ring, backward) << ": " << formula.note;
  } else {
    EXPECT_LE(formula.makespan_s, makespan * (1 + 1e-12)) << text(ring, backward) << ": " << formula.note;
  }
  EXPECT_LE(formula.compute_s, formula.makespan_s * (1 + 1e-12)) << text(ring, backward);
  EXPECT_FALSE(formula.note.empty());
  return formula.exact;
}

// Equal links, no overheads. In lockstep are: unmasked rings, whose ranks all do the same; zigzag, likewise; causal
// contiguous and striped rings, where rank N - 1 has the most to do at every step as long as keys travel (and rank 0
// when queries do, so that a forward pass with keys and a backward pass with queries have no common slowest rank).
TEST(ClosedForm, IsExactOnEveryUniformRing) {
  int cases = 0;
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    for (const bool causal : {false, true}) {
      for (const std::int64_t n : {1, 2, 3, 4, 5, 8, 16}) {
        for (const std::int64_t block : {2, 6, 32}) {
          for (const std::int64_t buffers : {2, 3}) {
            for (const double latency : {0.0, 40.0}) {
              for (const double ratio : {0.1, 0.4, 0.7, 1.0, 3.0}) {  // transfer of a block to a full kernel
                for (const Rotation rotation : {Rotation::kv, Rotation::q}) {
                  for (const bool backward : {false, true}) {
                    if (!backward && rotation == Rotation::q) continue;
                    Ring ring{.layout = layout,
                              .ranks = n,
                              .tokens = n * block,
                              .causal = causal,
                              .buffers = buffers,
                              .layers = 2};
                    ring.backward_travels = rotation;
                    ring.token_s = ratio * static_cast<double>(block);
                    ring.latency_s = latency;
                    const bool exact = agrees(ring, backward);
                    const bool other_rank_slowest =
                        causal && layout != Layout::zigzag && rotation == Rotation::q && n > 1;
                    EXPECT_TRUE(exact || other_rank_slowest) << text(ring, backward);
                    ++cases;
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(cases, 3 * 2 * 7 * 3 * 2 * 2 * 5 * 3);
}

TEST(ClosedForm, IsExactOnUnmaskedRingsWithEveryCost) {
  for (const std::int64_t n : {2, 3, 7}) {
    for (const std::int64_t buffers : {2, 3}) {
      for (const double ratio : {0.3, 0.9, 2.0}) {
        for (const bool backward : {false, true}) {
          Ring ring{.ranks = n, .tokens = n * 8, .buffers = buffers, .layers = 3};
          ring.token_s = ratio * 8;
          ring.launch_s = 3;
          ring.half_depth = 5;
          ring.merge_bytes_per_s = 15;
          EXPECT_TRUE(agrees(ring, backward)) << text(ring, backward);
        }
      }
    }
  }
}

// Whatever differs between ranks, the formula is either the truth or a bound that says so.
TEST(ClosedForm, NeverExceedsTheRecurrenceOnRingsThatAreNotUniform) {
  std::mt19937 random(7);
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  int exact = 0;
  int bounds = 0;
  for (int i = 0; i < 1500; ++i) {
    Ring ring{.ranks = std::uniform_int_distribution<std::int64_t>(1, 9)(random), .buffers = i % 2 + 2};
    ring.layout = i % 3 == 0 ? Layout::contiguous : i % 3 == 1 ? Layout::striped : Layout::zigzag;
    ring.tokens = ring.ranks * 4;
    if (ring.layout != Layout::zigzag && i % 7 == 0) ring.tokens += 1;
    ring.causal = i % 5 < 3;
    ring.layers = 1 + i % 2;
    ring.backward_travels = i % 4 < 2 ? Rotation::kv : Rotation::q;
    ring.token_s = uniform(0.2, 8);
    ring.latency_s = uniform(0, 4);
    ring.launch_s = i % 11 < 5 ? 1 : 0;
    ring.half_depth = i % 13 < 6 ? uniform(0, 8) : 0;
    ring.merge_bytes_per_s = i % 17 < 8 ? uniform(10, 100) : 0;
    if (i % 6 < 3) {
      for (std::int64_t r = 0; r < ring.ranks; ++r)
        ring.hop_factor.push_back(uniform(0, 1) < 0.7 ? 1.0 : uniform(0.5, 3));
    }
    if (i % 10 == 0) ring.slowdown.assign(static_cast<std::size_t>(ring.ranks), 1.5);
    ring.contest = i % 19 == 0;
    ring.event_latency_s = ring.contest ? 0.5 : 0;
    if (i % 23 < 8 && !ring.contest) ring.sharing = RateShares{uniform(0.1, 1), uniform(0.1, 1)};
    ++(agrees(ring, i % 2 == 1) ? exact : bounds);
  }
  EXPECT_GT(exact, 100);
  EXPECT_GT(bounds, 100);
}

// Identical ranks under a contest for SMs: kernels and hops of all proportions, events from none to longer than a step.
TEST(ClosedForm, IsExactForIdenticalRanksUnderAContest) {
  int cases = 0;
  for (const std::int64_t n : {1, 2, 3, 4, 7, 16, 33}) {
    for (const double pair : {0.3, 1.0, 4.0}) {
      for (const double hop : {0.2, 1.0, 1.7, 6.0}) {
        for (const double event : {0.0, 0.05, 0.7, 3.0, 50.0}) {
          for (const double merge_bytes_per_s : {0.0, 8.0, 100.0}) {
            for (const Rotation rotation : {Rotation::kv, Rotation::q}) {
              for (const bool backward : {false, true}) {
                Ring ring{.ranks = n, .tokens = 2 * n, .layers = 2, .backward_travels = rotation, .pair_s = pair};
                ring.token_s = hop;
                ring.merge_bytes_per_s = merge_bytes_per_s;
                ring.contest = true;
                ring.event_latency_s = event;
                EXPECT_TRUE(agrees(ring, backward)) << text(ring, backward) << " event " << event;
                ++cases;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(cases, 7 * 3 * 4 * 5 * 3 * 2 * 2);
}

// Identical ranks whose kernels and hops slow each other down: whichever of the two ends first.
TEST(ClosedForm, IsExactForIdenticalRanksUnderInterference) {
  for (const std::int64_t n : {1, 2, 3, 8}) {
    for (const double hop : {0.2, 1.0, 1.7, 6.0}) {
      for (const RateShares shares : {RateShares{0.5, 0.5}, RateShares{0.9, 0.4}, RateShares{0.3, 0.4}}) {
        for (const double merge_bytes_per_s : {0.0, 8.0}) {
          for (const Rotation rotation : {Rotation::kv, Rotation::q}) {
            for (const bool backward : {false, true}) {
              Ring ring{.ranks = n, .tokens = 2 * n, .layers = 2, .backward_travels = rotation};
              ring.token_s = hop;
              ring.merge_bytes_per_s = merge_bytes_per_s;
              ring.sharing = shares;
              EXPECT_TRUE(agrees(ring, backward)) << text(ring, backward);
              TotalsObserver totals(n);
              const RunResult result = run(ring, backward ? Passes::both : Passes::forward, &totals);
              const double compute = totals.summaries(result).front().compute_s;
              EXPECT_NEAR(closed_form(ring.spec(), ring.machine(), backward).compute_s, compute, 1e-9 * compute);
            }
          }
        }
      }
    }
  }
}

TEST(ClosedForm, IsABoundUnderInterferenceOfUnequalRanksOrWithThreeBuffers) {
  Ring ring{.tokens = 32, .causal = true};
  ring.sharing = RateShares{0.5, 0.5};
  EXPECT_FALSE(agrees(ring, false));
  ring.causal = false;
  EXPECT_TRUE(agrees(ring, false));
  ring.buffers = 3;
  EXPECT_FALSE(agrees(ring, false));
}

// The transfers of a bound, by the size of each hop.
TEST(ClosedForm, CountsHopsWhoseBandwidthDependsOnTheSize) {
  // Knots of 3 s at 4 B and 5 s at 16 B, and a latency of 1 s. A block of two tokens has 8 B: 3 + 2 · 4/12 = 3.667 s, so
  // that three hops take 14 s. The window makes it a bound; kernels of next to nothing make it one of transfers.
  const Ring ring{.tokens = 8, .causal = true, .pair_s = 1e-6};
  RingSpec spec = ring.spec();
  spec.masks = {{true, 5}};
  Machine machine = ring.machine();
  HopCost hop = machine.hops[0];
  hop.latency = seconds(1);
  hop.by_size = {{bytes(4), seconds(3)}, {bytes(16), seconds(5)}};
  machine.hops = std::vector<HopCost>(machine.hops.size(), hop);
  EXPECT_NEAR(closed_form(spec, machine, false).makespan_s, 14, 1e-12);
  // Nine tokens: one block has three, 12 B, 1 + 3 + 2 · 8/12 = 5.333 s. Hop r passes on the blocks of ranks r, r - 1 and
  // r - 2, so that hops 0, 1 and 2 carry the long one once: 2 · 4.667 + 5.333 = 14.667 s.
  Ring uneven = ring;
  uneven.tokens = 9;
  RingSpec longer = uneven.spec();
  EXPECT_NEAR(closed_form(longer, machine, false).makespan_s, 14 + 2.0 / 3, 1e-12);
}

// 2^20 ranks on 2^17 nodes of 8, 2,048 tokens each, no mask, data sheet: all ranks compute the same and hop N - 1 -> 0 is one of
// the slow ones, so the formulas hold with the slow hop T and the kernel c.
//   forward   c = 4 · 128 · 64 heads · 2048² / 989 TFLOP/s = 139 µs;  a block 2 · 8 · 128 · 2 B · 2048 = 8.39 MB: T = 168 µs at 50 GB/s
//             (N - 1) T + c
//   backward  2.5 c = 347 µs; the gradient in fp32 twice the block: T0 = T, T1 = 3 T = 503 µs, Tl = Th = 2 T = 336 µs
//             2.5 c + (N - 2) 3 T + 2.5 c + 2 T
TEST(ClosedForm, KnowsAMillionRanks) {
  constexpr double n = 1048576;
  Scenario s = shapes::scenario(shapes::llama3_70b(), std::int64_t{1} << 31, 1048576, Layout::contiguous);
  s.workload.causal = false;
  const ClosedFormResult result = closed_form(ring_spec(s), machine_of(s), true);
  const double c = 4.0 * 128 * 64 * 2048 * 2048 / 989e12;
  const double t = 2.0 * 8 * 128 * 2 * 2048 / 50e9;
  const double layer = (n - 1) * t + c + 2.5 * c + (n - 2) * 3 * t + 2.5 * c + 2 * t;
  EXPECT_TRUE(result.exact);
  EXPECT_NEAR(result.makespan_s, 80 * layer, 1e-12 * 80 * layer);
  EXPECT_NEAR(result.compute_s, 80 * n * 3.5 * c, 1e-12 * 80 * n * 3.5 * c);
}

// Two hops that differ only in how their bandwidth depends on the size are not alike.
TEST(ClosedForm, LooksAtAllOfAHopToCallRanksIdentical) {
  Ring ring{.ranks = 2, .tokens = 4, .token_s = 4};
  ring.sharing = RateShares{0.5, 0.5};
  Machine machine = ring.machine();
  EXPECT_TRUE(closed_form(ring.spec(), machine, false).exact);
  HopCost other = machine.hops[1];
  other.by_size = {{bytes(8), seconds(20)}};
  machine.hops = std::vector<HopCost>{machine.hops[0], other};
  EXPECT_FALSE(closed_form(ring.spec(), machine, false).exact);
}

TEST(ClosedForm, IsABoundForWindowsUnevenShardsStragglersAndAContestOfUnequalRanks) {
  const auto exact = [](const RingSpec& spec, const Machine& machine) {
    return closed_form(spec, machine, false).exact;
  };
  const Ring ring{.tokens = 32, .causal = true};
  EXPECT_TRUE(exact(ring.spec(), ring.machine()));
  RingSpec window = ring.spec();
  window.masks = {{true, 5}};
  EXPECT_FALSE(exact(window, ring.machine()));
  Ring uneven = ring;
  uneven.tokens = 33;
  EXPECT_FALSE(exact(uneven.spec(), uneven.machine()));
  Ring slow = ring;
  slow.slowdown = {1, 1, 2, 1};
  EXPECT_FALSE(exact(slow.spec(), slow.machine()));
  Ring contest = ring;
  contest.contest = true;
  EXPECT_FALSE(exact(contest.spec(), contest.machine()));
}

}  // namespace
}  // namespace ringsim::sim
