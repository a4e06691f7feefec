// A calibration of this GPU, cut short: that every benchmark runs on it, not how well.
#include "calibrate/cuda/benchmarks.hpp"
#include "calibrate/cuda/this_gpu.hpp"
#include "calibrate/fit/profile.hpp"
#include "calibrate/paced_links.hpp"
#include "tests/device/gpu.hpp"

#include <cstdio>

namespace ringsim::cuda::device_tests {
namespace {

using calibrate::GpuKernels;
using calibrate::Points;

class Calibration : public OnGpu {};

TEST_F(Calibration, EveryBenchmarkRuns) {
  Devices found = find_devices();
  found.devices.resize(1);
  GpuKernels kernels = calibrate::kernels_of(found);
  calibrate::GpuBenchmarkOptions options;
  options.least_tokens = 1024;
  options.most_tokens = 4096;
  options.most_bytes = std::size_t{16} << 20U;
  options.rates_bytes_per_s = {50e9};
  options.rule.maximum = 20;
  options.rule.minimum = 6;
  options.rule.budget_s = 0.05;
  options.budget_s = 60;
  const calibrate::Samples samples = calibrate::run_gpu_benchmarks(found, kernels, options);
  for (const std::string& note : samples.notes) {
    std::printf("note: %s\n", note.c_str());
    EXPECT_EQ(note.find("benchmarks failed"), std::string::npos) << note;
  }
  const Points points = calibrate::points_of(samples);
  EXPECT_FALSE(points.attention.empty());
  EXPECT_FALSE(points.interference.empty());
  // A copy that is held to a rate is never faster than that.
  for (const calibrate::TransferPoint& p : points.transfer) {
    if (const auto rate = calibrate::paced_rate(p.link_class)) {
      EXPECT_GE(p.time.median_s, 0.999 * p.bytes / in_bytes_per_second(*rate)) << p.source;
    }
  }
  // Beside something a kernel or a copy is not faster than alone, but for the scatter of so few samples.
  for (const calibrate::InterferencePoint& p : points.interference) {
    EXPECT_GE(p.kernel_beside.median_s, 0.8 * p.kernel_alone.median_s) << p.source;
    EXPECT_GE(p.transfer_beside.median_s, 0.8 * p.transfer_alone.median_s) << p.source;
  }
  if (!kernels.attention->has_backward()) GTEST_SKIP() << "no profile without backward kernels";
  calibrate::FitOptions fit;
  fit.name = "this-gpu";
  fit.gpu = device().name;
  const Profile profile = calibrate::fit_profile(points, fit).profile;
  EXPECT_EQ(profile.multiprocessors, device().sms);
  EXPECT_GT(in_seconds(profile.launch.value), 0);
  EXPECT_LT(in_seconds(profile.launch.value), 50e-6);
}

}  // namespace
}  // namespace ringsim::cuda::device_tests
