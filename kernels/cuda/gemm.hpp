#pragma once
// Matrix products by cuBLAS: what linear layers cost.

#include "kernels/cuda/bf16.hpp"

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>

namespace ringsim::cuda {

/// C[m][n] = A[m][k]·B[k][n], all row by row without gaps, in bf16, sums in fp32. Of the device that is current when
/// it is made; products of one object go to one stream at a time.
class Gemm {
 public:
  /// Throws MissingLibrary where there is no cuBLAS, Error where there is no device or a side is not positive.
  Gemm(std::int64_t m, std::int64_t n, std::int64_t k);
  ~Gemm();
  Gemm(Gemm&&) noexcept;
  Gemm& operator=(Gemm&&) noexcept;
  Gemm(const Gemm&) = delete;
  Gemm& operator=(const Gemm&) = delete;
  /// Enqueues. May be captured in a graph.
  void run(const Bf16* a, const Bf16* b, Bf16* c, cudaStream_t stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ringsim::cuda
