#pragma once
// How tiles lie in shared memory, and how wgmma is told (PTX ISA, wgmma: "Shared Memory Matrix Layout", "Matrix
// Descriptor Format").
//
// A tile of `rows` x 128 bf16 is two panels of rows x 64, one behind the other: a row of a panel is 128 bytes, the
// widest that the swizzle knows. Within each 1024 bytes (eight rows) the 16-byte chunk c of row r is stored as chunk c
// xor r, so that eight rows of one column lie in different banks. TMA writes that way and wgmma reads that way, both
// from bits of the address: panels must begin on 1024-byte boundaries, and nobody here computes a swizzled address.
//
// Q and K are read along their rows (k-major: k is the head dimension): eight rows are `stride` = 1024 bytes, and a
// step of 16 in k is 32 bytes further within the same rows. V is read across (MN-major: k is the key): the next eight
// keys are `stride` = 1024 bytes further, the next 64 columns `leading` = a panel, and a step of 16 keys is 2048 bytes.

#include "kernels/cuda/bf16.hpp"

#include <cstdint>

namespace ringsim::cuda {

constexpr std::uint32_t kRowBytes = 128;    // of a panel
constexpr std::uint32_t kAtomBytes = 1024;  // eight rows: what the swizzle repeats after

/// Bits 0 to 13 the address, 16 to 29 leading, 32 to 45 stride, each without its lowest four bits; 62 and 63 the
/// swizzle, 1: 128 bytes.
[[nodiscard]] RINGSIM_HOST_DEVICE constexpr std::uint64_t matrix_descriptor(std::uint32_t address,
                                                                            std::uint32_t leading_bytes,
                                                                            std::uint32_t stride_bytes) {
  return std::uint64_t{(address & 0x3ffffU) >> 4U} | std::uint64_t{leading_bytes >> 4U} << 16U |
         std::uint64_t{stride_bytes >> 4U} << 32U | std::uint64_t{1} << 62U;
}

/// The same matrix, further on by a multiple of 16 bytes.
[[nodiscard]] RINGSIM_HOST_DEVICE constexpr std::uint64_t further(std::uint64_t descriptor, std::uint32_t bytes) {
  return descriptor + (bytes >> 4U);
}

}  // namespace ringsim::cuda
