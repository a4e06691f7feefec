// What a reader of a measurement must know about the machine.

#include "cli/cuda_worker/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::cli {

std::string gpu_machine(const cuda::Devices& devices, std::size_t used) {
  const cuda::DeviceInfo& first = devices.devices.front();
  std::string text =
      fmt::format("{} ({} SMs, {:.0f} GB)", first.name, first.sms, static_cast<double>(first.memory_bytes) / 1e9);
  const std::size_t here = std::min(used, devices.devices.size());
  const bool alike = std::all_of(devices.devices.begin(), devices.devices.begin() + static_cast<std::ptrdiff_t>(here),
                                 [&](const cuda::DeviceInfo& device) { return device.name == first.name; });
  if (used > 1) text = fmt::format("{} x {}{}", used, text, alike ? "" : " and others");
  return text;
}

}  // namespace ringsim::cli
