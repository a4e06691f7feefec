// Launches of kernels: what a launch must fulfil, and the grid as an operation.

#include "tests/emulated/include/cuda_runtime.h"
#include "tests/emulated/runtime_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ringsim::emulated {
namespace {

// Of compute capability 9.0 (CUDA C++ Programming Guide, technical specifications).
constexpr std::size_t shared_bytes_without_asking = 48UL << 10U;
constexpr std::size_t shared_bytes_per_block = 227UL << 10U;
constexpr std::size_t shared_bytes_per_sm = 228UL << 10U;
constexpr std::size_t shared_bytes_reserved = 1UL << 10U;  // by the system, of every block
constexpr int threads_per_block = 1024;
constexpr int threads_per_sm = 2048;
constexpr int blocks_per_sm = 32;

Dim3 dimensions(const dim3& d) { return {d.x, d.y, d.z}; }

struct Attributes {
  Dim3 cluster;
  std::optional<int> priority;
};

Attributes read_attributes(const cudaLaunchConfig_t& config) {
  Attributes read;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      read.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z};
    } else if (attribute.id == cudaLaunchAttributePriority) {
      read.priority = attribute.val.priority;
    }
    // Others change when a kernel begins, not what it does.
  }
  return read;
}

void check_grid(const cudaLaunchConfig_t& config, const Dim3& cluster, const void* kernel) {
  const auto volume = [](const auto& d) { return std::size_t{d.x} * d.y * d.z; };
  const std::size_t threads = volume(config.blockDim);
  if (threads == 0 || threads > threads_per_block || volume(config.gridDim) == 0) {
    throw Failure(cudaErrorInvalidConfiguration,
                  fmt::format("{} blocks of {} threads", volume(config.gridDim), threads));
  }
  if (volume(cluster) == 0 || volume(cluster) > 8 || config.gridDim.x % cluster.x != 0 ||
      config.gridDim.y % cluster.y != 0 || config.gridDim.z % cluster.z != 0) {
    throw Failure(cudaErrorInvalidConfiguration,
                  fmt::format("clusters of {} blocks in a grid of {}", volume(cluster), volume(config.gridDim)));
  }
  if (volume(cluster) > 1 && machine().settings.major < 9) {
    throw Failure(cudaErrorInvalidConfiguration, "clusters need compute capability 9.0");
  }
  const auto& allowed = machine().dynamic_shared_bytes;
  const auto found = allowed.find(kernel);
  const std::size_t most = found == allowed.end() ? shared_bytes_without_asking : found->second;
  if (config.dynamicSmemBytes > most) {
    throw Failure(cudaErrorInvalidValue,
                  fmt::format("{} bytes of shared memory, {} are allowed", config.dynamicSmemBytes, most));
  }
}

}  // namespace

cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel, std::function<void()> thread) {
  return call("cudaLaunchKernelEx", [&] {
    Machine& m = machine();
    const Attributes attributes = read_attributes(config);
    check_grid(config, attributes.cluster, kernel);
    StreamState& stream = stream_of(config.stream);
    if (stream.device != current_device()) {
      throw Failure(cudaErrorInvalidResourceHandle, "the stream is not of the current device");
    }
    const Grid grid{dimensions(config.gridDim), dimensions(config.blockDim), config.dynamicSmemBytes,
                    attributes.cluster.x * attributes.cluster.y * attributes.cluster.z};
    const double seconds = m.settings.kernel_time_s ? m.settings.kernel_time_s(grid) : m.settings.kernel_s;
    const auto run = [grid, thread = std::move(thread)] {
      // Threads of a block come one after the other, blocks too: whoever sees another block's number begins it.
      Dim3 block{~0U, 0, 0};
      run_grid(grid, [&] {
        const Dim3& here = block_index();
        if (here.x != block.x || here.y != block.y || here.z != block.z) {
          block = here;
          begin_block();
        }
        thread();
      });
    };
    enqueue(stream, {Work::Kind::kernel, run, seconds, nullptr}, attributes.priority);
  });
}

cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  return call("cudaFuncSetAttribute", [&] {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return;
    if (value < 0 || static_cast<std::size_t>(value) > shared_bytes_per_block) {
      throw Failure(cudaErrorInvalidValue,
                    fmt::format("{} bytes of shared memory, a block has {} at most", value, shared_bytes_per_block));
    }
    machine().dynamic_shared_bytes[kernel] = static_cast<std::size_t>(value);
  });
}

cudaError_t resident_blocks(int* blocks, int threads, std::size_t dynamic_shared_bytes) {
  return call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    if (threads < 1 || threads > threads_per_block) throw Failure(cudaErrorInvalidValue, "threads of a block");
    const auto by_shared = static_cast<int>(shared_bytes_per_sm / (dynamic_shared_bytes + shared_bytes_reserved));
    *blocks = std::min({blocks_per_sm, threads_per_sm / threads, by_shared});
  });
}

}  // namespace ringsim::emulated
