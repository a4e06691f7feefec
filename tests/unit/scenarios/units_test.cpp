#include "scenarios/units.hpp"

#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <string>

namespace ringsim::scenarios {
namespace {

using testing::error_of;

TEST(Units, Durations) {
  EXPECT_EQ(in_seconds(parse_duration("5 us")), 5e-6);
  EXPECT_EQ(in_seconds(parse_duration("5us")), 5e-6);
  EXPECT_EQ(in_seconds(parse_duration("5 µs")), 5e-6);
  EXPECT_EQ(in_seconds(parse_duration("0.1 ms")), 1e-4);
  EXPECT_EQ(in_seconds(parse_duration("3 ns")), 3e-9);
  EXPECT_EQ(in_seconds(parse_duration("1.5 min")), 90.0);
  EXPECT_EQ(in_seconds(parse_duration("2 h")), 7200.0);
  EXPECT_EQ(in_seconds(parse_duration("0 s")), 0.0);
}

TEST(Units, SizesAreDecimalUnlessTheySayOtherwise) {
  EXPECT_EQ(in_bytes(parse_bytes("80 GB")), 80e9);
  EXPECT_EQ(in_bytes(parse_bytes("80 GiB")), 85899345920.0);
  EXPECT_EQ(in_bytes(parse_bytes("1.5 KiB")), 1536.0);
  EXPECT_EQ(in_bytes(parse_bytes("7 B")), 7.0);
}

TEST(Units, BandwidthsOfBitsAndBytes) {
  EXPECT_EQ(in_bytes_per_second(parse_bandwidth("450 GB/s")), 450e9);
  EXPECT_EQ(in_bytes_per_second(parse_bandwidth("450 GBps")), 450e9);
  EXPECT_EQ(in_bytes_per_second(parse_bandwidth("1 GiB/s")), 1073741824.0);
  for (const char* text : {"400 Gb/s", "400 Gbps", "400 Gbit/s", "400Gb/s", "0.4 Tb/s", "400000 Mb/s"}) {
    EXPECT_EQ(in_bytes_per_second(parse_bandwidth(text)), 50e9) << text;
  }
}

TEST(Units, FlopRates) {
  for (const char* text : {"989 TFLOP/s", "989 TFLOPS", "0.989 PFLOP/s", "989000 GFLOPS", "989e12 FLOP/s"}) {
    EXPECT_EQ(in_flop_per_second(parse_flop_rate(text)), 989e12) << text;
  }
}

TEST(Units, Counts) {
  EXPECT_EQ(parse_count("16384"), 16384);
  EXPECT_EQ(parse_count("16Ki"), 16384);
  EXPECT_EQ(parse_count("1Mi"), 1048576);
  EXPECT_EQ(parse_count("1 Mi"), 1048576);
  EXPECT_EQ(parse_count("1M"), 1000000);
  EXPECT_EQ(parse_count("1.5M"), 1500000);
  EXPECT_EQ(parse_count("1.5Ki"), 1536);
  EXPECT_EQ(parse_count("1e6"), 1000000);
  EXPECT_EQ(parse_count("2G"), 2000000000);
  EXPECT_EQ(parse_count("2Gi"), 2147483648);
  EXPECT_EQ(parse_count("0"), 0);
  EXPECT_EQ(parse_count("123456789012345678"), 123456789012345678);
  for (const char* text :
       {"1.5", "1.0001K", "-1", "1_000", "1,000", "16 GB", "", "K", "nan", "1e99", "0x10", "128k", "1 2", "1.2.3"}) {
    EXPECT_THROW(static_cast<void>(parse_count(text)), Error) << text;
  }
}

TEST(Units, RatiosAndNumbers) {
  EXPECT_EQ(parse_ratio("2%"), 0.02);
  EXPECT_EQ(parse_ratio("2 %"), 0.02);
  EXPECT_EQ(parse_ratio("0.811"), 0.811);
  EXPECT_EQ(parse_ratio("81.1%"), 0.811);
  EXPECT_EQ(parse_number("2.50"), 2.5);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_THROW(static_cast<void>(parse_number("2.5 USD")), Error);
  EXPECT_THROW(static_cast<void>(parse_ratio("-2%")), Error);
  EXPECT_THROW(static_cast<void>(parse_ratio("5 GB")), Error);
}

TEST(Units, ABareNumberIsShownWithItsLikelyUnits) {
  const auto error = error_of([] { static_cast<void>(parse_bandwidth("450")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message(), "450 has no unit, and a bandwidth needs one");
  EXPECT_EQ(error->hint(), "for example 450 GB/s or 450 Gb/s");
}

TEST(Units, AWrongKindOfUnitIsNamed) {
  const auto error = error_of([] { static_cast<void>(parse_bandwidth("450 GB")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message(), "450 GB is a size, but a bandwidth is needed");
  EXPECT_EQ(error->hint(), "for example 450 GB/s");
  EXPECT_EQ(error_of([] { static_cast<void>(parse_duration("5 GB/s")); })->message(),
            "5 GB/s is a bandwidth, but a duration is needed");
}

TEST(Units, CapitalsCount) {
  EXPECT_EQ(error_of([] { static_cast<void>(parse_bandwidth("400 gb/s")); })->hint(),
            "400 GB/s (bytes) or 400 Gb/s (bits)");
  EXPECT_EQ(error_of([] { static_cast<void>(parse_bandwidth("400 GB/S")); })->hint(),
            "400 GB/s (bytes) or 400 Gb/s (bits)");
  EXPECT_EQ(error_of([] { static_cast<void>(parse_flop_rate("989 tflops")); })->hint(), "989 TFLOPS");
  EXPECT_EQ(error_of([] { static_cast<void>(parse_duration("5 MS")); })->hint(), "5 ms");
}

TEST(Units, WhatHasNoSenseIsRefused) {
  for (const char* text : {"0 GB/s", "-1 GB/s", "inf GB/s", "nan", "1e400 GB/s", "1e308 TB/s", "1e-400 B/s", "", "GB/s",
                           "4 5 GB/s", "4,5 GB/s"}) {
    EXPECT_THROW(static_cast<void>(parse_bandwidth(text)), Error) << text;
  }
  EXPECT_THROW(static_cast<void>(parse_duration("-1 us")), Error);
  EXPECT_THROW(static_cast<void>(parse_bytes("0 GB")), Error);
}

TEST(Units, EverythingReadsBackBitForBit) {
  std::mt19937_64 bits(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::bit_cast<double>(bits() >> 1U);
    if (!std::isfinite(x) || x == 0.0) continue;
    ASSERT_EQ(parse_duration(format_duration(seconds(x))).si(), x);
    ASSERT_EQ(parse_bytes(format_bytes(bytes(x))).si(), x);
    ASSERT_EQ(parse_bandwidth(format_bandwidth(bytes_per_second(x))).si(), x);
    ASSERT_EQ(parse_flop_rate(format_flop_rate(flop_per_second(x))).si(), x);
    ASSERT_EQ(parse_ratio(format_ratio(x)), x);
    ASSERT_EQ(parse_number(format_number(x)), x);
  }
}

TEST(Units, FormattingPicksTheReadableUnit) {
  EXPECT_EQ(format_bandwidth(gigabytes_per_second(450)), "450 GB/s");
  EXPECT_EQ(format_bandwidth(gigabits_per_second(400)), "50 GB/s");
  EXPECT_EQ(format_bytes(gigabytes(80)), "80 GB");
  EXPECT_EQ(format_duration(microseconds(5)), "5 us");
  EXPECT_EQ(format_duration(seconds(0)), "0 s");
  EXPECT_EQ(format_duration(seconds(7200)), "7200 s");
  EXPECT_EQ(format_flop_rate(teraflop_per_second(655)), "655 TFLOP/s");
  EXPECT_EQ(format_power(parse_power("0.7 kW")), "700 W");
  EXPECT_EQ(format_ratio(0.05), "5%");
  EXPECT_EQ(format_ratio(0.811), "81.1%");
  EXPECT_EQ(format_number(2.5), "2.5");
  EXPECT_EQ(format_number(1e-30), "1e-30");
}

TEST(Units, SizesMayBeWrittenInPowersOf1024WhereThatIsShorter) {
  EXPECT_EQ(format_bytes_shortest(bytes(65536)), "64 KiB");
  EXPECT_EQ(format_bytes_shortest(bytes(16 * 1048576.0)), "16 MiB");
  EXPECT_EQ(format_bytes_shortest(bytes(80e9)), "80 GB");
  EXPECT_EQ(format_bytes_shortest(bytes(512)), "512 B");
  EXPECT_EQ(format_bytes(bytes(65536)), "65.536 kB");  // the form that hashes are made of
}

}  // namespace
}  // namespace ringsim::scenarios
