#include "scenarios/units.hpp"

#include "models/error.hpp"
#include "scenarios/decimal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace ringsim::scenarios {
namespace {

/// A unit is 10^exponent · factor of the SI unit; factors are powers of two, or 60 and 3600.
struct Unit {
  std::string_view name;
  int exponent = 0;
  double factor = 1.0;
};

constexpr double kibi = 1024.0;
constexpr double mebi = kibi * kibi;
constexpr double gibi = mebi * kibi;
constexpr double tebi = gibi * kibi;
constexpr double bit = 0.125;  // bytes

// The units that format() may choose from come first in each table, from small to large.
constexpr std::array table_of_duration = {Unit{"ns", -9}, Unit{"us", -6}, Unit{"ms", -3},       Unit{"s"},
                                          Unit{"µs", -6}, Unit{"μs", -6}, Unit{"min", 0, 60.0}, Unit{"h", 0, 3600.0}};
constexpr std::array table_of_bytes = {
    Unit{"B"},           Unit{"kB", 3},        Unit{"MB", 6},        Unit{"GB", 9},
    Unit{"TB", 12},      Unit{"KiB", 0, kibi}, Unit{"MiB", 0, mebi}, Unit{"GiB", 0, gibi},
    Unit{"TiB", 0, tebi}};
constexpr std::array table_of_bandwidth = {Unit{"B/s"},
                                           Unit{"kB/s", 3},
                                           Unit{"MB/s", 6},
                                           Unit{"GB/s", 9},
                                           Unit{"TB/s", 12},
                                           Unit{"kBps", 3},
                                           Unit{"MBps", 6},
                                           Unit{"GBps", 9},
                                           Unit{"TBps", 12},
                                           Unit{"KiB/s", 0, kibi},
                                           Unit{"MiB/s", 0, mebi},
                                           Unit{"GiB/s", 0, gibi},
                                           Unit{"TiB/s", 0, tebi},
                                           Unit{"Mb/s", 6, bit},
                                           Unit{"Gb/s", 9, bit},
                                           Unit{"Tb/s", 12, bit},
                                           Unit{"Mbps", 6, bit},
                                           Unit{"Gbps", 9, bit},
                                           Unit{"Tbps", 12, bit},
                                           Unit{"Mbit/s", 6, bit},
                                           Unit{"Gbit/s", 9, bit},
                                           Unit{"Tbit/s", 12, bit}};
constexpr std::array table_of_flop_rate = {
    Unit{"FLOP/s"},      Unit{"kFLOP/s", 3},  Unit{"MFLOP/s", 6}, Unit{"GFLOP/s", 9}, Unit{"TFLOP/s", 12},
    Unit{"PFLOP/s", 15}, Unit{"EFLOP/s", 18}, Unit{"FLOPS"},      Unit{"kFLOPS", 3},  Unit{"MFLOPS", 6},
    Unit{"GFLOPS", 9},   Unit{"TFLOPS", 12},  Unit{"PFLOPS", 15}, Unit{"EFLOPS", 18}};
constexpr std::array table_of_power = {Unit{"W"}, Unit{"kW", 3}, Unit{"MW", 6}, Unit{"mW", -3}};
constexpr std::array table_of_counts = {Unit{"K", 3},        Unit{"M", 6},        Unit{"G", 9},
                                        Unit{"Ki", 0, kibi}, Unit{"Mi", 0, mebi}, Unit{"Gi", 0, gibi}};

struct Dimension {
  std::string_view what;  // "a bandwidth"
  std::span<const Unit> units;
  std::size_t formats = 0;  // how many of the first units format() chooses from
  bool zero_allowed = false;
  std::array<std::string_view, 2> likely;  // units to suggest
};

const Dimension durations = {"a duration", table_of_duration, 4, true, {"us", "ms"}};
const Dimension sizes = {"a size", table_of_bytes, 5, false, {"GB", "GiB"}};
const Dimension bandwidths = {"a bandwidth", table_of_bandwidth, 5, false, {"GB/s", "Gb/s"}};
const Dimension flop_rates = {"a FLOP rate", table_of_flop_rate, 7, false, {"TFLOP/s", "PFLOP/s"}};
const Dimension powers = {"a power", table_of_power, 2, false, {"W", "kW"}};
const std::array all_dimensions = {&durations, &sizes, &bandwidths, &flop_rates, &powers};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name) {
  const auto at = std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == name; });
  return at == units.end() ? nullptr : &*at;
}

std::string units_in_prose(const Dimension& dimension) {
  std::string text;
  for (const Unit& unit : dimension.units.first(dimension.formats))
    text += fmt::format("{}{}", text.empty() ? "" : ", ", unit.name);
  return text;
}

// Why `name` is not one of the dimension's units, and what the writer may have meant.
[[noreturn]] void refuse_unit(const Dimension& dimension, std::string_view text, std::string_view number,
                              std::string_view name) {
  std::string candidates;
  for (const Unit& unit : dimension.units) {
    if (lower(unit.name) != lower(name)) continue;
    const bool bits =
        unit.name.find("b/s") != std::string_view::npos || unit.name.find("bps") != std::string_view::npos;
    const bool byte_rate = &dimension == &bandwidths;
    candidates += fmt::format("{}{} {}{}", candidates.empty() ? "" : " or ", number, unit.name,
                              !byte_rate ? ""
                              : bits     ? " (bits)"
                                         : " (bytes)");
  }
  if (!candidates.empty()) {
    throw Error(fmt::format("{}: the unit {} is not written so; capitals count", text, name), {}, candidates);
  }
  for (const Dimension* other : all_dimensions) {
    if (other == &dimension || find_unit(other->units, name) == nullptr) continue;
    std::string hint = fmt::format("for example {} {}", number, dimension.likely[0]);
    if (&dimension == &bandwidths && other == &sizes) hint = fmt::format("for example {} {}/s", number, name);
    if (&dimension == &sizes && other == &bandwidths)
      hint = fmt::format("for example {} {}", number, dimension.likely[0]);
    throw Error(fmt::format("{} is {}, but {} is needed", text, other->what, dimension.what), {}, hint);
  }
  throw Error(fmt::format("{}: unknown unit {} for {}", text, name, dimension.what), {},
              fmt::format("known units: {}", units_in_prose(dimension)));
}

[[noreturn]] void refuse_number(std::string_view text, std::string_view what, std::string_view example) {
  const std::string name = lower(text);
  if (name == "inf" || name == ".inf" || name == "-inf" || name == "-.inf" || name == "infinity" || name == "nan" ||
      name == ".nan") {
    throw Error(fmt::format("{} is not a finite number; {} is needed", text, what), {},
                fmt::format("for example {}", example));
  }
  throw Error(fmt::format("{} is not {}", text.empty() ? "an empty text" : text, what), {},
              fmt::format("for example {}", example));
}

void refuse_negative(const Decimal& number, std::string_view text, std::string_view what) {
  if (number.negative) throw Error(fmt::format("{} is negative, {} is not", text, what), {}, {});
}

[[noreturn]] void refuse_range(std::string_view text) {
  throw Error(fmt::format("{} is outside the range of numbers this program counts with", text), {}, {});
}

double parse_with_unit(const Dimension& dimension, std::string_view written) {
  const std::string_view text = trimmed(written);
  std::string_view rest = text;
  const std::string example = fmt::format("450 {}", dimension.likely[0]);
  const std::optional<Decimal> number = take_decimal(rest);
  if (!number) refuse_number(text, dimension.what, example);
  const std::string_view number_text = trimmed(text.substr(0, text.size() - rest.size()));
  const std::string_view name = trimmed(rest);
  if (name.empty()) {
    throw Error(fmt::format("{} has no unit, and {} needs one", text, dimension.what), {},
                fmt::format("for example {0} {1} or {0} {2}", number_text, dimension.likely[0], dimension.likely[1]));
  }
  const Unit* unit = find_unit(dimension.units, name);
  if (unit == nullptr) refuse_unit(dimension, text, number_text, name);
  refuse_negative(*number, text, dimension.what);
  if (number->zero() && !dimension.zero_allowed) {
    throw Error(fmt::format("{} is zero, {} is not", text, dimension.what), {}, {});
  }
  const std::optional<double> value = to_double(*number, unit->exponent);
  if (!value || !std::isfinite(*value * unit->factor)) refuse_range(text);
  return *value * unit->factor;
}

std::string format_with_unit(const Dimension& dimension, double value) {
  const std::span<const Unit> units = dimension.units.first(dimension.formats);
  Decimal number = shortest(value);
  const long point = static_cast<long>(number.digits.size()) + number.exponent;  // value < 10^point
  const Unit* unit = number.zero() ? find_unit(units, dimension.zero_allowed ? "s" : units[0].name) : &units[0];
  for (const Unit& candidate : units) {
    if (!number.zero() && candidate.exponent < point) unit = &candidate;
  }
  number.exponent -= unit->exponent;
  if (number.zero()) number.exponent = 0;
  return fmt::format("{} {}", to_text(number), unit->name);
}

std::string pattern_of(const Dimension& dimension) {
  std::string names;
  for (const Unit& unit : dimension.units) names += fmt::format("{}{}", names.empty() ? "" : "|", unit.name);
  return fmt::format("^[+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *({})$", names);
}

// A whole number digits · 10^exponent · factor; empty where it is not whole or does not fit.
std::optional<std::int64_t> whole(const Decimal& number, int shift, std::int64_t factor) {
  std::int64_t value = 0;
  if (number.digits.size() > 18) return std::nullopt;
  for (const char c : number.digits) value = value * 10 + (c - '0');
  if (__builtin_mul_overflow(value, factor, &value)) return std::nullopt;
  long exponent = number.zero() ? 0 : number.exponent + shift;
  for (; exponent > 0; --exponent) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return std::nullopt;
  }
  for (; exponent < 0; ++exponent) {
    if (value % 10 != 0) return std::nullopt;
    value /= 10;
  }
  return value;
}

}  // namespace

Duration parse_duration(std::string_view text) { return Duration::from_si(parse_with_unit(durations, text)); }
Bytes parse_bytes(std::string_view text) { return Bytes::from_si(parse_with_unit(sizes, text)); }
Bandwidth parse_bandwidth(std::string_view text) { return Bandwidth::from_si(parse_with_unit(bandwidths, text)); }
FlopRate parse_flop_rate(std::string_view text) { return FlopRate::from_si(parse_with_unit(flop_rates, text)); }
Power parse_power(std::string_view text) { return Power::from_si(parse_with_unit(powers, text)); }

std::int64_t parse_count(std::string_view written) {
  const std::string_view text = trimmed(written);
  std::string_view rest = text;
  const std::optional<Decimal> number = take_decimal(rest);
  if (!number) refuse_number(text, "a whole number", "16384, 16Ki or 1M");
  const std::string_view name = trimmed(rest);
  const Unit* unit = name.empty() ? nullptr : find_unit(table_of_counts, name);
  if (!name.empty() && unit == nullptr) {
    const std::string_view digits = text.substr(0, text.size() - rest.size());
    if (name == "k" || name == "ki") {
      throw Error(fmt::format("{}: is it thousands or 1024s? capitals count", text), {},
                  fmt::format("{0}K is {0} x 1000, {0}Ki is {0} x 1024", trimmed(digits)));
    }
    if (name.front() == ',' || name.front() == '_') {
      throw Error(fmt::format("{} is not one whole number", text), {},
                  "digits without separators, such as 1000000 or 1M");
    }
    throw Error(fmt::format("{}: unknown ending {} of a count", text, name), {},
                "a count is bare, or ends in K, M, G (powers of 1000) or Ki, Mi, Gi (powers of 1024)");
  }
  refuse_negative(*number, text, "a count");
  const int shift = unit == nullptr ? 0 : unit->exponent;
  const auto factor = unit == nullptr ? std::int64_t{1} : static_cast<std::int64_t>(unit->factor);
  const std::optional<std::int64_t> value = whole(*number, shift, factor);
  if (!value) {
    if (const auto size = to_double(*number, shift); !size || *size * static_cast<double>(factor) >= 9.2e18)
      refuse_range(text);
    throw Error(fmt::format("{} is not a whole number", text), {}, {});
  }
  return *value;
}

double parse_ratio(std::string_view written) {
  const std::string_view text = trimmed(written);
  std::string_view rest = text;
  const std::optional<Decimal> number = take_decimal(rest);
  if (!number) refuse_number(text, "a ratio", "0.02 or 2%");
  rest = trimmed(rest);
  if (!rest.empty() && rest != "%") {
    throw Error(fmt::format("{}: a ratio has no unit", text), {}, "for example 0.02 or 2%");
  }
  refuse_negative(*number, text, "a ratio");
  const std::optional<double> value = to_double(*number, rest.empty() ? 0 : -2);
  if (!value) refuse_range(text);
  return *value;
}

double parse_number(std::string_view written) {
  const std::string_view text = trimmed(written);
  std::string_view rest = text;
  const std::optional<Decimal> number = take_decimal(rest);
  if (!number) refuse_number(text, "a number", "2.5");
  if (!trimmed(rest).empty())
    throw Error(fmt::format("{}: this number is bare, without a unit", text), {}, "for example 2.5");
  refuse_negative(*number, text, "this number");
  const std::optional<double> value = to_double(*number, 0);
  if (!value) refuse_range(text);
  return *value;
}

std::string format_duration(Duration value) { return format_with_unit(durations, value.si()); }
std::string format_bytes(Bytes value) { return format_with_unit(sizes, value.si()); }

std::string format_bytes_shortest(Bytes value) {
  std::string best = format_bytes(value);
  for (const Unit& unit : std::span(table_of_bytes).subspan(sizes.formats)) {
    if (value.si() < unit.factor) continue;
    const std::string text = fmt::format("{} {}", to_text(shortest(value.si() / unit.factor)), unit.name);
    if (text.size() < best.size()) best = text;
  }
  return best;
}

std::string format_bandwidth(Bandwidth value) { return format_with_unit(bandwidths, value.si()); }
std::string format_flop_rate(FlopRate value) { return format_with_unit(flop_rates, value.si()); }
std::string format_power(Power value) { return format_with_unit(powers, value.si()); }
std::string format_count(std::int64_t value) { return fmt::format("{}", value); }
std::string format_number(double value) { return to_text(shortest(value)); }

std::string format_ratio(double value) {
  Decimal number = shortest(value);
  if (!number.zero()) number.exponent += 2;
  return to_text(number) + "%";
}

namespace {

std::vector<std::string_view> names_in(std::span<const Unit> units) {
  std::vector<std::string_view> names;
  for (const Unit& unit : units) names.push_back(unit.name);
  return names;
}

}  // namespace

std::vector<std::string_view> duration_units() { return names_in(durations.units); }
std::vector<std::string_view> bytes_units() { return names_in(sizes.units); }
std::vector<std::string_view> bandwidth_units() { return names_in(bandwidths.units); }
std::vector<std::string_view> flop_rate_units() { return names_in(flop_rates.units); }
std::vector<std::string_view> power_units() { return names_in(powers.units); }
std::vector<std::string_view> count_endings() { return names_in(table_of_counts); }

std::string duration_pattern() { return pattern_of(durations); }
std::string bytes_pattern() { return pattern_of(sizes); }
std::string bandwidth_pattern() { return pattern_of(bandwidths); }
std::string flop_rate_pattern() { return pattern_of(flop_rates); }
std::string power_pattern() { return pattern_of(powers); }
std::string count_pattern() { return "^[+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *(K|M|G|Ki|Mi|Gi)?$"; }
std::string ratio_pattern() { return "^[+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *%?$"; }

}  // namespace ringsim::scenarios
