#pragma once
// TMA on the CPU: copies of boxes out of a tensor in global memory to shared memory (PTX ISA,
// "cp.async.bulk.tensor", tile mode, and "Swizzling Modes" of tensors).

#include "kernels/cuda/hopper/tensor_box.hpp"

#include <cstdint>

namespace ringsim::emulated {

/// Where the 128-byte swizzle puts what would lie at `address`: within each 1024 bytes, eight rows of 128, the 16-byte
/// chunk of row r changes from c to c xor r. Row and chunk are bits of the address itself: 7 to 9, and 4 to 6.
[[nodiscard]] constexpr std::uint32_t swizzle_128(std::uint32_t address) {
  return address ^ ((address >> 7U & 7U) << 4U);
}

/// Starts a copy of the tensor's box whose first element has these coordinates to shared memory at `to`. It proceeds at
/// random moments, after which its bytes, all of the box, are counted at the barrier. Elements outside of the tensor
/// are zero. Throws Error for what the hardware does not take.
void copy_box(std::uint32_t to, const cuda::TensorBox& tensor, std::uint32_t barrier, std::int32_t dim,
              std::int32_t row, std::int32_t head);

}  // namespace ringsim::emulated
