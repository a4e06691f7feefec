#include "models/quantile.hpp"

#include "models/error.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

TEST(Quantile, IsLinearBetweenOrderStatistics) {
  // Sorted 1, 2, 4, 8: they stand at 0, 1/3, 2/3 and 1.
  const std::vector<double> samples{8, 1, 4, 2};
  EXPECT_DOUBLE_EQ(quantile(samples, 0), 1.0);
  EXPECT_DOUBLE_EQ(quantile(samples, 1), 8.0);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.5), 3.0);          // half-way between 2 and 4
  EXPECT_DOUBLE_EQ(quantile(samples, 0.9), 4 + 0.7 * 4);  // place 2.7
  EXPECT_DOUBLE_EQ(quantile(samples, -1), 1.0);
  EXPECT_DOUBLE_EQ(quantile(samples, 2), 8.0);
}

TEST(Quantile, OfOneSampleIsIt) {
  for (const double part : {0.0, 0.3, 1.0}) EXPECT_EQ(quantile({7.0}, part), 7.0);
}

TEST(Quantile, OfNothingIsAnError) { EXPECT_THROW((void)quantile({}, 0.5), Error); }

TEST(Quantile, HasTheTailsMirrored) {
  // What is the 0.95 quantile of values is, with a minus sign, the 0.05 quantile of their negatives.
  std::vector<double> values{3, 1, 4, 1, 5, 9, 2, 6};
  std::vector<double> negatives;
  for (const double v : values) negatives.push_back(-v);
  EXPECT_DOUBLE_EQ(quantile(values, 0.95), -quantile(negatives, 0.05));
}

}  // namespace
}  // namespace ringsim
