#pragma once
// Number formats of the tensors and their sizes.

#include <string_view>

namespace ringsim {

/// Element type of Q, K, V and O on the wire and in the kernels.
enum class Dtype { bf16, fp16, fp8 };

/// Element type of a gradient accumulator that travels around the ring (dK/dV or dQ).
enum class GradientDtype { bf16, fp32 };

constexpr double bytes_per_element(Dtype dtype) { return dtype == Dtype::fp8 ? 1.0 : 2.0; }
constexpr double bytes_per_element(GradientDtype dtype) { return dtype == GradientDtype::bf16 ? 2.0 : 4.0; }

constexpr std::string_view name_of(Dtype dtype) {
  return dtype == Dtype::bf16 ? "bf16" : dtype == Dtype::fp16 ? "fp16" : "fp8";
}
constexpr std::string_view name_of(GradientDtype dtype) { return dtype == GradientDtype::bf16 ? "bf16" : "fp32"; }

}  // namespace ringsim
