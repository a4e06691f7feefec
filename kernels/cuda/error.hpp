#pragma once
// Failures of the CUDA runtime become Errors.

#include <cuda_runtime.h>

namespace ringsim::cuda {

/// Throws Error "WHAT: the runtime's message (its name)" unless `status` is success.
void check(cudaError_t status, const char* what);

}  // namespace ringsim::cuda
