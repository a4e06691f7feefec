#pragma once
// Number formats of the tensors and their sizes.

#include <string_view>

namespace ringsim {

/// Element type of Q, K, V and O on the wire and in the kernels.
/// fp32 and fp64 are what executors on CPUs compute in.
enum class Dtype { bf16, fp16, fp8, fp32, fp64 };

/// Element type of a gradient accumulator that travels around the ring (dK/dV or dQ).
enum class GradientDtype { bf16, fp32, fp64 };

constexpr double bytes_per_element(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp8:
      return 1.0;
    case Dtype::fp32:
      return 4.0;
    case Dtype::fp64:
      return 8.0;
    default:
      return 2.0;
  }
}
constexpr double bytes_per_element(GradientDtype dtype) {
  return dtype == GradientDtype::bf16 ? 2.0 : dtype == GradientDtype::fp32 ? 4.0 : 8.0;
}
/// Of accumulators that stay and of softmax statistics: fp32, or fp64 where the tensors are.
constexpr double accumulator_bytes(Dtype dtype) { return dtype == Dtype::fp64 ? 8.0 : 4.0; }

constexpr std::string_view name_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::bf16:
      return "bf16";
    case Dtype::fp16:
      return "fp16";
    case Dtype::fp8:
      return "fp8";
    case Dtype::fp32:
      return "fp32";
    case Dtype::fp64:
      break;
  }
  return "fp64";
}
constexpr std::string_view name_of(GradientDtype dtype) {
  return dtype == GradientDtype::bf16 ? "bf16" : dtype == GradientDtype::fp32 ? "fp32" : "fp64";
}

}  // namespace ringsim
