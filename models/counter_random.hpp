#pragma once
// Random numbers that are a function of what they are for: a chain of names and indices is hashed, with no state to advance.
//
//   γ = 0x9e3779b97f4a7c15 (2^64 / golden ratio, odd)
//   mix(z)       SplitMix64's finaliser (Steele, Lea, Flood, OOPSLA 2014, §4; constants: Stafford's variant 13)
//   absorb(h, v) = mix((h ⊕ v) + γ)            one more index: a bijection of v for every h
//   bits(h, i)   = mix(h + (i + 1)·γ)          the i-th output of SplitMix64 seeded with h
//   uniform      = (⌊bits / 2^12⌋ + ½) / 2^52  exact in double, never 0 or 1, and so is 1 − u
//
// Arithmetic modulo 2^64. Not for secrets: the finaliser can be inverted.

#include "models/clones.hpp"

#include <bit>
#include <cstdint>
#include <string_view>

namespace ringsim::counter_random {

inline constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15U;

RINGSIM_IN_CLONES constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

constexpr std::uint64_t absorb(std::uint64_t hash, std::uint64_t value) { return mix((hash ^ value) + gamma); }

/// A name as a number: FNV-1a, 64 bits.
constexpr std::uint64_t number_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

RINGSIM_IN_CLONES constexpr std::uint64_t bits(std::uint64_t hash, std::uint64_t index) {
  return mix(hash + (index + 1) * gamma);
}

/// In (0, 1), from 64 bits. The upper 52 become the mantissa of a number in [1, 2).
RINGSIM_IN_CLONES double uniform(std::uint64_t bits) {
  return (std::bit_cast<double>((bits >> 12U) | 0x3ff0000000000000U) - 1.0) + 0x1p-53;
}

}  // namespace ringsim::counter_random
