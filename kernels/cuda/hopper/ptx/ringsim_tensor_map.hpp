#pragma once
// Tensor maps: the 128 bytes that tell the copying unit (TMA) of a tensor, written by the driver. The emulation of a
// GPU replaces this header by one of the same name (tests/emulated/include).

#include "kernels/cuda/error.hpp"
#include "kernels/cuda/hopper/tensor_box.hpp"
#include "models/error.hpp"

#include <cuda.h>
#include <cuda_runtime.h>

#include <string>

namespace ringsim::cuda {

using TensorMap = CUtensorMap;

/// Throws Error where there is no driver or where it refuses: addresses and strides are multiples of 16 bytes.
/// Arithmetic on the host. The driver's function is found at run time, as libcuda is not linked.
inline TensorMap encode(const TensorBox& tensor) {
  static const auto function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result),
          "cudaGetDriverEntryPointByVersion(cuTensorMapEncodeTiled)");
    if (result != cudaDriverEntryPointSuccess || found == nullptr)
      throw Error("the driver has no cuTensorMapEncodeTiled");
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
  }();
  constexpr cuuint32_t element_strides[3] = {1, 1, 1};
  const cuuint64_t size[3] = {tensor.size[0], tensor.size[1], tensor.size[2]};
  const cuuint64_t strides[2] = {tensor.stride_bytes[0], tensor.stride_bytes[1]};
  const cuuint32_t box[3] = {tensor.box[0], tensor.box[1], tensor.box[2]};
  TensorMap map{};
  const CUresult status =
      function(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, const_cast<Bf16*>(tensor.base), size, strides, box,
               element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS) throw Error("cuTensorMapEncodeTiled: error " + std::to_string(static_cast<int>(status)));
  return map;
}

}  // namespace ringsim::cuda
