#pragma once
// Functions of CUDA's driver that its runtime has no counterpart for. They are asked of the runtime, so that nothing
// is linked with the driver's library and a machine without one can start the program.

#include "kernels/cuda/dynamic/library.hpp"

#if __has_include(<cuda.h>)
#define RINGSIM_HAS_DRIVER_HEADER 1
#include <cuda.h>
#else
#define RINGSIM_HAS_DRIVER_HEADER 0
#endif

namespace ringsim::cuda {

#if RINGSIM_HAS_DRIVER_HEADER
struct DriverLibrary {
  decltype(cuGetErrorString)* get_error_string;
  decltype(cuDeviceGet)* device_get;
  decltype(cuDeviceGetDevResource)* device_get_dev_resource;
  decltype(cuDevSmResourceSplitByCount)* dev_sm_resource_split_by_count;
  decltype(cuDevResourceGenerateDesc)* dev_resource_generate_desc;
  decltype(cuGreenCtxCreate)* green_ctx_create;
  decltype(cuGreenCtxDestroy)* green_ctx_destroy;
  decltype(cuGreenCtxStreamCreate)* green_ctx_stream_create;
};

/// Asked for at the first call. Throws Error where there is no device, MissingLibrary where the driver is older than the
/// toolkit of this program.
[[nodiscard]] const DriverLibrary& driver_library();

/// Throws Error "WHAT: the driver's message" unless `status` is success.
void check(const DriverLibrary& library, CUresult status, const char* what);
#endif

}  // namespace ringsim::cuda
