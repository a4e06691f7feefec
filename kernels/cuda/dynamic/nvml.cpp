#include "kernels/cuda/dynamic/nvml.hpp"

#include <array>

namespace ringsim::cuda {

namespace {

template <class Function>
void find(const Library& library, const char* name, Function*& function) {
  function = library.function<Function>(name);
}

NvmlLibrary open_nvml() {
  const Library library(
      {"NVML", {"libnvidia-ml.so.1"}, "It comes with NVIDIA's driver: this machine seems to have none."});
  NvmlLibrary nvml{};
  nvml.path = library.path();
  find(library, "nvmlInit_v2", nvml.init);
  find(library, "nvmlErrorString", nvml.error_string);
  find(library, "nvmlSystemGetDriverVersion", nvml.system_get_driver_version);
  find(library, "nvmlDeviceGetHandleByPciBusId_v2", nvml.device_get_handle_by_pci_bus_id);
  find(library, "nvmlDeviceGetClockInfo", nvml.device_get_clock_info);
  find(library, "nvmlDeviceGetPowerUsage", nvml.device_get_power_usage);
  find(library, "nvmlDeviceGetEnforcedPowerLimit", nvml.device_get_enforced_power_limit);
  find(library, "nvmlDeviceGetTemperature", nvml.device_get_temperature);
  find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", nvml.device_get_throttle_reasons);
  check_nvml(nvml, nvml.init(), "nvmlInit_v2");
  return nvml;
}

}  // namespace

const NvmlLibrary& nvml_library() {
  static const NvmlLibrary library = open_nvml();
  return library;
}

void check_nvml(const NvmlLibrary& library, NvmlStatus status, const char* what) {
  if (status != nvml_success) throw Error(std::string(what) + ": " + library.error_string(status));
}

std::string driver_version() {
  const NvmlLibrary& library = nvml_library();
  std::array<char, 96> text{};
  check_nvml(library, library.system_get_driver_version(text.data(), static_cast<unsigned>(text.size())),
             "nvmlSystemGetDriverVersion");
  return text.data();
}

}  // namespace ringsim::cuda
