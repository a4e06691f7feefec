#pragma once
// cuDNN, opened at run time: the functions of its graph interface that we call.

#include "kernels/cuda/dynamic/library.hpp"

#if __has_include(<cudnn_graph.h>)
#define RINGSIM_HAS_CUDNN 1
#include <cudnn_graph.h>
#else
#define RINGSIM_HAS_CUDNN 0
#endif

namespace ringsim::cuda {

#if RINGSIM_HAS_CUDNN
struct CudnnLibrary {
  std::string path;
  decltype(cudnnGetVersion)* get_version;
  decltype(cudnnGetErrorString)* get_error_string;
  decltype(cudnnGetLastErrorString)* get_last_error_string;
  decltype(cudnnCreate)* create;
  decltype(cudnnDestroy)* destroy;
  decltype(cudnnSetStream)* set_stream;
  decltype(cudnnBackendCreateDescriptor)* create_descriptor;
  decltype(cudnnBackendDestroyDescriptor)* destroy_descriptor;
  decltype(cudnnBackendFinalize)* finalize;
  decltype(cudnnBackendSetAttribute)* set_attribute;
  decltype(cudnnBackendGetAttribute)* get_attribute;
  decltype(cudnnBackendExecute)* execute;
};

/// Opened at the first call. Throws MissingLibrary.
[[nodiscard]] const CudnnLibrary& cudnn_library();

/// Throws Error "WHAT: cuDNN's own message (its status)" unless `status` is success.
void check(cudnnStatus_t status, const char* what);
#endif

/// "9.19.0". Throws MissingLibrary.
[[nodiscard]] std::string cudnn_version();
/// Of the file. Throws MissingLibrary.
[[nodiscard]] std::string cudnn_path();

}  // namespace ringsim::cuda
