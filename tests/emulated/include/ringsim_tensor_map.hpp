#pragma once
// Tensor maps on the CPU: what the emulated copies read is the description itself, held to the rules of
// cuTensorMapEncodeTiled.

#include "kernels/cuda/hopper/tensor_box.hpp"
#include "models/error.hpp"

#include <cstdint>

namespace ringsim::cuda {

using TensorMap = TensorBox;

inline TensorMap encode(const TensorBox& tensor) {
  const auto require = [](bool holds, const char* rule) {
    if (!holds) throw Error("tensor map", {}, rule);
  };
  require(tensor.base != nullptr && reinterpret_cast<std::uintptr_t>(tensor.base) % 16 == 0,
          "an address that is a multiple of 16");
  for (const auto size : tensor.size) require(size >= 1 && size <= (std::uint64_t{1} << 32U), "sizes of 1 to 2^32");
  for (const auto stride : tensor.stride_bytes) {
    require(stride % 16 == 0 && stride < (std::uint64_t{1} << 40U), "strides that are multiples of 16 and below 2^40");
  }
  for (const auto size : tensor.box) require(size >= 1 && size <= 256, "boxes of 1 to 256");
  require(tensor.box[0] * sizeof(Bf16) == 128 && tensor.box[2] == 1, "boxes with rows of 128 bytes, of one head");
  return tensor;
}

}  // namespace ringsim::cuda
