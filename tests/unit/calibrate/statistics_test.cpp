// Order statistics: ranks derived by counting the subsets that fall on one side of the median.
#include "calibrate/statistics.hpp"

#include "models/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ringsim::calibrate {
namespace {

TEST(MedianRanks, SixSamplesAreTheFewestThatReach95Percent) {
  // The extremes miss the median only when all six lie on one side: 2 of 2⁶ outcomes. 1 − 2/64 = 96.875 %.
  const MedianRanks six = median_ranks(6);
  EXPECT_EQ(six.low, 1);
  EXPECT_EQ(six.high, 6);
  EXPECT_DOUBLE_EQ(six.coverage, 0.96875);
  // Five: 1 − 2/32 = 93.75 %, which is stated and not hidden.
  const MedianRanks five = median_ranks(5);
  EXPECT_EQ(five.low, 1);
  EXPECT_EQ(five.high, 5);
  EXPECT_DOUBLE_EQ(five.coverage, 0.9375);
  // One sample says nothing about the median: its two sides are all outcomes.
  EXPECT_DOUBLE_EQ(median_ranks(1).coverage, 0.0);
}

TEST(MedianRanks, TenSamplesUseTheSecondAndTheNinth) {
  // Missed when at most one of ten lies on a side: 2·(1 + 10)/1024, so 97.85 % are covered. The third and eighth would be
  // missed by 2·(1 + 10 + 45)/1024: 89.06 %, too little.
  const MedianRanks ten = median_ranks(10);
  EXPECT_EQ(ten.low, 2);
  EXPECT_EQ(ten.high, 9);
  EXPECT_NEAR(ten.coverage, 1 - 22.0 / 1024, 1e-15);
}

TEST(MedianRanks, ManySamplesApproachTheNormalRule) {
  // The binomial's standard deviation is √n/2, so the ranks lie 1.96·√n/2 off the middle: for 10,000 samples 98.
  // One rank more or less on either side is worth 2·φ(1.96)/50 = 0.23 % of coverage.
  const MedianRanks many = median_ranks(10000);
  EXPECT_NEAR(static_cast<double>(many.low), 5000.5 - 98, 1.0);
  EXPECT_EQ(many.low + many.high, 10001);
  EXPECT_GE(many.coverage, 0.95);
  EXPECT_LT(many.coverage, 0.9524);
}

TEST(MedianInterval, CoversTheMedianAsOftenAsItSays) {
  // 4,000 draws of 11 skewed samples (exponential, median log 2): ranks 2 and 10 cover 1 − 2·12/2048 = 98.8 %. The share
  // seen scatters by √(0.988·0.012/4000) = 0.17 %; four of these are allowed.
  std::mt19937_64 random(5);
  std::exponential_distribution<double> exponential(1.0);
  int covered = 0;
  double stated = 0;
  for (int draw = 0; draw < 4000; ++draw) {
    std::vector<double> samples;
    for (int i = 0; i < 11; ++i) samples.push_back(exponential(random));
    const MedianInterval interval = median_interval(samples);
    stated = interval.coverage;
    if (interval.low <= std::log(2.0) && std::log(2.0) <= interval.high) ++covered;
  }
  EXPECT_NEAR(stated, 1 - 24.0 / 2048, 1e-12);
  EXPECT_NEAR(covered / 4000.0, stated, 0.007);
}

TEST(Quantiles, MedianIsTheMiddleOrTheMeanOfTheTwoMiddleOnes) {
  EXPECT_DOUBLE_EQ(median({8, 1, 4, 2}), 3.0);
  EXPECT_DOUBLE_EQ(median({5.0, 1.0, 3.0}), 3.0);
}

TEST(Quantiles, MedianAbsoluteDeviationIgnoresOneWildSample) {
  // Median 3; distances 2, 1, 0, 1, 997 of which 1 is the median.
  EXPECT_DOUBLE_EQ(median_absolute_deviation({1, 2, 3, 4, 1000}), 1.0);
}

TEST(Quantiles, OfNothingAreAnError) { EXPECT_THROW((void)median({}), Error); }

}  // namespace
}  // namespace ringsim::calibrate
