#pragma once
// What the copying unit (TMA) must know of a tensor: where it lies, how far it goes, and which part of it one copy
// takes.

#include "kernels/cuda/bf16.hpp"
#include "kernels/cuda/views.hpp"

#include <array>
#include <cstdint>

namespace ringsim::cuda {

/// A bf16 tensor [head][row][dim] in global memory, and boxes of it, [1][box_rows][box_dim], that go to shared memory,
/// row after row, swizzled by 128 bytes. The three dimensions are the tensor's own, so that a box beyond a head's last
/// row is filled with zeros and not with the next head's rows.
struct TensorBox {
  const Bf16* base = nullptr;                   // a multiple of 16
  std::array<std::uint64_t, 3> size{};          // dim, rows, heads
  std::array<std::uint64_t, 2> stride_bytes{};  // of rows, of heads; multiples of 16
  std::array<std::uint32_t, 3> box{};           // dim, rows, 1; a row of a box is 128 bytes
};

/// Boxes of 64 columns, which are 128 bytes.
[[nodiscard]] inline TensorBox boxes_of(const View<const Bf16>& tensor, int box_rows) {
  const auto row_bytes = static_cast<std::uint64_t>(tensor.dim) * sizeof(Bf16);
  // The distance of a single head from the next may be anything.
  const std::int64_t head_stride = tensor.heads > 1 ? tensor.head_stride : tensor.rows * tensor.dim;
  return {tensor.data,
          {static_cast<std::uint64_t>(tensor.dim), static_cast<std::uint64_t>(tensor.rows),
           static_cast<std::uint64_t>(tensor.heads)},
          {row_bytes, static_cast<std::uint64_t>(head_stride) * sizeof(Bf16)},
          {64, static_cast<std::uint32_t>(box_rows), 1}};
}

}  // namespace ringsim::cuda
