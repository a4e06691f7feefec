#include "kernels/cuda/dynamic/driver.hpp"

#if RINGSIM_HAS_DRIVER_HEADER

#include "kernels/cuda/error.hpp"

#include <cuda_runtime.h>

#include <string>

namespace ringsim::cuda {

namespace {

/// In the form that it has in the header that this program was compiled with.
template <class Function>
void find(const char* name, Function*& function) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  check(cudaGetDriverEntryPointByVersion(name, &found, CUDA_VERSION, cudaEnableDefault, &result), name);
  if (result != cudaDriverEntryPointSuccess || found == nullptr) {
    throw MissingLibrary(std::string("the NVIDIA driver has no function ") + name + ": it is too old", {},
                         "Install a driver for CUDA 13 or newer.");
  }
  function = reinterpret_cast<Function*>(found);
}

DriverLibrary open_driver() {
  // Makes the device's context, which functions of the driver expect to be there.
  check(cudaFree(nullptr), "the first call of CUDA");
  DriverLibrary library{};
  find("cuGetErrorString", library.get_error_string);
  find("cuDeviceGet", library.device_get);
  find("cuDeviceGetDevResource", library.device_get_dev_resource);
  find("cuDevSmResourceSplitByCount", library.dev_sm_resource_split_by_count);
  find("cuDevResourceGenerateDesc", library.dev_resource_generate_desc);
  find("cuGreenCtxCreate", library.green_ctx_create);
  find("cuGreenCtxDestroy", library.green_ctx_destroy);
  find("cuGreenCtxStreamCreate", library.green_ctx_stream_create);
  return library;
}

}  // namespace

const DriverLibrary& driver_library() {
  static const DriverLibrary library = open_driver();
  return library;
}

void check(const DriverLibrary& library, CUresult status, const char* what) {
  if (status == CUDA_SUCCESS) return;
  const char* message = nullptr;
  static_cast<void>(library.get_error_string(status, &message));
  throw Error(std::string(what) + ": " + (message == nullptr ? "an unknown error" : message));
}

}  // namespace ringsim::cuda

#endif
