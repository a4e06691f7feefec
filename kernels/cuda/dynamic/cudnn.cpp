#include "kernels/cuda/dynamic/cudnn.hpp"

#include <array>

namespace ringsim::cuda {

#if RINGSIM_HAS_CUDNN

namespace {

CudnnLibrary open_cudnn() {
  const Library library(
      {"cuDNN",
       {"libcudnn.so.9"},
       "It comes with PyTorch (the Python package nvidia-cudnn-cu13) or from NVIDIA; name its folder in "
       "RINGSIM_CUDA_LIBRARIES."});
  return {
      .path = library.path(),
      .get_version = library.function<decltype(cudnnGetVersion)>("cudnnGetVersion"),
      .get_error_string = library.function<decltype(cudnnGetErrorString)>("cudnnGetErrorString"),
      .get_last_error_string = library.function<decltype(cudnnGetLastErrorString)>("cudnnGetLastErrorString"),
      .create = library.function<decltype(cudnnCreate)>("cudnnCreate"),
      .destroy = library.function<decltype(cudnnDestroy)>("cudnnDestroy"),
      .set_stream = library.function<decltype(cudnnSetStream)>("cudnnSetStream"),
      .create_descriptor = library.function<decltype(cudnnBackendCreateDescriptor)>("cudnnBackendCreateDescriptor"),
      .destroy_descriptor = library.function<decltype(cudnnBackendDestroyDescriptor)>("cudnnBackendDestroyDescriptor"),
      .finalize = library.function<decltype(cudnnBackendFinalize)>("cudnnBackendFinalize"),
      .set_attribute = library.function<decltype(cudnnBackendSetAttribute)>("cudnnBackendSetAttribute"),
      .get_attribute = library.function<decltype(cudnnBackendGetAttribute)>("cudnnBackendGetAttribute"),
      .execute = library.function<decltype(cudnnBackendExecute)>("cudnnBackendExecute"),
  };
}

}  // namespace

const CudnnLibrary& cudnn_library() {
  static const CudnnLibrary library = open_cudnn();
  return library;
}

void check(cudnnStatus_t status, const char* what) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  std::array<char, 1024> message{};
  cudnn_library().get_last_error_string(message.data(), message.size());
  throw Error(std::string(what) + ": " + message.data() + " (" + cudnn_library().get_error_string(status) + ")");
}

std::string cudnn_version() {
  const std::size_t version = cudnn_library().get_version();  // 91900: 10000 major + 100 minor + patch
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

std::string cudnn_path() { return cudnn_library().path; }

#else

std::string cudnn_version() { throw_not_built_in("cuDNN", "cudnn_graph.h"); }
std::string cudnn_path() { throw_not_built_in("cuDNN", "cudnn_graph.h"); }

#endif

}  // namespace ringsim::cuda
