#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace ringsim::reports {
namespace {

constexpr double most_plain = 1e15;  // from here on, powers of ten

/// Commas between thousands of the whole part of a plain decimal number.
std::string with_commas(std::string text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  const std::size_t point = text.find('.');
  std::size_t at = point == std::string::npos ? text.size() : point;
  while (at > first + 3) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

/// `digits` significant digits in plain notation; value at least 1e-4 or zero.
std::string significant(double value, int digits) {
  if (value == 0.0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  int decimals = digits - 1 - exponent;
  if (decimals < 0) {
    const double unit = std::pow(10.0, -decimals);
    value = std::round(value / unit) * unit;
    decimals = 0;
  }
  std::string text = fmt::format("{:.{}f}", value, decimals);
  // 9.9996 has become "10.000": one digit too many.
  const double rounded = std::strtod(text.c_str(), nullptr);
  if (decimals > 0 && std::abs(rounded) >= std::pow(10.0, exponent + 1)) {
    text = fmt::format("{:.{}f}", value, decimals - 1);
  }
  return with_commas(std::move(text));
}

struct Unit {
  double size;
  std::string_view name;
};

/// The largest unit that the value fills once rounded, else the smallest.
template <std::size_t Count>
std::string in_units(double value, const std::array<Unit, Count>& units) {
  if (!std::isfinite(value)) return fmt::format("{} {}", value, units.back().name);
  if (value == 0.0) return fmt::format("0 {}", units.back().name);
  // Nobody reads a number of hours with hundreds of digits.
  if (std::abs(value) >= units.front().size * 1e6) {
    return fmt::format("{:.3e} {}", value / units.front().size, units.front().name);
  }
  for (const Unit& unit : units) {
    if (std::abs(value) >= unit.size * 0.99995)
      return fmt::format("{} {}", significant(value / unit.size, 4), unit.name);
  }
  const double smallest = value / units.back().size;
  if (std::abs(smallest) < 1e-4) return fmt::format("{:.3g} {}", smallest, units.back().name);
  return fmt::format("{} {}", significant(smallest, 4), units.back().name);
}

/// Three significant digits, rounded in the direction asked for.
std::string factor_text(double factor, bool up) {
  if (!std::isfinite(factor) || factor <= 0.0) return fmt::format("{}", factor);
  if (factor >= most_plain) return fmt::format("{:.2e}", up ? factor * 1.005 : factor / 1.005);
  const int decimals = std::max(0, 2 - static_cast<int>(std::floor(std::log10(factor))));
  const double scale = std::pow(10.0, decimals);
  // 1.13 * 100 is 112.99999999999999: not to be taken for less than 113.
  const double noise = 4.0 * std::numeric_limits<double>::epsilon();
  const double whole = up ? std::ceil(factor * scale * (1.0 - noise)) : std::floor(factor * scale * (1.0 + noise));
  return with_commas(fmt::format("{:.{}f}", whole / scale, decimals));
}

}  // namespace

std::string human_count(std::int64_t value) { return with_commas(fmt::format("{}", value)); }

std::string human_number(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double size = std::abs(value);
  if (value != 0.0 && (size < 1e-4 || size >= most_plain)) return fmt::format("{:.3e}", value);
  return significant(value, 4);
}

std::string human_money(double value) {
  return std::isfinite(value) && std::abs(value) >= 1.0 && std::abs(value) < most_plain
             ? with_commas(fmt::format("{:.2f}", value))
             : human_number(value);
}

std::string human_time(double seconds) {
  constexpr std::array<Unit, 3> long_units = {{{3600.0, "h"}, {60.0, "min"}, {1.0, "s"}}};
  constexpr std::array<Unit, 4> short_units = {{{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  if (seconds == 0.0) return "0 s";
  return std::abs(seconds) >= 600.0 ? in_units(seconds, long_units) : in_units(seconds, short_units);
}

std::string human_bytes(Bytes size) {
  constexpr std::array<Unit, 6> units = {
      {{1e15, "PB"}, {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1.0, "B"}}};
  return in_units(in_bytes(size), units);
}

std::string human_bandwidth(Bandwidth bandwidth) {
  constexpr std::array<Unit, 5> units = {{{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1.0, "B/s"}}};
  // Links are compared in GB/s, whatever their size.
  if (in_bytes_per_second(bandwidth) >= 1e12) return significant(in_gigabytes_per_second(bandwidth), 4) + " GB/s";
  return in_units(in_bytes_per_second(bandwidth), units);
}

std::string human_rate(FlopRate rate) {
  constexpr std::array<Unit, 4> units = {{{1e15, "PFLOP/s"}, {1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1.0, "FLOP/s"}}};
  if (in_flop_per_second(rate) >= 1e15) return significant(in_teraflop_per_second(rate), 4) + " TFLOP/s";
  return in_units(in_flop_per_second(rate), units);
}

std::string human_energy(double joules) {
  constexpr double watt_hour = 3600.0;  // [J]
  constexpr std::array<Unit, 5> units = {
      {{watt_hour * 1e9, "GWh"}, {watt_hour * 1e6, "MWh"}, {watt_hour * 1e3, "kWh"}, {watt_hour, "Wh"}, {1.0, "J"}}};
  return in_units(joules, units);
}

std::string human_percent(double fraction) {
  const double percent = fraction * 100.0;
  if (percent > 0.0 && percent < 0.05) return "<0.1 %";
  if (percent < 100.0 && percent >= 99.95) return ">99.9 %";
  return fmt::format("{:.1f} %", percent);
}

std::string human_signed_percent(double fraction) {
  const double percent = fraction * 100.0;
  if (percent != 0.0 && std::abs(percent) < 0.05) return "±<0.1 %";
  if (percent == 0.0) return "0.0 %";
  return (percent > 0.0 ? "+" : "") + with_commas(fmt::format("{:.1f}", percent)) + " %";
}

std::string human_tokens_up(double tokens) {
  if (!std::isfinite(tokens)) return fmt::format("{}", tokens);
  if (std::abs(tokens) >= most_plain) return fmt::format("{:.3e}", tokens * 1.0005);  // as far as rounding goes, up
  std::string text = fmt::format("{:.1f}", tokens);
  const double noise = 1e-9 * std::abs(tokens);
  const double printed = std::strtod(text.c_str(), nullptr);
  if (printed + noise < tokens) text = fmt::format("{:.1f}", printed + 0.1);
  return with_commas(std::move(text));
}

std::string human_factor_down(double factor) { return factor_text(factor, false); }
std::string human_factor_up(double factor) { return factor_text(factor, true); }

std::string exact(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

}  // namespace ringsim::reports
