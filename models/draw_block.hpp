#pragma once
// Random factors of a block of neighbouring ranks at once (models/jitter.hpp has the formulas). Every stage is a loop over arrays without
// a branch, so that compilers make vector instructions of it, and gives each element the bits that it gets alone.
//
// Of the normal quantile's three ranges all elements take the first, the 85 % that are in the middle. The others are gathered, take the
// second side by side, and are put back. The third, beyond 7 deviations, is left once in 10^11 draws; it is set right one by one.
//
// Loops run over whole vectors of instructions: what is beyond the elements asked for is drawn, too, and nobody's.

#include "models/clones.hpp"
#include "models/counter_random.hpp"
#include "models/elementary.hpp"
#include "models/noise.hpp"
#include "models/normal_quantile.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ringsim::draw_block {

inline constexpr std::size_t block = 256;
using Block = std::array<double, block>;

/// Doubles of the widest vector; `count` rounded up to whole ones.
inline constexpr std::size_t vector_width = 16;
constexpr std::size_t whole_vectors(std::size_t count) {
  return (count + vector_width - 1) / vector_width * vector_width;
}

RINGSIM_IN_CLONES double normal_factor(double z, double spread) { return std::max(1.0 + spread * z, 1.0 / 16.0); }

RINGSIM_IN_CLONES double lognormal_factor(double z, double deviation) {
  return elementary::exp_of_moderate(deviation * z - 0.5 * deviation * deviation);
}

RINGSIM_IN_CLONES double pareto_factor(double u, double spread, double tail) {
  const double excess = elementary::exp_of_moderate(-elementary::log_of_normal(1.0 - u) / tail) - 1.0;
  return 1.0 + spread * (tail - 1.0) * excess;
}

RINGSIM_IN_CLONES void uniforms(std::uint64_t operation, std::uint64_t first, std::size_t n, double* __restrict u) {
  for (std::size_t i = 0; i < n; ++i) {
    u[i] = counter_random::uniform(counter_random::bits(operation, first + i));
  }
}

/// z = Φ⁻¹(u) of `n` elements, whole vectors of them.
RINGSIM_IN_CLONES void normals(const double* __restrict u, std::size_t n, double* __restrict z) {
  for (std::size_t i = 0; i < n; ++i) z[i] = normal_quantile_centre(u[i]);
  std::array<std::uint8_t, block> outside;
  alignas(64) Block p;
  alignas(64) Block r;
  alignas(64) Block tail;
  std::size_t found = 0;
  for (std::size_t word = 0; word < n; word += 64) {
    const std::size_t end = std::min(n, word + 64);
    std::uint64_t set = 0;
    for (std::size_t i = word; i < end; ++i) {
      set |= (in_normal_centre(u[i]) ? std::uint64_t{0} : std::uint64_t{1}) << (i - word);
    }
    for (; set != 0; set &= set - 1) {
      const std::size_t at = word + static_cast<std::size_t>(std::countr_zero(set));
      p[found] = u[at];
      outside[found++] = static_cast<std::uint8_t>(at);
    }
  }
  const std::size_t whole = whole_vectors(found);
  for (std::size_t i = found; i < whole; ++i) p[i] = 0.05;  // any of the tail
  for (std::size_t i = 0; i < whole; ++i) r[i] = normal_tail_variable(p[i]);
  for (std::size_t i = 0; i < whole; ++i) tail[i] = normal_quantile_near_tail(p[i], r[i]);
  for (std::size_t i = 0; i < found; ++i) {
    z[outside[i]] = in_normal_near_tail(r[i]) ? tail[i] : normal_quantile_far_tail(p[i], r[i]);
  }
}

/// Factors of ranks `first` to first + count - 1, at most a block, into z[0] to z[count - 1]; `deviation` is the lognormal's s.
RINGSIM_IN_CLONES void factors(const Jitter& jitter, double deviation, std::uint64_t operation, std::uint64_t first,
                               std::size_t count, Block& z) {
  alignas(64) Block u;
  const std::size_t n = whole_vectors(count);
  uniforms(operation, first, n, u.data());
  if (jitter.distribution == Distribution::pareto) {
    for (std::size_t i = 0; i < n; ++i) z[i] = pareto_factor(u[i], jitter.spread, jitter.tail);
    return;
  }
  normals(u.data(), n, z.data());
  if (jitter.distribution == Distribution::normal) {
    for (std::size_t i = 0; i < n; ++i) z[i] = normal_factor(z[i], jitter.spread);
  } else {
    for (std::size_t i = 0; i < n; ++i) z[i] = lognormal_factor(z[i], deviation);
  }
}

}  // namespace ringsim::draw_block
