#include "reports/charts/ticks.hpp"

#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace ringsim::reports {
namespace {

constexpr double noise = 1e-9;  // of a step: a mark at the end of an axis is on it

/// Plain decimal text of mantissa · 10^exponent; powers of ten where it would be long.
std::string decade_text(int mantissa, int exponent) {
  if (exponent >= 0 && exponent <= 5) {
    std::int64_t value = mantissa;
    for (int i = 0; i < exponent; ++i) value *= 10;
    return human_count(value);
  }
  if (exponent < 0 && exponent >= -4) return fmt::format("{:.{}f}", mantissa * std::pow(10.0, exponent), -exponent);
  return fmt::format("{}e{}", mantissa, exponent);
}

/// Commas between thousands of "1234.5".
std::string with_thousands(const std::string& plain) {
  const std::size_t point = plain.find('.');
  const std::string whole = plain.substr(0, point);
  if (whole.size() > 15) return plain;
  const bool negative = whole.starts_with('-');
  std::string text = human_count(std::stoll(negative ? whole.substr(1) : whole));
  return (negative ? "-" : "") + text + (point == std::string::npos ? "" : plain.substr(point));
}

template <std::size_t Count>
AxisUnit largest_filled(double most, const std::array<AxisUnit, Count>& units) {
  for (const AxisUnit& unit : units) {
    if (most >= unit.size * (1 - noise)) return unit;
  }
  return units.back();
}

}  // namespace

AxisUnit axis_unit(Quantity quantity, double most) {
  static const std::array<AxisUnit, 6> times = {
      {{7200.0, "h"}, {600.0, "min"}, {1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  static const std::array<AxisUnit, 6> sizes = {
      {{1e15, "PB"}, {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1.0, "B"}}};
  static const std::array<AxisUnit, 4> rates = {{{1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1.0, "B/s"}}};
  switch (quantity) {
    case Quantity::seconds: {
      if (most <= 0) return {1, "s"};
      AxisUnit unit = largest_filled(most, times);
      // Hours and minutes begin where two of them or ten fill the axis.
      if (unit.name == "h") unit.size = 3600;
      if (unit.name == "min") unit.size = 60;
      return unit;
    }
    case Quantity::bytes:
      return most <= 0 ? AxisUnit{1, "B"} : largest_filled(most, sizes);
    case Quantity::bytes_per_second:
      return most <= 0 ? AxisUnit{1, "B/s"} : largest_filled(most, rates);
    case Quantity::fraction:
      return {0.01, "%"};
    case Quantity::number:
    case Quantity::count:
    case Quantity::money:
      break;
  }
  return {};
}

std::string axis_label(const ChartAxis& axis, const AxisUnit& unit) {
  return unit.name.empty() ? axis.label : fmt::format("{} [{}]", axis.label, unit.name);
}

std::vector<Tick> linear_ticks(double low, double high, std::size_t most, const AxisUnit& unit) {
  const double from = low / unit.size;
  const double span = high / unit.size - from;
  if (!(span > 0)) return {};
  int exponent = static_cast<int>(std::floor(std::log10(span))) - 2;
  for (; exponent < 400; ++exponent) {
    for (const int mantissa : {1, 2, 5}) {
      const double step = mantissa * std::pow(10.0, exponent);
      const double first = std::ceil(from / step - noise);
      const double last = std::floor((from + span) / step + noise);
      if (last - first + 1 > static_cast<double>(std::max<std::size_t>(most, 2))) continue;
      std::vector<Tick> ticks;
      for (double k = first; k <= last; ++k) {
        const double value = k * step;
        std::string text = std::abs(value) >= 1e15
                               ? fmt::format("{:g}", value)
                               : with_thousands(fmt::format("{:.{}f}", k == 0 ? 0.0 : value, std::max(0, -exponent)));
        ticks.push_back({value * unit.size, std::move(text)});
      }
      return ticks;
    }
  }
  return {};
}

std::vector<Tick> log_ticks(double low, double high, std::size_t most, const AxisUnit& unit) {
  const double from = low / unit.size * (1 - noise);
  const double to = high / unit.size * (1 + noise);
  const int first = static_cast<int>(std::floor(std::log10(from)));
  const int last = static_cast<int>(std::floor(std::log10(to)));
  const auto marks = [&](std::span<const int> mantissas, int every) {
    std::vector<Tick> ticks;
    for (int exponent = first; exponent <= last; ++exponent) {
      if (exponent % every != 0) continue;
      for (const int mantissa : mantissas) {
        const double value = mantissa * std::pow(10.0, exponent);
        if (value >= from && value <= to) ticks.push_back({value * unit.size, decade_text(mantissa, exponent)});
      }
    }
    return ticks;
  };
  constexpr std::array<int, 9> all = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  constexpr std::array<int, 3> some = {1, 2, 5};
  constexpr std::array<int, 1> decades = {1};
  std::vector<Tick> ticks = marks(some, 1);
  // Less than an octave may hold none of 1, 2 and 5.
  if (ticks.size() < 2) ticks = marks(all, 1);
  if (ticks.size() < 2) return linear_ticks(low, high, most, unit);
  for (int every = 1; ticks.size() > std::max<std::size_t>(most, 2) && every <= 200; ++every) {
    std::vector<Tick> fewer = marks(decades, every);
    if (fewer.size() < 2) break;
    ticks = std::move(fewer);
  }
  return ticks;
}

std::vector<Tick> doubling_ticks(double low, double high, std::size_t most) {
  const int first = static_cast<int>(std::ceil(std::log2(low) - noise));
  const int last = static_cast<int>(std::floor(std::log2(high) + noise));
  const int every =
      std::max(1, static_cast<int>(std::ceil((last - first + 1) / std::max(2.0, static_cast<double>(most)))));
  std::vector<Tick> ticks;
  for (int k = first; k <= last; k += every) {
    const double value = std::ldexp(1.0, k);
    ticks.push_back(
        {value, k >= 0 && k < 50 ? human_count(static_cast<std::int64_t>(value)) : fmt::format("{:g}", value)});
  }
  return ticks;
}

bool are_powers_of_two(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) {
    int exponent = 0;
    return value > 0 && std::frexp(value, &exponent) == 0.5;
  });
}

std::vector<Tick> axis_ticks(const ChartAxis& axis, double low, double high, std::size_t most, const AxisUnit& unit,
                             bool doubling) {
  if (axis.scale == Scale::linear) {
    const bool counts = axis.quantity == Quantity::count;
    if (counts && high - low + 1 < static_cast<double>(most)) most = static_cast<std::size_t>(high - low + 1);
    std::vector<Tick> ticks = linear_ticks(low, high, most, unit);
    if (counts) {
      std::erase_if(ticks, [](const Tick& tick) { return std::nearbyint(tick.value) != tick.value; });
    }
    return ticks;
  }
  if (doubling) {
    std::vector<Tick> ticks = doubling_ticks(low, high, most);
    if (ticks.size() > 1) return ticks;
  }
  return log_ticks(low, high, most, unit);
}

std::string in_axis_unit(double value, const AxisUnit& unit) {
  const double scaled = value / unit.size;
  if (scaled == 0) return "0";
  const double size = std::abs(scaled);
  if (size >= 1e6 || size < 1e-3) return fmt::format("{:.2g}", scaled);
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return with_thousands(fmt::format("{:.{}f}", scaled, decimals));
}

std::string like_largest(double value, double most, const AxisUnit& unit) {
  const double largest = std::abs(most / unit.size);
  if (largest >= 1e15) return fmt::format("{:.3g}", value / unit.size);
  const int decimals = largest >= 99.95 ? 0 : largest >= 9.995 ? 1 : largest >= 0.9995 ? 2 : 3;
  return with_thousands(fmt::format("{:.{}f}", value / unit.size, decimals));
}

}  // namespace ringsim::reports
