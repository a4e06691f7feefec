#pragma once
// The GPUs of this machine.

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::cuda {

/// Of cudaGetDeviceProperties and cudaDeviceGetAttribute.
struct DeviceInfo {
  int id = 0;
  std::string name;  // "NVIDIA H200"
  std::string pci;   // "0000:1b:00.0"
  int major = 0;     // compute capability
  int minor = 0;
  int sms = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t l2_bytes = 0;
  double sm_clock_hz = 0;  // default
  double memory_clock_hz = 0;
  std::int64_t memory_bus_bits = 0;
  std::int64_t shared_bytes_per_block = 0;  // opt-in
  int copy_engines = 0;
  /// Whether kernels for sm_90a run here.
  [[nodiscard]] bool is_hopper() const { return major == 9 && minor == 0; }
};

struct Devices {
  std::vector<DeviceInfo> devices;
  std::string why_none;  // where there is none: a sentence
  int driver = 0;        // as CUDA counts: 13000; 0: no driver
  int runtime = 0;
};

/// Never throws: a machine without a driver has no device, and the reason says so.
[[nodiscard]] Devices find_devices();

}  // namespace ringsim::cuda
