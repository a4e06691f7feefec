// Whatever is written with its unit reads back bit for bit.

#include "scenarios/reader.hpp"
#include "scenarios/units.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace ringsim::scenarios {
namespace {

// Any finite double above zero, subnormal ones included: the bits are drawn, not the value.
rc::Gen<double> any_positive() {
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(1, 0x7ff0000000000000ULL)),
                      [](std::uint64_t bits) { return std::bit_cast<double>(bits); });
}

// A double of a size that scenarios hold, 1e-9 to 1e18, with all its digits.
rc::Gen<double> usual() {
  return rc::gen::map(
      rc::gen::pair(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(1ULL << 52U, 1ULL << 53U)),
                    rc::gen::inRange(-82, 8)),
      [](const std::pair<std::uint64_t, int>& drawn) {
        return std::ldexp(static_cast<double>(drawn.first), drawn.second);
      });
}

RC_GTEST_PROP(ScenarioUnits, RoundTrip, ()) {
  const double x = *rc::gen::oneOf(any_positive(), usual());
  RC_ASSERT(parse_duration(format_duration(seconds(x))).si() == x);
  RC_ASSERT(parse_bytes(format_bytes(bytes(x))).si() == x);
  RC_ASSERT(parse_bytes(format_bytes_shortest(bytes(x))).si() == x);
  RC_ASSERT(parse_bandwidth(format_bandwidth(bytes_per_second(x))).si() == x);
  RC_ASSERT(parse_flop_rate(format_flop_rate(flop_per_second(x))).si() == x);
  RC_ASSERT(parse_number(format_number(x)) == x);
  RC_ASSERT(parse_ratio(format_ratio(x)) == x);
}

RC_GTEST_PROP(ScenarioUnits, RoundTripOfCounts, ()) {
  const auto n = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000'000'000);
  RC_ASSERT(parse_count(format_count(n)) == n);
}

RC_GTEST_PROP(ScenarioUnits, PrefixesMoveTheDecimalPoint, ()) {
  const auto n = *rc::gen::inRange<std::int64_t>(1, 1'000'000);
  const std::string digits = std::to_string(n);
  RC_ASSERT(parse_bandwidth(digits + " MB/s").si() == static_cast<double>(n * 1'000'000));
  RC_ASSERT(parse_bandwidth(digits + " Gb/s").si() == static_cast<double>(n) * 1.25e8);
  RC_ASSERT(parse_duration(digits + " us").si() == static_cast<double>(n) / 1e6);
  RC_ASSERT(parse_count(digits + "Ki") == n * 1024);
}

RC_GTEST_PROP(ScenarioUnits, NoTextThrowsAnythingButError, (const std::string& text)) {
  const auto attempt = [](auto parse, const std::string& t) {
    static_cast<void>(testing::error_of([&] { static_cast<void>(parse(t)); }));
  };
  attempt(parse_duration, text);
  attempt(parse_bandwidth, text + " GB/s");
  attempt(parse_count, text);
  attempt(parse_ratio, text);
  attempt([](const std::string& t) { return read_scenario_text(t, "fuzz.yaml"); }, text);
  attempt([](const std::string& t) { return read_scenario_text("name: n", "fuzz.yaml", {}, {t}); }, text);
}

}  // namespace
}  // namespace ringsim::scenarios
