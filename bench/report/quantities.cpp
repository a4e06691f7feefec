#include "bench/report/quantities.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace ringsim::bench {
namespace {

// Three digits of 1 <= value < 1000. What would round up to a fourth has none after the point.
std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

struct Prefix {
  double factor;
  std::string_view name;
};

// The largest prefix of which there is one at least, after rounding to three digits; else the last.
template <std::size_t count>
std::string with_prefix(double value, const std::array<Prefix, count>& prefixes) {
  for (const Prefix& prefix : prefixes) {
    const double scaled = value / prefix.factor;
    if (scaled >= 0.9995 || &prefix == &prefixes.back()) {
      return fmt::format("{}{}{}", three_digits(scaled), prefix.name.empty() ? "" : " ", prefix.name);
    }
  }
  return {};
}

}  // namespace

std::string time_text(double seconds) {
  static constexpr std::array prefixes = {Prefix{1, "s"}, Prefix{1e-3, "ms"}, Prefix{1e-6, "us"}, Prefix{1e-9, "ns"}};
  return with_prefix(seconds, prefixes);
}

std::string count_text(double count) {
  static constexpr std::array prefixes = {Prefix{1e12, "T"}, Prefix{1e9, "G"}, Prefix{1e6, "M"}, Prefix{1e3, "k"},
                                          Prefix{1, ""}};
  return with_prefix(count, prefixes);
}

std::string ratio_text(double ratio) {
  if (!(ratio >= 999.5)) return ratio == 0 || ratio >= 0.1 ? three_digits(ratio) : fmt::format("{:.3g}", ratio);
  std::string digits = fmt::format("{:.0f}", ratio);
  if (!std::isfinite(ratio)) return digits;
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

std::string bytes_text(double bytes) {
  static constexpr std::array units = {"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", bytes, units[unit]);
}

}  // namespace ringsim::bench
