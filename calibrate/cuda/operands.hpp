#pragma once
// Operands of kernels: random normal numbers in device memory, results poisoned. Zeros would draw less power, and so run faster
// than any data that a network has.

#include "calibrate/cuda/kernels.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/cost.hpp"

#include <cuda_runtime.h>

#include <cstdint>

namespace ringsim::calibrate {

/// `count` numbers, a function of seed and index.
[[nodiscard]] cuda::Memory<cuda::Bf16> random_numbers(std::size_t count, std::uint64_t seed);
/// NaN all over.
template <class T>
[[nodiscard]] cuda::Memory<T> poisoned(std::size_t count) {
  cuda::Memory<T> memory(count);
  memory.poison(nullptr);
  cuda::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  return memory;
}

/// A block of queries and one of keys, and all that attention makes of them.
class AttentionOperands {
 public:
  AttentionOperands(const HeadShape& heads, std::int64_t rows, std::int64_t columns, bool causal, bool with_backward);
  [[nodiscard]] cuda::ForwardCall forward() const;
  /// The statistics are those of forward(), which must have been run.
  [[nodiscard]] cuda::BackwardCall backward() const;

 private:
  HeadShape heads_;
  std::int64_t rows_, columns_;
  bool causal_;
  cuda::Memory<cuda::Bf16> q_, k_, v_, d_out_, o_, dq_, dk_, dv_;
  cuda::Memory<float> lse_;
};

}  // namespace ringsim::calibrate
