#include "kernels/cuda/error.hpp"

#include "models/error.hpp"

#include <string>

namespace ringsim::cuda {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw Error(std::string(what) + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")");
}

}  // namespace ringsim::cuda
