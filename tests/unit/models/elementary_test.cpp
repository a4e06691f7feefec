// exp, ln and the normal quantile of our own against the standard library and against values computed to 60 digits.
#include "models/elementary.hpp"

#include "models/normal_quantile.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace ringsim {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double smallest = std::numeric_limits<double>::denorm_min();

// Doubles between a and b of the same sign: neighbours have neighbouring bits.
std::int64_t ulps(double a, double b) {
  const auto bits = [](double v) { return std::bit_cast<std::int64_t>(v); };
  return bits(a) > bits(b) ? bits(a) - bits(b) : bits(b) - bits(a);
}

TEST(Exp, IsWithinAFewUlpOfTheLibrarys) {
  std::mt19937_64 random(1);
  for (const double width : {1e-12, 1.0, 40.0, 700.0}) {
    std::uniform_real_distribution<double> x(-width, width);
    for (int i = 0; i < 100'000; ++i) {
      const double at = x(random);
      ASSERT_LE(ulps(elementary::exp(at), std::exp(at)), 2) << at;
      ASSERT_EQ(elementary::exp_of_moderate(at), elementary::exp(at)) << at;
    }
  }
}

TEST(Exp, KnowsItsEdges) {
  EXPECT_EQ(elementary::exp(0.0), 1.0);
  EXPECT_EQ(elementary::exp(-0.0), 1.0);
  EXPECT_EQ(elementary::exp(1e-300), 1.0);
  EXPECT_EQ(elementary::exp(infinity), infinity);
  EXPECT_EQ(elementary::exp(-infinity), 0.0);
  EXPECT_TRUE(std::isnan(elementary::exp(std::numeric_limits<double>::quiet_NaN())));
  // The largest double is 2^1024 less one part in 2^53: 1024 · ln 2 = 709.7827...
  EXPECT_LE(ulps(elementary::exp(709.78), std::exp(709.78)), 2);
  EXPECT_EQ(elementary::exp(709.79), infinity);
  // The smallest is 2^-1074, and half of it still rounds to it: -1075 · ln 2 = -745.13...; denormals have few digits.
  EXPECT_EQ(elementary::exp(-745.13), smallest);
  EXPECT_EQ(elementary::exp(-745.14), 0.0);
  for (double x = -708.0; x > -745.0; x -= 0.37) EXPECT_LE(ulps(elementary::exp(x), std::exp(x)), 2) << x;
}

TEST(Log, IsWithinAFewUlpOfTheLibrarys) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-1020, 1020);
  std::uniform_real_distribution<double> near(0.5, 2.0);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 100'000; ++i) {
    for (const double x : {std::exp2(exponent(random)), near(random), unit(random), 1.0 + 1e-9 * near(random)}) {
      ASSERT_LE(ulps(elementary::log(x), std::log(x)), 2) << x;
    }
  }
}

TEST(Log, KnowsItsEdges) {
  EXPECT_EQ(elementary::log(1.0), 0.0);
  EXPECT_EQ(elementary::log(0.0), -infinity);
  EXPECT_EQ(elementary::log(infinity), infinity);
  EXPECT_TRUE(std::isnan(elementary::log(-1.0)));
  EXPECT_TRUE(std::isnan(elementary::log(std::numeric_limits<double>::quiet_NaN())));
  // Next to 1 a logarithm is the distance: ln(1 + e) = e − e²/2, and neighbours of 1 are ±e away.
  EXPECT_EQ(elementary::log(1.0 + 0x1p-52), 0x1p-52 - 0x1p-105);
  EXPECT_EQ(elementary::log(1.0 - 0x1p-53), -0x1p-53 - 0x1p-107);
  const double most = std::numeric_limits<double>::max();
  const double least_normal = std::numeric_limits<double>::min();
  for (const double x : {most, least_normal, least_normal / 2, least_normal / 12345, smallest}) {
    EXPECT_LE(ulps(elementary::log(x), std::log(x)), 2) << x;
  }
}

TEST(NormalQuantile, IsTheInverseOfTheDistribution) {
  // Φ(z) = erfc(−z/√2) / 2. Where p is the lower tail its relative error is about z times that of z.
  for (double p = 1e-15; p < 0.5; p *= 1.37) {
    const double z = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-z / std::sqrt(2.0)) / p, 1.0, 1e-13) << p;
  }
}

TEST(NormalQuantile, HasTheValuesComputedTo60Digits) {
  // Newton steps on Φ in 60 decimal digits (mpmath), of the doubles nearest to p: one in each range and next to the borders.
  const double values[][2] = {
      {0.4, -0.2533471031357997},        {0.0751, -1.43882539275254},   {0.075, -1.439531470938456},
      {0.07499999, -1.4395315415821681}, {0.01, -2.326347874040841},    {1e-06, -4.753424308822899},
      {1.4e-11, -6.656723091518184},     {1.3e-11, -6.667611456510741}, {1.1102230246251565e-16, -8.209536151601387}};
  for (const auto& [p, z] : values) EXPECT_NEAR(normal_quantile(p) / z, 1.0, 4e-16) << p;
}

TEST(NormalQuantile, IsOddAroundOneHalf) {
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  // 1 − p is exact for these.
  for (const double p : {0.25, 0.0625, 0.09375, 0x1p-20, 0x1p-50}) {
    EXPECT_EQ(normal_quantile(1.0 - p), -normal_quantile(p)) << p;
  }
}

}  // namespace
}  // namespace ringsim
