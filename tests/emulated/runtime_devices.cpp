// Devices: as many as the settings say, all alike.

#include "tests/emulated/include/cuda_runtime.h"
#include "tests/emulated/runtime_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace ringsim::emulated {
namespace {

constexpr int l2_bytes = 50 << 20;
constexpr int memory_bus_bits = 5120;
constexpr int memory_clock_khz = 2619000;
constexpr int threads_per_block = 1024;
constexpr int threads_per_sm = 2048;
constexpr int shared_bytes_per_block = 48 << 10;
constexpr int shared_bytes_per_block_opt_in = 227 << 10;
constexpr int shared_bytes_per_sm = 228 << 10;

void check_device(int device) {
  if (device < 0 || device >= machine().settings.devices) {
    throw Failure(cudaErrorInvalidDevice, fmt::format("device {} of {}", device, machine().settings.devices));
  }
}

template <std::size_t size>
void write(char (&to)[size], std::string_view text) {
  std::fill_n(to, size, '\0');
  std::copy_n(text.begin(), std::min(text.size(), size - 1), to);
}

int attribute_of(cudaDeviceAttr attribute) {
  const Settings& s = settings();
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return threads_per_block;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return shared_bytes_per_block;
    case cudaDevAttrWarpSize:
      return 32;
    case cudaDevAttrClockRate:
      return static_cast<int>(s.sm_clock_hz / 1e3);
    case cudaDevAttrMultiProcessorCount:
      return s.sms;
    case cudaDevAttrConcurrentKernels:
      return 1;
    case cudaDevAttrMemoryClockRate:
      return memory_clock_khz;
    case cudaDevAttrGlobalMemoryBusWidth:
      return memory_bus_bits;
    case cudaDevAttrL2CacheSize:
      return l2_bytes;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return threads_per_sm;
    case cudaDevAttrAsyncEngineCount:
      return s.copy_engines;
    case cudaDevAttrComputeCapabilityMajor:
      return s.major;
    case cudaDevAttrComputeCapabilityMinor:
      return s.minor;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return shared_bytes_per_sm;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return shared_bytes_per_block_opt_in;
  }
  throw Failure(cudaErrorInvalidValue, "this attribute is not emulated");
}

}  // namespace
}  // namespace ringsim::emulated

namespace emulated = ringsim::emulated;

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  return emulated::call("cudaGetDeviceCount", [&] { *count = emulated::settings().devices; });
}
cudaError_t cudaGetDevice(int* device) {
  return emulated::call("cudaGetDevice", [&] { *device = emulated::current_device(); });
}
cudaError_t cudaSetDevice(int device) {
  return emulated::call("cudaSetDevice", [&] {
    emulated::check_device(device);
    emulated::current_device() = device;
  });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return emulated::call("cudaGetDeviceProperties", [&] {
    emulated::check_device(device);
    const emulated::Settings& s = emulated::settings();
    cudaDeviceProp p{};
    emulated::write(p.name, "emulated GPU");
    p.totalGlobalMem = s.memory_bytes;
    p.sharedMemPerBlock = emulated::shared_bytes_per_block;
    p.regsPerBlock = 65536;
    p.warpSize = 32;
    p.maxThreadsPerBlock = emulated::threads_per_block;
    p.major = s.major;
    p.minor = s.minor;
    p.multiProcessorCount = s.sms;
    p.concurrentKernels = 1;
    p.ECCEnabled = 1;
    p.pciBusID = device + 1;
    p.asyncEngineCount = s.copy_engines;
    p.memoryBusWidth = emulated::memory_bus_bits;
    p.l2CacheSize = emulated::l2_bytes;
    p.maxThreadsPerMultiProcessor = emulated::threads_per_sm;
    p.streamPrioritiesSupported = 1;
    p.sharedMemPerMultiprocessor = emulated::shared_bytes_per_sm;
    p.cooperativeLaunch = 1;
    p.sharedMemPerBlockOptin = emulated::shared_bytes_per_block_opt_in;
    p.maxBlocksPerMultiProcessor = 32;
    p.reservedSharedMemPerBlock = 1024;
    p.clusterLaunch = s.major >= 9 ? 1 : 0;
    *properties = p;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return emulated::call("cudaDeviceGetAttribute", [&] {
    emulated::check_device(device);
    *value = emulated::attribute_of(attribute);
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* pci, int size, int device) {
  return emulated::call("cudaDeviceGetPCIBusId", [&] {
    emulated::check_device(device);
    const std::string text = fmt::format("0000:{:02x}:00.0", device + 1);
    if (size <= static_cast<int>(text.size())) throw emulated::Failure(cudaErrorInvalidValue, "too short a text");
    std::copy_n(text.c_str(), text.size() + 1, pci);
  });
}
cudaError_t cudaDriverGetVersion(int* version) {
  // Not an error without a driver: the version is 0 then.
  *version = emulated::settings().driver ? CUDART_VERSION : 0;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return emulated::call("cudaDeviceCanAccessPeer", [&] {
    emulated::check_device(device);
    emulated::check_device(peer);
    *can = device == peer ? 0 : 1;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return emulated::call("cudaDeviceEnablePeerAccess", [&] {
    emulated::Machine& m = emulated::machine();
    emulated::check_device(peer);
    if (peer == emulated::current_device())
      throw emulated::Failure(cudaErrorInvalidDevice, "a device is not its own peer");
    if (!m.peers.insert({emulated::current_device(), peer}).second) {
      throw emulated::Failure(cudaErrorPeerAccessAlreadyEnabled, "enabled before");
    }
  });
}
