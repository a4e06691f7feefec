#pragma once
// Launching kernels, with cudaLaunchKernelEx: a function call, so that the same source is compiled for a GPU and for its
// emulation on the CPU.

#include "kernels/cuda/error.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace ringsim::cuda {

struct LaunchShape {
  dim3 blocks;
  dim3 threads;
  std::size_t shared_bytes = 0;  // dynamic
  unsigned cluster = 1;  // blocks (in x) that are scheduled as a whole; above 1: compute capability 9.0 or later
};

/// Enqueues kernel(arguments...). Throws Error "WHAT: ..." where the launch is refused.
template <class... Expected, class... Actual>
void launch(const char* what, void (*kernel)(Expected...), const LaunchShape& shape, cudaStream_t stream,
            Actual&&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = shape.blocks;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  cudaLaunchAttribute cluster{};
  if (shape.cluster > 1) {
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = shape.cluster;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    config.attrs = &cluster;
    config.numAttrs = 1;
  }
  check(cudaLaunchKernelEx(&config, kernel, std::forward<Actual>(arguments)...), what);
}

/// SMs of the current device.
[[nodiscard]] inline int multiprocessors() {
  int device = 0;
  int count = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  return count;
}

/// Blocks of a kernel whose threads go through `items` in strides: enough for each item, and no more than are resident at once
/// when every SM holds `per_sm` of them.
[[nodiscard]] inline unsigned blocks_for(std::int64_t items, std::int64_t items_per_block, int per_sm) {
  const std::int64_t needed = (items + items_per_block - 1) / items_per_block;
  return static_cast<unsigned>(
      std::clamp<std::int64_t>(needed, 1, static_cast<std::int64_t>(multiprocessors()) * per_sm));
}

}  // namespace ringsim::cuda
