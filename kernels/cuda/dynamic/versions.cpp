#include "kernels/cuda/dynamic/versions.hpp"

#include "kernels/cuda/dynamic/cublas.hpp"
#include "kernels/cuda/dynamic/cudnn.hpp"
#include "kernels/cuda/dynamic/cupti.hpp"
#include "kernels/cuda/dynamic/nccl.hpp"
#include "kernels/cuda/dynamic/nvml.hpp"

#include <cuda_runtime.h>

#include <utility>

namespace ringsim::cuda {

namespace {

/// 13000 as "13.0".
std::string in_words(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

LibraryVersion driver_interface() {
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0) {
    return {"CUDA driver interface", {}, "This machine has no NVIDIA driver."};
  }
  return {"CUDA driver interface", in_words(version), "the newest CUDA that the driver knows"};
}

LibraryVersion runtime() {
  int version = 0;
  static_cast<void>(cudaRuntimeGetVersion(&version));
  return {"CUDA runtime", in_words(version), "in this program"};
}

/// `version` opens the library and asks it; `path` is asked after it.
template <class Version, class Path>
LibraryVersion ask(const char* library, Version version, Path path) {
  try {
    std::string text = version();
    return {library, std::move(text), path()};
  } catch (const Error& error) {
    return {library, {}, error.message() + (error.where().empty() ? "" : "; " + error.where())};
  }
}

}  // namespace

std::vector<LibraryVersion> versions() {
  std::vector<LibraryVersion> list{driver_interface(), runtime()};
  list.push_back(ask("cuDNN", cudnn_version, cudnn_path));
  list.push_back(ask("cuBLAS", cublas_version, cublas_path));
  list.push_back(ask("NCCL", nccl_version, nccl_path));
  list.push_back(ask("CUPTI", cupti_version, cupti_path));
  list.push_back(ask("NVIDIA driver", driver_version, [] { return nvml_library().path; }));
  return list;
}

}  // namespace ringsim::cuda
