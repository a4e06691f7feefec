// What is said about the GPUs of a machine.

#include "kernels/cuda/device.hpp"

#include "tests/emulated/runtime.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

namespace ringsim {
namespace {

TEST(FindDevices, Describes) {
  emulated::Settings settings;
  settings.devices = 2;
  settings.sms = 78;
  settings.memory_bytes = 1'000'000;
  settings.sm_clock_hz = 1.5e9;
  emulated::reset(settings);
  const cuda::Devices found = cuda::find_devices();
  ASSERT_EQ(found.devices.size(), 2U);
  EXPECT_EQ(found.why_none, "");
  EXPECT_EQ(found.driver, 13000);
  const cuda::DeviceInfo& second = found.devices[1];
  EXPECT_EQ(second.id, 1);
  EXPECT_EQ(second.name, "emulated GPU");
  EXPECT_EQ(second.pci, "0000:02:00.0");
  EXPECT_TRUE(second.is_hopper());
  EXPECT_EQ(second.sms, 78);
  EXPECT_EQ(second.memory_bytes, 1'000'000);
  EXPECT_NEAR(second.sm_clock_hz, 1.5e9, 1e3);
  EXPECT_EQ(second.shared_bytes_per_block, 227 * 1024);
}

// No driver: the runtime answers cudaErrorInsufficientDriver and driver version 0. No device: cudaErrorNoDevice.
TEST(FindDevices, SaysWhyThereIsNone) {
  emulated::Settings settings;
  settings.driver = false;
  emulated::reset(settings);
  cuda::Devices found = cuda::find_devices();
  EXPECT_TRUE(found.devices.empty());
  EXPECT_EQ(found.why_none, "no NVIDIA driver on this machine");
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);

  settings.driver = true;
  settings.devices = 0;
  emulated::reset(settings);
  found = cuda::find_devices();
  EXPECT_TRUE(found.devices.empty());
  EXPECT_EQ(found.why_none, "the NVIDIA driver of this machine finds no GPU");
  emulated::reset();
}

}  // namespace
}  // namespace ringsim
