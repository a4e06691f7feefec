#include "reports/humanise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

namespace ringsim::reports {
namespace {

double number_in(std::string text) {
  std::erase(text, ',');
  return std::strtod(text.c_str(), nullptr);
}

TEST(Humanise, CountsSeparateThousands) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_count(1048576), "1,048,576");
  EXPECT_EQ(human_count(-1234), "-1,234");
}

TEST(Humanise, TimesTakeTheUnitThatTheyFill) {
  EXPECT_EQ(human_time(0), "0 s");
  EXPECT_EQ(human_time(3.21e-6), "3.210 us");
  EXPECT_EQ(human_time(0.0456), "45.60 ms");
  EXPECT_EQ(human_time(12.3), "12.30 s");
  EXPECT_EQ(human_time(599.0), "599.0 s");
  EXPECT_EQ(human_time(852.0), "14.20 min");
  EXPECT_EQ(human_time(7200.0), "2.000 h");
}

TEST(Humanise, RoundingMovesToTheNextUnitAndKeepsFourDigits) {
  EXPECT_EQ(human_time(0.99996), "1.000 s");
  EXPECT_EQ(human_time(9.9996), "10.00 s");
  EXPECT_EQ(human_bytes(bytes(999.96e6)), "1.000 GB");
}

TEST(Humanise, BytesAreDecimal) {
  EXPECT_EQ(human_bytes(gigabytes(80)), "80.00 GB");
  EXPECT_EQ(human_bytes(bytes(524288)), "524.3 kB");
  EXPECT_EQ(human_bytes(gigabytes(-3)), "-3.000 GB");
  EXPECT_EQ(human_bytes(bytes(0)), "0 B");
}

TEST(Humanise, RatesKeepTheUnitsThatPeopleCompareIn) {
  EXPECT_EQ(human_bandwidth(gigabytes_per_second(450)), "450.0 GB/s");
  EXPECT_EQ(human_bandwidth(gigabytes_per_second(1800)), "1,800 GB/s");
  EXPECT_EQ(human_rate(teraflop_per_second(989)), "989.0 TFLOP/s");
  EXPECT_EQ(human_rate(teraflop_per_second(2250)), "2,250 TFLOP/s");
}

TEST(Humanise, PercentDoesNotClaimAllOrNothing) {
  EXPECT_EQ(human_percent(0), "0.0 %");
  EXPECT_EQ(human_percent(1), "100.0 %");
  EXPECT_EQ(human_percent(0.0001), "<0.1 %");
  EXPECT_EQ(human_percent(0.9999), ">99.9 %");
  EXPECT_EQ(human_percent(0.1234), "12.3 %");
}

TEST(Humanise, TokensAreNeverRoundedDown) {
  EXPECT_EQ(human_tokens_up(989e12 / 450e9), "2,197.8");  // 2197.777…
  EXPECT_EQ(human_tokens_up(275.0), "275.0");
  EXPECT_EQ(human_tokens_up(2500.21), "2,500.3");
  EXPECT_EQ(human_tokens_up(2500.25), "2,500.3");
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double tokens = std::exp(std::uniform_real_distribution<double>(0, 15)(random));
    const double printed = number_in(human_tokens_up(tokens));
    EXPECT_GE(printed, tokens * (1 - 1e-9));
    EXPECT_LT(printed, tokens + 0.1000001);
  }
}

TEST(Humanise, NoiseOfASearchIsNoReasonToRoundUp) {
  EXPECT_EQ(human_tokens_up(275.00000000000006), "275.0");
  EXPECT_EQ(human_tokens_up(275.000001), "275.1");
}

TEST(Humanise, FactorsAreRoundedAgainstTheReader) {
  EXPECT_EQ(human_factor_down(1.139), "1.13");
  EXPECT_EQ(human_factor_down(1.13), "1.13");
  EXPECT_EQ(human_factor_up(1.0731), "1.08");
  EXPECT_EQ(human_factor_up(1.13), "1.13");
  EXPECT_EQ(human_factor_down(54.37), "54.3");
}

TEST(Humanise, ExactReadsBack) {
  for (const double value : {0.1, 1e-9, 2197.7777777777778, 1e22}) {
    EXPECT_EQ(std::strtod(exact(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(exact(0.1), "0.1");
}

TEST(Humanise, HugeAndTinyNumbersTakePowersOfTen) {
  EXPECT_EQ(human_time(3600.0 * 999999.0), "1,000,000 h");
  EXPECT_EQ(human_time(3600.0 * 1.2345e7), "1.234e+07 h");
  EXPECT_EQ(human_time(1e300), "2.778e+296 h");
  EXPECT_EQ(human_time(1e-30), "1e-21 ns");
  EXPECT_EQ(human_bytes(bytes(1e30)), "1.000e+15 PB");
  EXPECT_EQ(human_money(1e200), "1.000e+200");
  EXPECT_EQ(human_tokens_up(1e200), "1.000e+200");
  EXPECT_EQ(human_factor_down(1e200), "9.95e+199");
}

TEST(Humanise, EnergyIsInWattHours) {
  EXPECT_EQ(human_energy(3.6e6), "1.000 kWh");
  EXPECT_EQ(human_energy(40000.0), "11.11 Wh");  // / 3600
  EXPECT_EQ(human_energy(1800.0), "1,800 J");
}

}  // namespace
}  // namespace ringsim::reports
