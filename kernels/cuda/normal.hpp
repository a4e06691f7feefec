#pragma once
// Random normal numbers that are the same on every machine.
//
// Number `index` of `seed`: the sum S of twelve 16-bit random integers u (Irwin-Hall), shifted and scaled:
//   x = (S − 12·32767.5) / 65536       mean 0, variance 12·(2³²−1)/12 / 2³² = 1 − 2⁻³², |x| <= 6
// S and the shift are integers and the scale is a power of two, so that x is exact in fp32: no logarithm or cosine whose last
// bit depends on a library. What a normal distribution has beyond ±6 (one number in 5·10⁸) is not there.

#include "kernels/cuda/bf16.hpp"

#include <cstdint>

namespace ringsim::cuda {

/// Splitmix64's mixing function (Steele, Lea, Flood 2014).
[[nodiscard]] RINGSIM_HOST_DEVICE inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

[[nodiscard]] RINGSIM_HOST_DEVICE inline float normal(std::uint64_t seed, std::uint64_t index) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  const std::uint64_t begin = mixed(seed + golden) + 3 * index * golden;
  std::int32_t sum = 0;
  for (std::uint64_t draw = 1; draw <= 3; ++draw) {
    std::uint64_t bits = mixed(begin + draw * golden);
    for (int part = 0; part < 4; ++part) {
      sum += static_cast<std::int32_t>(bits & 0xffffU);
      bits >>= 16U;
    }
  }
  // 2·S − 12·65535 is below 2²⁰, exact in fp32.
  return static_cast<float>(2 * sum - 12 * 65535) * (1.0F / 131072.0F);
}

}  // namespace ringsim::cuda
