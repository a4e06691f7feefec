// Each sentence of a diagnosis from a timeline that calls for it, and for no other.

#include "calibrate/diagnose.hpp"

#include "tests/unit/calibrate/sample_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringsim::calibrate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Two ranks that do the same, layer after layer: a kernel from `attend_start_s` of `attend_s`, and a hop of `hop_s` from the
/// layer's begin. Layers last `layer_s`.
struct Pattern {
  double layer_s = 10;
  double attend_start_s = 0;
  double attend_s = 6;
  double hop_s = 3;
  std::int64_t layers = 4;
};

Measurement run_of(const Pattern& p) {
  Measurement m = sample::measurement();
  m.definition.layers = p.layers;
  m.makespan_s = static_cast<double>(p.layers) * p.layer_s;
  m.timeline.spans.clear();
  for (std::int64_t layer = 0; layer < p.layers; ++layer) {
    const double begin = static_cast<double>(layer) * p.layer_s;
    for (std::int64_t r = 0; r < sample::ranks; ++r) {
      const double start = begin + p.attend_start_s;
      if (p.hop_s > 0) m.timeline.spans.push_back(sample::shift(r, layer, 0, begin, begin + p.hop_s));
      m.timeline.spans.push_back(
          sample::span(r, sim::SpanKind::attention, "attend", layer, 0, start, start + p.attend_s));
    }
  }
  return m;
}

TEST(Diagnose, KernelsAfterTransfersAreNotOverlapped) {
  // Hop 0..4, kernel 4..10: of 10 s a layer 6 + 4 = 10 s are kernel or hop, one after the other.
  const Diagnosis d = diagnose(run_of({.layer_s = 10, .attend_start_s = 4, .attend_s = 6, .hop_s = 4}));
  ASSERT_TRUE(d.overall.has_value());
  EXPECT_DOUBLE_EQ(d.overall->of_sum(), 1.0);
  EXPECT_DOUBLE_EQ(d.overall->of_longer(), 10.0 / 6.0);
  EXPECT_DOUBLE_EQ(d.overall->achieved().value(), 0.0);
  EXPECT_THAT(d.sentences,
              ElementsAre("Measured time is 100 % of computation plus transfer: transfers are not overlapped."));
}

TEST(Diagnose, PartOfTheTransferIsHidden) {
  // Hop 0..5, kernel 1..11: T = 11 s, C = 10 s, X = 5 s a layer: (15 − 11)/5 = 80 % of the hop is hidden; 11/15 = 73 %.
  const Diagnosis d = diagnose(run_of({.layer_s = 11, .attend_start_s = 1, .attend_s = 10, .hop_s = 5}));
  EXPECT_NEAR(d.slowest->achieved().value(), 0.8, 1e-12);
  EXPECT_THAT(d.sentences,
              ElementsAre("Measured time is 73 % of computation plus transfer: 80 % of the transfer time is hidden."));
}

TEST(Diagnose, AllOfTheTransferIsHidden) {
  // Hop 0..5, kernel 0..10: T = 10 = max(C, X).
  const Diagnosis d = diagnose(run_of({.layer_s = 10, .attend_start_s = 0, .attend_s = 10, .hop_s = 5}));
  EXPECT_DOUBLE_EQ(d.overall->of_longer(), 1.0);
  EXPECT_THAT(d.sentences,
              ElementsAre(HasSubstr("67 % of computation plus transfer: 100 % of the transfer time is hidden.")));
}

TEST(Diagnose, WhereTransfersAreLongerComputationHidesBehindThem) {
  // Hop 0..10, kernel 7..12, next layer at 12: T = 12, C = 5, X = 10: (15 − 12)/5 = 60 %.
  const Diagnosis d = diagnose(run_of({.layer_s = 12, .attend_start_s = 7, .attend_s = 5, .hop_s = 10}));
  EXPECT_THAT(d.sentences,
              ElementsAre("Measured time is 80 % of computation plus transfer: 60 % of the computation runs "
                          "while a hop is in flight."));
}

TEST(Diagnose, TimeBeyondKernelsAndTransfersIsWaiting) {
  // Hop 0..2, kernel 6..10: 6 s of 10 s are accounted for, 167 %.
  const Diagnosis d = diagnose(run_of({.layer_s = 10, .attend_start_s = 6, .attend_s = 4, .hop_s = 2}));
  EXPECT_THAT(d.sentences,
              ElementsAre(HasSubstr("167 % of computation plus transfer: transfers are not overlapped, and "
                                    "ranks wait for more")));
}

TEST(Diagnose, TransfersThatTakeNoTimeNeedNotHide) {
  // 0.05 s of 10 s a layer: 0.5 %.
  const Diagnosis d = diagnose(run_of({.layer_s = 10, .attend_start_s = 0, .attend_s = 10, .hop_s = 0.05}));
  EXPECT_THAT(d.sentences, ElementsAre("Transfers take 0.5 % of the time: there is next to nothing to hide."));
}

TEST(Diagnose, WithoutTransfersThereIsNothingToSay) {
  const Diagnosis d = diagnose(run_of({.hop_s = 0}));
  EXPECT_FALSE(d.overall.has_value());
  EXPECT_THAT(d.sentences, IsEmpty());
}

TEST(Diagnose, AnImportWithoutSpansHasNothingToSay) {
  Measurement m = sample::measurement();
  m.timeline.spans.clear();
  EXPECT_THAT(diagnose(m).sentences, IsEmpty());
}

TEST(Diagnose, KernelsThatATransferSlowsAreToldFromThoseAlone) {
  // Every layer: a kernel of 6 s under a hop of 6 s, then one of 4 s alone. No mask: all kernels do the same work.
  Measurement m = run_of({.layer_s = 10, .attend_start_s = 0, .attend_s = 6, .hop_s = 6});
  for (std::int64_t layer = 0; layer < 4; ++layer) {
    const double begin = 10.0 * static_cast<double>(layer) + 6.0;
    for (std::int64_t r = 0; r < 2; ++r) {
      m.timeline.spans.push_back(sample::span(r, sim::SpanKind::attention, "attend", layer, 1, begin, begin + 4));
    }
  }
  const Diagnosis d = diagnose(m);
  ASSERT_TRUE(d.interference.has_value());
  EXPECT_DOUBLE_EQ(d.interference->ratio, 1.5);
  EXPECT_EQ(d.interference->beside, 8);
  EXPECT_EQ(d.interference->alone, 8);
  EXPECT_THAT(d.sentences,
              testing::Contains("Attention kernels take 1.5 × as long while a hop is in flight: they share "
                                "what they run on."));
}

TEST(Diagnose, KernelsOfOtherWorkAreNotCompared) {
  // The same times, but under a causal mask on contiguous blocks: step 0 is the half-masked diagonal, step 1 a full
  // block on rank 1. No shape has kernels both beside a hop and alone.
  Measurement m = run_of({.layer_s = 10, .attend_start_s = 0, .attend_s = 6, .hop_s = 6});
  m.definition.causal = true;
  for (std::int64_t layer = 0; layer < 4; ++layer) {
    const double begin = 10.0 * static_cast<double>(layer) + 6.0;
    m.timeline.spans.push_back(sample::span(1, sim::SpanKind::attention, "attend", layer, 1, begin, begin + 4));
  }
  EXPECT_FALSE(diagnose(m).interference.has_value());
}

TEST(Diagnose, ASlowRankIsNamedWithTheWaitingItCauses) {
  // Rank 1 takes 9 s for what rank 0 does in 6 s; rank 0 waits 8 s of 40 s for hops that have not started.
  Measurement m = run_of({.layer_s = 10, .attend_start_s = 0, .attend_s = 6, .hop_s = 6});
  for (sim::Span& s : m.timeline.spans) {
    if (s.rank == 1 && s.kind == sim::SpanKind::attention) s.end_s = s.start_s + 9;
  }
  m.per_rank[0].bubble_late_s = 8;
  const Diagnosis d = diagnose(m);
  ASSERT_TRUE(d.slow_rank.has_value());
  EXPECT_EQ(d.slow_rank->rank, 1);
  EXPECT_DOUBLE_EQ(d.slow_rank->ratio, 1.5);
  EXPECT_THAT(d.sentences,
              testing::Contains("Rank 1 computes 1.5 × as long as the others for the same work; the others "
                                "wait 8 s (20 % of the makespan) for transfers that have not started."));
}

TEST(Diagnose, ARankIsNotSlowWithinAFewPercent) {
  Measurement m = run_of({.layer_s = 10, .attend_start_s = 0, .attend_s = 6, .hop_s = 6});
  for (sim::Span& s : m.timeline.spans) {
    if (s.rank == 1 && s.kind == sim::SpanKind::attention) s.end_s = s.start_s + 6.5;  // 8 %
  }
  EXPECT_FALSE(diagnose(m).slow_rank.has_value());
}

TEST(Diagnose, ALateStartIsNamed) {
  // Rank 1's first operation begins 2 s into a run of 40 s.
  Measurement m = run_of({.layer_s = 10, .attend_start_s = 0, .attend_s = 10, .hop_s = 5});
  for (sim::Span& s : m.timeline.spans) {
    if (s.rank == 1 && s.layer == 0) s.start_s += 2.0;
  }
  const Diagnosis d = diagnose(m);
  ASSERT_TRUE(d.late_start.has_value());
  EXPECT_EQ(d.late_start->rank, 1);
  EXPECT_THAT(d.sentences, testing::Contains("Rank 1 starts 2 s after the first (5 % of the makespan)."));
  EXPECT_FALSE(diagnose(run_of({})).late_start.has_value());
}

TEST(Diagnose, FiguresOfARankCountItsIncomingHops) {
  // Rank 0 sends 5 s, rank 1 sends 1 s a layer: rank 1 receives 20 s in four layers, rank 0 receives 4 s.
  Measurement m = run_of({.layer_s = 10, .attend_start_s = 0, .attend_s = 10, .hop_s = 5});
  for (sim::Span& s : m.timeline.spans) {
    if (s.rank == 1 && s.kind == sim::SpanKind::transfer) s.flight_end_s = s.flight_start_s + 1;
  }
  m.slowest_rank = 1;
  EXPECT_DOUBLE_EQ(diagnose(m).slowest->transfer_s, 20.0);
  EXPECT_DOUBLE_EQ(diagnose(m).overall->transfer_s, 24.0);
  m.slowest_rank = 0;
  EXPECT_DOUBLE_EQ(diagnose(m).slowest->transfer_s, 4.0);
}

}  // namespace
}  // namespace ringsim::calibrate
