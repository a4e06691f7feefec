#pragma once
// Numbers in the sentences that sim/ writes for people.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>

namespace ringsim::sim::phrases {

/// Three significant digits, never an exponent: "1,880", "48.8", "0.172".
inline std::string number(double v) {
  if (v >= 1000) {
    const double unit = std::pow(10.0, std::floor(std::log10(v)) - 2);
    return fmt::format("{}", fmt::group_digits(static_cast<std::int64_t>(std::round(v / unit) * unit)));
  }
  return fmt::format("{:.3g}", v);
}

/// The same, rounded up: for what is needed at least.
inline std::string at_least(double v) {
  const double unit = std::pow(10.0, std::floor(std::log10(v)) - 2);
  return number(std::ceil(v / unit * (1.0 - 1e-9)) * unit);
}

inline std::string time(double s) {
  if (s < 1e-3) return number(s * 1e6) + " us";
  if (s < 1.0) return number(s * 1e3) + " ms";
  return number(s) + " s";
}

inline std::string bandwidth(double bytes_per_s) { return number(bytes_per_s / 1e9) + " GB/s"; }

inline std::string bytes(double v) {
  if (v < 1e3) return number(v) + " B";
  if (v < 1e6) return number(v / 1e3) + " kB";
  if (v < 1e9) return number(v / 1e6) + " MB";
  return number(v / 1e9) + " GB";
}

inline std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

/// 1,048,576
inline std::string count(std::int64_t n) { return fmt::format("{}", fmt::group_digits(n)); }

/// Tokens rounded up; what a search leaves beyond a whole number is not a token.
inline std::string whole_tokens(double tokens) {
  return count(static_cast<std::int64_t>(std::ceil(tokens * (1.0 - 1e-9))));
}

}  // namespace ringsim::sim::phrases
