#pragma once
// NVML, the driver's library of clocks, power and temperatures, opened at run time. Its header is no part of the CUDA
// toolkit, so the prototypes are written down here, after NVIDIA's "NVML API Reference Guide"; they are the same in
// all drivers.

#include "kernels/cuda/dynamic/library.hpp"

namespace ringsim::cuda {

using NvmlStatus = int;  // 0: success
using NvmlDevice = struct NvmlDeviceRecord*;

inline constexpr NvmlStatus nvml_success = 0;

/// Numbers of nvmlClockType_t and nvmlTemperatureSensors_t.
inline constexpr int nvml_clock_sm = 1;
inline constexpr int nvml_clock_memory = 2;
inline constexpr int nvml_temperature_gpu = 0;

struct NvmlLibrary {
  std::string path;
  NvmlStatus (*init)();
  const char* (*error_string)(NvmlStatus);
  NvmlStatus (*system_get_driver_version)(char* text, unsigned length);
  NvmlStatus (*device_get_handle_by_pci_bus_id)(const char* pci, NvmlDevice* device);
  NvmlStatus (*device_get_clock_info)(NvmlDevice device, int clock, unsigned* megahertz);
  NvmlStatus (*device_get_power_usage)(NvmlDevice device, unsigned* milliwatts);
  NvmlStatus (*device_get_enforced_power_limit)(NvmlDevice device, unsigned* milliwatts);
  NvmlStatus (*device_get_temperature)(NvmlDevice device, int sensor, unsigned* celsius);
  NvmlStatus (*device_get_throttle_reasons)(NvmlDevice device, unsigned long long* reasons);
};

/// Opened and initialised at the first call, for the rest of the process. Throws MissingLibrary, or Error where the
/// driver refuses.
[[nodiscard]] const NvmlLibrary& nvml_library();

/// Throws Error "WHAT: NVML's message" unless `status` is success.
void check_nvml(const NvmlLibrary& library, NvmlStatus status, const char* what);

/// The driver's: "580.65.06". Throws MissingLibrary or Error.
[[nodiscard]] std::string driver_version();

}  // namespace ringsim::cuda
