// Quantities: units at the doors, dimensions inside.
#include "models/quantity.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace ringsim {
namespace {

// Arithmetic on quantities does arithmetic on their dimensions; a mistake would not compile where it is used.
static_assert(std::is_same_v<decltype(Bytes{} / Bandwidth{}), Duration>);
static_assert(std::is_same_v<decltype(Bandwidth{} * Duration{}), Bytes>);
static_assert(std::is_same_v<decltype(Flop{} / FlopRate{}), Duration>);
static_assert(std::is_same_v<decltype(Flop{} / Duration{}), FlopRate>);
static_assert(std::is_same_v<decltype(Bytes{} / Bytes{}), double>, "a ratio of like quantities is a number");
static_assert(std::is_same_v<decltype(FlopRate{} / Bandwidth{}), Quantity<0, -1, 1>>, "F/W is FLOP a byte");

template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };
static_assert(Addable<Duration, Duration>);
static_assert(!Addable<Duration, Bytes>, "seconds and bytes do not add");
static_assert(!Addable<Bandwidth, FlopRate>);
static_assert(!std::is_convertible_v<double, Duration>, "a bare number has no unit");

TEST(Quantity, ABitIsAnEighthOfAByte) {
  // 400 Gb/s is 400/8 = 50 GB/s = 50 * 10^9 B/s.
  EXPECT_DOUBLE_EQ(in_gigabytes_per_second(gigabits_per_second(400)), 50.0);
  EXPECT_DOUBLE_EQ(in_bytes_per_second(gigabits_per_second(100)), 12.5e9);
}

TEST(Quantity, PrefixesAreDecimal) {
  EXPECT_DOUBLE_EQ(in_bytes(gigabytes(80)), 80'000'000'000.0);
  EXPECT_DOUBLE_EQ(in_flop_per_second(teraflop_per_second(989)), 989'000'000'000'000.0);
  EXPECT_DOUBLE_EQ(in_seconds(microseconds(5)), 0.000005);
}

TEST(Quantity, EveryAccessorUndoesItsMaker) {
  EXPECT_DOUBLE_EQ(in_seconds(seconds(1.5)), 1.5);
  EXPECT_DOUBLE_EQ(in_microseconds(microseconds(7.25)), 7.25);
  EXPECT_DOUBLE_EQ(in_bytes(bytes(123)), 123.0);
  EXPECT_DOUBLE_EQ(in_gigabytes(gigabytes(0.5)), 0.5);
  EXPECT_DOUBLE_EQ(in_flop(flop(1e15)), 1e15);
  EXPECT_DOUBLE_EQ(in_bytes_per_second(bytes_per_second(3)), 3.0);
  EXPECT_DOUBLE_EQ(in_gigabytes_per_second(gigabytes_per_second(450)), 450.0);
  EXPECT_DOUBLE_EQ(in_flop_per_second(flop_per_second(2)), 2.0);
  EXPECT_DOUBLE_EQ(in_teraflop_per_second(teraflop_per_second(312)), 312.0);
}

TEST(Quantity, AGigabyteAtAGigabyteASecondTakesASecond) {
  EXPECT_DOUBLE_EQ(in_seconds(gigabytes(1) / gigabytes_per_second(1)), 1.0);
  EXPECT_DOUBLE_EQ(in_seconds(flop(6e12) / teraflop_per_second(2)), 3.0);
  EXPECT_DOUBLE_EQ(in_bytes(gigabytes_per_second(2) * seconds(0.25)), 5e8);
}

TEST(Quantity, SumsScalesAndOrders) {
  Duration t = seconds(1);
  t += seconds(2);
  t -= seconds(0.5);
  EXPECT_DOUBLE_EQ(in_seconds(t), 2.5);
  EXPECT_DOUBLE_EQ(in_seconds(-t), -2.5);
  EXPECT_DOUBLE_EQ(in_seconds(2.0 * t + t * 3.0 - t / 5.0), 12.0);  // 5 + 7.5 - 0.5
  EXPECT_LT(seconds(1), microseconds(1000001));
  EXPECT_EQ(Duration{}, seconds(0));
}

}  // namespace
}  // namespace ringsim
