// The state of a device from NVML's numbers, given by functions that stand in for it.
#include "kernels/cuda/device_state.hpp"

#include "kernels/cuda/dynamic/nvml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ringsim::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr NvmlStatus not_supported = 3;

/// One device, at 0000:1b:00.0, which does not tell its temperature.
NvmlLibrary stand_in() {
  NvmlLibrary library{};
  library.error_string = [](NvmlStatus) { return "Not Found"; };
  library.device_get_handle_by_pci_bus_id = [](const char* pci, NvmlDevice*) {
    return std::string(pci) == "0000:1b:00.0" ? nvml_success : NvmlStatus{6};
  };
  library.device_get_clock_info = [](NvmlDevice, int clock, unsigned* megahertz) {
    *megahertz = clock == nvml_clock_sm ? 1755 : 3201;
    return nvml_success;
  };
  library.device_get_power_usage = [](NvmlDevice, unsigned* milliwatts) {
    *milliwatts = 687500;
    return nvml_success;
  };
  library.device_get_enforced_power_limit = [](NvmlDevice, unsigned* milliwatts) {
    *milliwatts = 700000;
    return nvml_success;
  };
  library.device_get_temperature = [](NvmlDevice, int, unsigned*) { return not_supported; };
  library.device_get_throttle_reasons = [](NvmlDevice, unsigned long long* reasons) {
    *reasons = 0x4 | 0x40 | 0x1000;
    return nvml_success;
  };
  return library;
}

// 1,755 MHz, 3,201 MHz, 687.5 W of 700 W. Bits 2 and 6 are the power cap and the hardware's thermal slowdown; bit 12
// has no name.
TEST(DeviceState, IsInBaseUnitsAndWords) {
  const DeviceState state = device_state("0000:1b:00.0", stand_in());
  EXPECT_TRUE(state.why_unknown.empty());
  EXPECT_DOUBLE_EQ(state.sm_clock_hz.value_or(0), 1.755e9);
  EXPECT_DOUBLE_EQ(state.memory_clock_hz.value_or(0), 3.201e9);
  EXPECT_DOUBLE_EQ(state.power_w.value_or(0), 687.5);
  EXPECT_DOUBLE_EQ(state.power_limit_w.value_or(0), 700);
  EXPECT_FALSE(state.temperature_c.has_value());
  ASSERT_TRUE(state.slowed_by.has_value());
  EXPECT_THAT(*state.slowed_by, ElementsAre("power cap", "temperature (hardware)", "unknown reason 4096"));
}

TEST(DeviceState, OfADeviceThatIsNotThereIsUnknown) {
  const DeviceState state = device_state("0000:ff:00.0", stand_in());
  EXPECT_FALSE(state.sm_clock_hz.has_value());
  EXPECT_FALSE(state.slowed_by.has_value());
  EXPECT_THAT(state.why_unknown, HasSubstr("0000:ff:00.0"));
  EXPECT_THAT(state.why_unknown, HasSubstr("Not Found"));
}

// With the machine's own NVML, whether it has one or not: no exception, and a reason where nothing is known.
TEST(DeviceState, NeverThrows) {
  const DeviceState state = device_state("ffff:ff:1f.0");
  EXPECT_FALSE(state.sm_clock_hz.has_value());
  EXPECT_FALSE(state.why_unknown.empty());
}

}  // namespace
}  // namespace ringsim::cuda
