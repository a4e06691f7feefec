#pragma once
// cuBLAS, opened at run time: what a matrix product takes.

#include "kernels/cuda/dynamic/library.hpp"

#if __has_include(<cublas_v2.h>)
#define RINGSIM_HAS_CUBLAS 1
#include <cublas_v2.h>
#else
#define RINGSIM_HAS_CUBLAS 0
#endif

namespace ringsim::cuda {

#if RINGSIM_HAS_CUBLAS
/// cublasGemmEx has two C++ forms; this is the library's own.
using CublasGemmEx = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                    const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                                    cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);

struct CublasLibrary {
  std::string path;
  decltype(cublasGetProperty)* get_property;
  decltype(cublasGetStatusString)* get_status_string;
  decltype(cublasCreate_v2)* create;
  decltype(cublasDestroy_v2)* destroy;
  decltype(cublasSetStream_v2)* set_stream;
  decltype(cublasSetWorkspace_v2)* set_workspace;
  CublasGemmEx* gemm;
};

/// Opened at the first call. Throws MissingLibrary.
[[nodiscard]] const CublasLibrary& cublas_library();

/// Throws Error "WHAT: cuBLAS's name of the status" unless `status` is success.
void check(const CublasLibrary& library, cublasStatus_t status, const char* what);
#endif

/// "13.1.0". Throws MissingLibrary.
[[nodiscard]] std::string cublas_version();
/// Of the file. Throws MissingLibrary.
[[nodiscard]] std::string cublas_path();

}  // namespace ringsim::cuda
