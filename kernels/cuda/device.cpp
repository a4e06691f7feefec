#include "kernels/cuda/device.hpp"

#include <cuda_runtime.h>

#include <array>

namespace ringsim::cuda {
namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

// False, with the reason, where the device does not answer.
bool describe(int id, DeviceInfo& info, cudaError_t& status) {
  cudaDeviceProp properties{};
  std::array<char, 32> pci{};
  status = cudaGetDeviceProperties(&properties, id);
  if (status == cudaSuccess) status = cudaDeviceGetPCIBusId(pci.data(), static_cast<int>(pci.size()), id);
  if (status != cudaSuccess) return false;
  info.id = id;
  info.name = properties.name;
  info.pci = pci.data();
  info.major = properties.major;
  info.minor = properties.minor;
  info.sms = properties.multiProcessorCount;
  info.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  info.l2_bytes = properties.l2CacheSize;
  info.sm_clock_hz = 1e3 * attribute(cudaDevAttrClockRate, id);
  info.memory_clock_hz = 1e3 * attribute(cudaDevAttrMemoryClockRate, id);
  info.memory_bus_bits = properties.memoryBusWidth;
  info.shared_bytes_per_block = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
  info.copy_engines = properties.asyncEngineCount;
  return true;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string reason(cudaError_t status, int driver, int runtime) {
  if (status == cudaErrorInsufficientDriver && driver == 0) return "no NVIDIA driver on this machine";
  if (status == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver of this machine is for CUDA " + version_text(driver) + ", this program needs CUDA " +
           version_text(runtime);
  }
  if (status == cudaErrorNoDevice) return "the NVIDIA driver of this machine finds no GPU";
  return std::string("the GPUs of this machine do not answer: ") + cudaGetErrorString(status) + " (" +
         cudaGetErrorName(status) + ")";
}

}  // namespace

Devices find_devices() {
  Devices found;
  static_cast<void>(cudaRuntimeGetVersion(&found.runtime));
  if (cudaDriverGetVersion(&found.driver) != cudaSuccess) found.driver = 0;
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  for (int id = 0; status == cudaSuccess && id < count; ++id) {
    DeviceInfo info;
    if (describe(id, info, status)) found.devices.push_back(info);
  }
  if (status == cudaSuccess && count == 0) status = cudaErrorNoDevice;
  if (status != cudaSuccess) {
    found.devices.clear();
    found.why_none = reason(status, found.driver, found.runtime);
    static_cast<void>(cudaGetLastError());  // so that the next call does not report it again
  }
  return found;
}

}  // namespace ringsim::cuda
