// The stopping rule with made-up clocks.
#include "calibrate/sampling.hpp"

#include "models/error.hpp"

#include <gtest/gtest.h>

namespace ringsim::calibrate {
namespace {

RawSample undisturbed(double wall_s, double elapsed_s = 0) { return {wall_s, 1.0, 0, 1.0, elapsed_s}; }

TEST(Sampling, StopsAtTheMinimumWhereSamplesAgree) {
  // Two for warming up, then ten that spread by less than 2 %: finished with the twelfth, and the cold ones are gone.
  Sampling sampling({.warmup = 2, .minimum = 10});
  int taken = 0;
  while (!sampling.finished()) {
    sampling.add(undisturbed(taken < 2 ? 9.0 : 1.0 + 0.001 * taken));
    ++taken;
  }
  EXPECT_EQ(taken, 12);
  EXPECT_EQ(sampling.counted().size(), 10U);
  EXPECT_NEAR(sampling.timing().median_s, 1.0065, 1e-12);  // of 1.002 ... 1.011
  // Ranks 2 and 9 of ten.
  EXPECT_DOUBLE_EQ(sampling.timing().low_s, 1.003);
  EXPECT_DOUBLE_EQ(sampling.timing().high_s, 1.010);
  EXPECT_TRUE(sampling.note().empty());
}

TEST(Sampling, GoesOnWhileTheIntervalIsWide) {
  // Alternating 1 and 1.5: the interval of the median always holds both, half its width is 20 % of the median 1.25.
  Sampling sampling({.warmup = 0, .minimum = 6, .maximum = 40});
  int taken = 0;
  while (!sampling.finished()) sampling.add(undisturbed(taken++ % 2 == 0 ? 1.0 : 1.5));
  EXPECT_EQ(taken, 40);
  EXPECT_EQ(sampling.note(), "the median is known to ±20.0 % only");
}

TEST(Sampling, StopsWhenTimeIsUp) {
  // A second each against a budget of 4.5 s: the fifth sample ends past it. Two were warm-up, three count.
  Sampling sampling({.warmup = 2, .minimum = 10, .budget_s = 4.5});
  int taken = 0;
  while (!sampling.finished()) {
    ++taken;
    sampling.add(undisturbed(1.0, taken));
  }
  EXPECT_EQ(taken, 5);
  EXPECT_EQ(sampling.timing().samples, 3);
  EXPECT_EQ(sampling.note(), "only 3 samples in the time there was: too few for a 95 % interval of the median");
}

TEST(Sampling, KeepsTheLastWarmUpWhenItUsesUpTheTime) {
  Sampling sampling({.warmup = 2, .budget_s = 1});
  sampling.add(undisturbed(3.0, 3.0));
  EXPECT_TRUE(sampling.finished());
  EXPECT_DOUBLE_EQ(sampling.timing().median_s, 3.0);
}

TEST(Sampling, DiscardsByCauseAndCountsTheCauses) {
  Sampling sampling({.warmup = 0, .minimum = 8});
  sampling.add({1.5, 0.9, 0, 1.0, 0});           // off its core for a tenth of the time
  sampling.add({1.2, 1.0, 3, 1.2, 0});           // reference work a fifth slower than at best
  sampling.add({1.2, std::nullopt, 1, 1.0, 0});  // no CPU time known, but a context switch
  sampling.add({1.0, 0.98, 1, 1.0, 0});          // switched for less than 3 %: counts, the loss is known to be small
  for (int i = 0; i < 7; ++i) sampling.add(undisturbed(1.0));
  EXPECT_TRUE(sampling.finished());
  EXPECT_EQ(sampling.counted(), std::vector<double>(8, 1.0));
  const std::map<std::string, std::int64_t> expected{{"preempted", 2}, {"throttled", 1}};
  EXPECT_EQ(sampling.discarded(), expected);
  EXPECT_TRUE(sampling.note().empty());
}

TEST(Sampling, DoesNotDiscardAnOutlierWithoutACause) {
  Sampling sampling({.warmup = 0, .minimum = 8});
  sampling.add(undisturbed(50.0));
  for (int i = 0; i < 9; ++i) sampling.add(undisturbed(1.0));
  EXPECT_EQ(sampling.counted().front(), 50.0);
  EXPECT_DOUBLE_EQ(sampling.timing().median_s, 1.0);  // which it does not move
}

TEST(Sampling, SaysWhenMoreThanHalfWasThrownAway) {
  // Nine of fifteen preempted; six are left, enough for an interval.
  Sampling sampling({.warmup = 0, .minimum = 6});
  for (int i = 0; i < 9; ++i) sampling.add({2.0, 0.5, 1, 1.0, 0});
  for (int i = 0; i < 6; ++i) sampling.add(undisturbed(1.0));
  EXPECT_DOUBLE_EQ(sampling.timing().median_s, 1.0);
  EXPECT_EQ(sampling.note(), "more than half of the samples were thrown away: 9 of 15 (9 preempted)");
}

TEST(Sampling, CountsAllWhereHardlyAnyIsUndisturbed) {
  // One of eight is left: no interval. All eight count, none is reported as thrown away, and the note says why.
  Sampling sampling({.warmup = 0, .minimum = 6, .maximum = 8});
  sampling.add(undisturbed(1.0));
  for (int i = 0; i < 7; ++i) sampling.add({2.0, 0.5, 1, 1.0, 0});
  EXPECT_EQ(sampling.timing().samples, 8);
  EXPECT_DOUBLE_EQ(sampling.timing().median_s, 2.0);
  EXPECT_TRUE(sampling.discarded().empty());
  EXPECT_EQ(sampling.note(), "7 of 8 samples were disturbed (7 preempted): too few are left, so all count");
}

TEST(Sampling, WithoutASampleHasNoTiming) { EXPECT_THROW((void)Sampling({}).timing(), Error); }

}  // namespace
}  // namespace ringsim::calibrate
