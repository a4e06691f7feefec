#include "kernels/cuda/gemm.hpp"

#include "kernels/cuda/dynamic/cublas.hpp"
#include "kernels/cuda/resources.hpp"

#include <cstddef>
#include <limits>
#include <string>

namespace ringsim::cuda {

#if RINGSIM_HAS_CUBLAS

namespace {

/// cuBLAS's own recommendation for Hopper. With memory of ours it allocates none while a graph is captured.
constexpr std::size_t workspace_bytes = std::size_t{32} << 20U;

int side(std::int64_t value) {
  if (value <= 0 || value > std::numeric_limits<int>::max()) {
    throw Error("a side of a matrix product is " + std::to_string(value), {}, "It is from 1 to 2147483647.");
  }
  return static_cast<int>(value);
}

}  // namespace

struct Gemm::State {
  State(int rows, int columns, int inner) : m(rows), n(columns), k(inner), workspace(workspace_bytes) {
    check(library, library.create(&handle), "cublasCreate");
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { static_cast<void>(library.destroy(handle)); }

  const CublasLibrary& library = cublas_library();
  int m, n, k;
  Memory<std::byte> workspace;
  cublasHandle_t handle = nullptr;
};

Gemm::Gemm(std::int64_t m, std::int64_t n, std::int64_t k)
    : state_(std::make_unique<State>(side(m), side(n), side(k))) {}

// cuBLAS counts column by column, so what is C row by row is Cᵀ to it, and Cᵀ = Bᵀ·Aᵀ: the two change places and
// nothing is transposed.
void Gemm::run(const Bf16* a, const Bf16* b, Bf16* c, cudaStream_t stream) {
  const State& s = *state_;
  const float one = 1;
  const float zero = 0;
  check(s.library, s.library.set_stream(s.handle, stream), "cublasSetStream");
  // A new stream makes cuBLAS forget the workspace.
  check(s.library, s.library.set_workspace(s.handle, s.workspace.data(), s.workspace.size()), "cublasSetWorkspace");
  check(s.library,
        s.library.gemm(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, s.n, s.m, s.k, &one, b, CUDA_R_16BF, s.n, a, CUDA_R_16BF,
                       s.k, &zero, c, CUDA_R_16BF, s.n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
}

#else

struct Gemm::State {};

Gemm::Gemm(std::int64_t, std::int64_t, std::int64_t) { throw_not_built_in("cuBLAS", "cublas_v2.h"); }
void Gemm::run(const Bf16*, const Bf16*, Bf16*, cudaStream_t) { throw_not_built_in("cuBLAS", "cublas_v2.h"); }

#endif

Gemm::~Gemm() = default;
Gemm::Gemm(Gemm&&) noexcept = default;
Gemm& Gemm::operator=(Gemm&&) noexcept = default;

}  // namespace ringsim::cuda
