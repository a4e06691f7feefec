#include "kernels/cuda/device_state.hpp"

#include "kernels/cuda/dynamic/nvml.hpp"

#include <array>

namespace ringsim::cuda {

namespace {

/// Bits of NVML's reasons, nvmlClocksThrottleReason*.
struct Reason {
  unsigned long long bit;
  const char* words;
};
constexpr std::array<Reason, 9> reasons{{{0x001, "idle"},
                                         {0x002, "clocks set by an application"},
                                         {0x004, "power cap"},
                                         {0x008, "hardware slowdown"},
                                         {0x010, "synchronised with other GPUs"},
                                         {0x020, "temperature (software)"},
                                         {0x040, "temperature (hardware)"},
                                         {0x080, "power brake"},
                                         {0x100, "display clocks"}}};

std::vector<std::string> in_words(unsigned long long bits) {
  std::vector<std::string> words;
  for (const Reason& reason : reasons) {
    if ((bits & reason.bit) != 0) words.emplace_back(reason.words);
    bits &= ~reason.bit;
  }
  if (bits != 0) words.push_back("unknown reason " + std::to_string(bits));
  return words;
}

/// The number that `read` writes, times `unit`; empty where the driver does not tell it.
template <class Read>
std::optional<double> told(Read read, double unit) {
  unsigned value = 0;
  if (read(&value) != nvml_success) return {};
  return static_cast<double>(value) * unit;
}

}  // namespace

DeviceState device_state(const std::string& pci, const NvmlLibrary& library) {
  DeviceState state;
  NvmlDevice device = nullptr;
  if (const NvmlStatus status = library.device_get_handle_by_pci_bus_id(pci.c_str(), &device); status != nvml_success) {
    state.why_unknown = "NVML does not know the device " + pci + ": " + library.error_string(status);
    return state;
  }
  constexpr double mega = 1e6;
  constexpr double milli = 1e-3;
  const auto clock = [&](int which) {
    return told([&](unsigned* value) { return library.device_get_clock_info(device, which, value); }, mega);
  };
  state.sm_clock_hz = clock(nvml_clock_sm);
  state.memory_clock_hz = clock(nvml_clock_memory);
  state.power_w = told([&](unsigned* value) { return library.device_get_power_usage(device, value); }, milli);
  state.power_limit_w =
      told([&](unsigned* value) { return library.device_get_enforced_power_limit(device, value); }, milli);
  state.temperature_c =
      told([&](unsigned* value) { return library.device_get_temperature(device, nvml_temperature_gpu, value); }, 1);
  unsigned long long bits = 0;
  if (library.device_get_throttle_reasons(device, &bits) == nvml_success) state.slowed_by = in_words(bits);
  return state;
}

DeviceState device_state(const std::string& pci) {
  try {
    return device_state(pci, nvml_library());
  } catch (const Error& error) {
    DeviceState state;
    state.why_unknown = error.message();
    return state;
  }
}

}  // namespace ringsim::cuda
