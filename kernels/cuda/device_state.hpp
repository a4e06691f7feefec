#pragma once
// What a GPU is doing at the moment, by NVML: its clocks, its power, and what slows it down. Read before and after a
// measurement, never during one, and never set.

#include <optional>
#include <string>
#include <vector>

namespace ringsim::cuda {

/// A value that the driver does not tell is empty.
struct DeviceState {
  std::optional<double> sm_clock_hz;
  std::optional<double> memory_clock_hz;
  std::optional<double> power_w;
  std::optional<double> power_limit_w;
  std::optional<double> temperature_c;
  /// Why clocks are lower than they could be: "power cap", "idle"; empty list: nothing slows it down.
  std::optional<std::vector<std::string>> slowed_by;
  /// Where nothing is known: a sentence.
  std::string why_unknown;
};

struct NvmlLibrary;

/// Of the device at this address of the PCI bus, as DeviceInfo::pci. Never throws.
[[nodiscard]] DeviceState device_state(const std::string& pci);
/// As above with a library that is given: for tests without a device.
[[nodiscard]] DeviceState device_state(const std::string& pci, const NvmlLibrary& library);

}  // namespace ringsim::cuda
