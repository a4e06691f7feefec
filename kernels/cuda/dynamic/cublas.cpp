#include "kernels/cuda/dynamic/cublas.hpp"

namespace ringsim::cuda {

#if RINGSIM_HAS_CUBLAS

namespace {

CublasLibrary open_cublas() {
  const Library library(
      {"cuBLAS",
       {"libcublas.so.13"},
       "It comes with the CUDA 13 toolkit or with PyTorch (the Python package nvidia-cublas); name its "
       "folder in RINGSIM_CUDA_LIBRARIES."});
  return {
      .path = library.path(),
      .get_property = library.function<decltype(cublasGetProperty)>("cublasGetProperty"),
      .get_status_string = library.function<decltype(cublasGetStatusString)>("cublasGetStatusString"),
      .create = library.function<decltype(cublasCreate_v2)>("cublasCreate_v2"),
      .destroy = library.function<decltype(cublasDestroy_v2)>("cublasDestroy_v2"),
      .set_stream = library.function<decltype(cublasSetStream_v2)>("cublasSetStream_v2"),
      .set_workspace = library.function<decltype(cublasSetWorkspace_v2)>("cublasSetWorkspace_v2"),
      .gemm = library.function<CublasGemmEx>("cublasGemmEx"),
  };
}

}  // namespace

const CublasLibrary& cublas_library() {
  static const CublasLibrary library = open_cublas();
  return library;
}

void check(const CublasLibrary& library, cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) throw Error(std::string(what) + ": " + library.get_status_string(status));
}

std::string cublas_version() {
  const CublasLibrary& library = cublas_library();
  std::string text;
  for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    int value = 0;
    check(library, library.get_property(part, &value), "cublasGetProperty");
    text += (text.empty() ? "" : ".") + std::to_string(value);
  }
  return text;
}

std::string cublas_path() { return cublas_library().path; }

#else

std::string cublas_version() { throw_not_built_in("cuBLAS", "cublas_v2.h"); }
std::string cublas_path() { throw_not_built_in("cuBLAS", "cublas_v2.h"); }

#endif

}  // namespace ringsim::cuda
