#pragma once
// Attention and its gradients in double precision on the host, by the formulas of kernels/cuda/attention.hpp and nothing else.

#include "tests/device/gpu.hpp"

#include <vector>

namespace ringsim::cuda::device_tests {

struct PlainAttention {
  std::vector<double> o, lse;      // [heads][queries][dim], [heads][queries]
  std::vector<double> dq, dk, dv;  // of one block of keys that is all keys there are
};

/// Of the operands' bf16 numbers, read back from the GPU.
[[nodiscard]] PlainAttention plain_attention(const Operands& operands);

}  // namespace ringsim::cuda::device_tests
