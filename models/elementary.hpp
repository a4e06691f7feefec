#pragma once
// exp and ln of our own, so that a random draw has the same bits with every compiler and library: additions, multiplications
// and divisions alone, each correctly rounded (IEEE 754), in the order written down (-ffp-contract=off). Within 1 ulp or so.
//
//   exp x   x = k·ln 2 + r, |r| ≤ ln 2 / 2;   2^k · (1 + (r + Σ_{n=2..13} rⁿ/n!)): the next term is below 2^-57
//   ln x    x = 2^k · m, √½ ≤ m < √2;   f = m − 1, s = f / (2 + f), ln m = 2·artanh s = f − (h − s·(h + R)),
//           h = f²/2, R = Σ_{n=1..10} 2·s^(2n) / (2n + 1): s² ≤ 0.0295, so the next term is below 2^-58
//
// Cody and Waite, "Software Manual for the Elementary Functions" (1980), for the reductions; the form of ln is that of
// fdlibm's e_log.c. exp_of_moderate and log_of_normal have no branches: compilers can make vector instructions of loops that call them.
// x^y of x > 0 is exp(y · ln x), as good as y · ln x is: |y · ln x| ulp.

#include "models/clones.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <numbers>

namespace ringsim::elementary {

namespace detail {
// ln 2 in two parts: the first is ⌊2^40 · ln 2⌋ / 2^40, so that its product with an exponent is exact.
inline constexpr double ln2_high = 762123384785.0 * 0x1p-40;
inline constexpr double ln2_low = 0x1.9ef35793c7673p-41;
// 1.5 · 2^52: adding it to a small number leaves the nearest integer in the low bits, subtracting it again gives it back.
inline constexpr double rounder = 0x1.8p52;

/// 2^n of an integer n in [-1022, 1023].
RINGSIM_IN_CLONES double power_of_two(double n) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(n + (rounder + 1023.0)) << 52U);
}
}  // namespace detail

namespace detail {
/// e^x = m · 2^k.
struct Scaled {
  double m;
  double k;
};
RINGSIM_IN_CLONES Scaled exp_scaled(double x) {
  const double k = (x * std::numbers::log2e + rounder) - rounder;
  const double r = (x - k * ln2_high) - k * ln2_low;
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  return {1.0 + (r + (r * r) * p), k};
}
}  // namespace detail

/// e^x for |x| ≤ 700: without a branch, for arrays.
RINGSIM_IN_CLONES double exp_of_moderate(double x) {
  const detail::Scaled e = detail::exp_scaled(x);
  return e.m * detail::power_of_two(e.k);
}

/// e^x; 0 below -745.2, infinity above 709.8; NaN for NaN. Denormal results are rounded twice.
inline double exp(double x) {
  // Beyond these the result stays what it is; within, two factors hold the exponent, which runs from -1076 to 1024.
  if (x < -746.0) return 0.0;
  if (x > 710.0) return std::numeric_limits<double>::infinity();
  const detail::Scaled e = detail::exp_scaled(x);
  const double half = (e.k * 0.5 + detail::rounder) - detail::rounder;
  return (e.m * detail::power_of_two(half)) * detail::power_of_two(e.k - half);
}

/// ln of a positive, normal and finite x: without a branch, for arrays.
RINGSIM_IN_CLONES double log_of_normal(double x) {
  constexpr std::uint64_t one = 0x3ff0000000000000U;
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdU;  // bits of √½
  constexpr std::uint64_t mantissa = 0x000fffffffffffffU;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) + (one - root_half);
  const double m = std::bit_cast<double>((bits & mantissa) + root_half);
  const double k = std::bit_cast<double>((bits >> 52U) | 0x4330000000000000U) - (0x1p52 + 1023.0);
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double t = s * s;
  double r = 2.0 / 21.0;
  r = r * t + 2.0 / 19.0;
  r = r * t + 2.0 / 17.0;
  r = r * t + 2.0 / 15.0;
  r = r * t + 2.0 / 13.0;
  r = r * t + 2.0 / 11.0;
  r = r * t + 2.0 / 9.0;
  r = r * t + 2.0 / 7.0;
  r = r * t + 2.0 / 5.0;
  r = r * t + 2.0 / 3.0;
  r = r * t;
  const double h = 0.5 * f * f;
  return k * detail::ln2_high - ((h - (s * (h + r) + k * detail::ln2_low)) - f);
}

/// ln x; −∞ for 0, NaN below it and for NaN, ∞ for ∞.
inline double log(double x) {
  using limits = std::numeric_limits<double>;
  if (x >= limits::min() && x <= limits::max()) return log_of_normal(x);
  if (x == 0.0) return -limits::infinity();
  if (x > 0.0 &&
      x < limits::min()) {  // denormal: log(2^54 x) − 54 ln 2, where x is so small that this is no cancellation
    return (log_of_normal(x * 0x1p54) - 54.0 * detail::ln2_high) - 54.0 * detail::ln2_low;
  }
  return x > 0.0 ? x : limits::quiet_NaN();
}

}  // namespace ringsim::elementary
