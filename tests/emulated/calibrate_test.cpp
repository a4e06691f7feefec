// Benchmarks of a GPU against the emulated runtime: times are virtual and no GPU's, so that they can be worked out beforehand.
#include "calibrate/cuda/benchmarks.hpp"
#include "calibrate/cuda/sampler.hpp"
#include "calibrate/fit/profile.hpp"
#include "calibrate/paced_links.hpp"
#include "kernels/cuda/paced_copy.hpp"
#include "models/error.hpp"
#include "tests/emulated/runtime.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace ringsim::calibrate {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// A kernel takes 2 µs apart from what it waits for, memory moves at 2 TB/s: the runtime's settings, made round for tests.
cuda::Devices fresh_gpu(int sms = 16) {
  emulated::Settings settings;
  settings.sms = sms;
  emulated::reset(settings);
  return cuda::find_devices();
}

SamplingRule short_rule() {
  SamplingRule rule = gpu_sampling_rule();
  rule.warmup = 1;
  rule.minimum = 6;
  rule.maximum = 8;
  return rule;
}

// A hop that is a copy: in the place of NCCL.
class CopyTransfer final : public Transfer {
 public:
  void run(void* to, const void* from, std::size_t bytes, cudaStream_t stream) override {
    cuda::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
  }
};

// A stream that says of itself to be on some SMs.
class AStream final : public SomeSms {
 public:
  explicit AStream(int sms) : sms_(sms) {}
  [[nodiscard]] int sms() const override { return sms_; }
  [[nodiscard]] cudaStream_t stream() const override { return stream_.get(); }

 private:
  int sms_;
  cuda::Stream stream_;
};

GpuKernels stand_ins() {
  GpuKernels kernels;
  kernels.attention = cuda::reference_kernels();
  kernels.own = [](int) { return cuda::reference_kernels(); };
  kernels.own_merging = [](const cuda::ForwardCall&) -> MergingForward {
    return [](const cuda::ForwardCall&, cuda::OutputAccumulator, cudaStream_t stream) { cuda::empty_kernel(stream); };
  };
  kernels.product = [](std::int64_t, std::int64_t, std::int64_t) -> MatrixProduct {
    return [](const cuda::Bf16*, const cuda::Bf16*, cuda::Bf16*, cudaStream_t stream) { cuda::empty_kernel(stream); };
  };
  kernels.nccl = [](const std::vector<int>&, std::size_t) -> std::unique_ptr<Transfer> {
    return std::make_unique<CopyTransfer>();
  };
  kernels.some_sms = [](int sms) { return std::make_shared<AStream>(sms); };
  kernels.software = "stand-ins";
  kernels.missing = {"cuDNN: not there, as this is an emulation"};
  return kernels;
}

GpuBenchmarkOptions tiny() {
  GpuBenchmarkOptions options;
  options.query_heads = 2;
  options.kv_heads = 1;
  options.head_dim = 8;
  options.least_tokens = 8;
  options.most_tokens = 16;
  options.most_bytes = std::size_t{256} << 10U;
  options.rates_bytes_per_s = {450e9, 12.5e9};
  options.rows_of_products = 64;
  options.rule = short_rule();
  options.flush_bytes = 4096;
  options.clock = emulated::host_time_s;
  return options;
}

TEST(GpuSampler, AnEmptyKernelTakesTheRuntimesTime) {
  const cuda::Devices found = fresh_gpu();
  GpuSampler sampler(found.devices.at(0), emulated::host_time_s, 4096);
  const Sampling sampling = sampler.alone(short_rule(), [](cudaStream_t s) { cuda::empty_kernel(s); });
  // From event to event there is the kernel alone: the gate kept the host's calls out of it.
  EXPECT_NEAR(sampling.timing().median_s, 2e-6, 1e-9);
  EXPECT_EQ(sampling.timing().samples, 6);  // they are all alike, so that the least number suffices
  EXPECT_TRUE(sampling.discarded().empty());
}

TEST(GpuSampler, TheClockIsReadAroundEverySample) {
  emulated::Settings settings;
  settings.sm_clock_hz = 1.5e9;
  emulated::reset(settings);
  cuda::DeviceInfo device = cuda::find_devices().devices.at(0);
  // The emulated clock always runs at its default, and is found to within the timer's steps.
  GpuSampler sampler(device, emulated::host_time_s, 4096);
  (void)sampler.alone(short_rule(), [](cudaStream_t s) { cuda::empty_kernel(s); });
  EXPECT_NEAR(sampler.latest_sm_hz(), 1.5e9, 0.02 * 1.5e9);
  // A device whose default is 3 GHz runs at half of it: below 75 %, so every sample is throttled. As none is left, all count.
  device.sm_clock_hz = 3e9;
  GpuSampler slow(device, emulated::host_time_s, 4096);
  const Sampling throttled = slow.alone(short_rule(), [](cudaStream_t s) { cuda::empty_kernel(s); });
  EXPECT_TRUE(throttled.mostly_disturbed());
  EXPECT_THAT(throttled.note(), HasSubstr("throttled"));
  // At 80 % of the default none is.
  device.sm_clock_hz = 1.5e9 / 0.8;
  GpuSampler enough(device, emulated::host_time_s, 4096);
  EXPECT_FALSE(enough.alone(short_rule(), [](cudaStream_t s) { cuda::empty_kernel(s); }).mostly_disturbed());
}

TEST(GpuSampler, BesideEachOtherBothAreTimed) {
  const cuda::Devices found = fresh_gpu();
  GpuSampler sampler(found.devices.at(0), emulated::host_time_s, 4096);
  constexpr std::size_t bytes = 1 << 16;
  cuda::Memory<std::byte> from(bytes);
  cuda::Memory<std::byte> to(bytes);
  cuda::PacedCopyOptions slow;
  slow.bytes_per_s = 1e9;
  cuda::PacedCopy copy(slow);
  for (const bool kernel_first : {false, true}) {
    const auto both = sampler.beside(
        short_rule(), [](cudaStream_t s) { cuda::empty_kernel(s); },
        [&](cudaStream_t s) { copy.run(to.data(), from.data(), bytes, s); }, kernel_first);
    ASSERT_EQ(both.size(), 2U);
    EXPECT_NEAR(both[0].timing().median_s, 2e-6, 1e-9) << kernel_first;
    // 65,536 B at 10⁹ B/s; the emulation knows no contention, so the order changes nothing.
    EXPECT_NEAR(both[1].timing().median_s, 65.536e-6, 5e-6) << kernel_first;
  }
}

TEST(GpuSampler, AnErrorWhileTheStreamIsHeldBackOpensIt) {
  const cuda::Devices found = fresh_gpu();
  GpuSampler sampler(found.devices.at(0), emulated::host_time_s, 4096);
  int calls = 0;
  const Work fails_later = [&calls](cudaStream_t s) {
    if (++calls > 1) throw Error("no more");
    cuda::empty_kernel(s);
  };
  EXPECT_THROW((void)sampler.alone(short_rule(), fails_later), Error);
  // The gate of the failed sample is open: what comes next is neither held back by it nor told that it gave up.
  EXPECT_NEAR(sampler.alone(short_rule(), [](cudaStream_t s) { cuda::empty_kernel(s); }).timing().median_s, 2e-6, 1e-9);
}

TEST(GpuSampler, TheHostsTimeIsThatOfItsCalls) {
  const cuda::Devices found = fresh_gpu();
  GpuSampler sampler(found.devices.at(0), emulated::host_time_s, 4096);
  // Ten launches of 1 µs each on the host.
  const Sampling sampling = sampler.of_host(
      short_rule(),
      [](cudaStream_t stream, cudaStream_t) {
        for (int i = 0; i < 10; ++i) cuda::empty_kernel(stream);
      },
      10);
  EXPECT_NEAR(sampling.timing().median_s, 1e-6, 1e-8);
}

class AllBenchmarks : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const cuda::Devices found = fresh_gpu();
    std::int64_t calls = 0;
    samples_ = new Samples(
        run_gpu_benchmarks(found, stand_ins(), tiny(), [&](std::int64_t done, std::int64_t total, const std::string&) {
          EXPECT_EQ(done, calls++);
          EXPECT_LE(done, total);
        }));
  }
  static void TearDownTestSuite() {
    delete samples_;
    samples_ = nullptr;
  }
  static inline Samples* samples_ = nullptr;
};

TEST_F(AllBenchmarks, EveryKindIsThereAndNothingFailed) {
  const Points points = points_of(*samples_);
  // Four shapes of two sizes and both passes.
  EXPECT_EQ(points.attention.size(), 4U * 2 * 2);
  std::set<std::string> links;
  for (const TransferPoint& p : points.transfer) links.insert(p.link_class);
  EXPECT_EQ(links, (std::set<std::string>{"paced-450-gb", "paced-450-gb-copy-engine", "paced-12.5-gb",
                                          "paced-12.5-gb-copy-engine", std::string(nccl_to_itself)}));
  EXPECT_FALSE(points.merge.empty());
  EXPECT_FALSE(points.gemm.empty());
  EXPECT_FALSE(points.stream.empty());
  EXPECT_EQ(points.launch.size(), 1U);
  EXPECT_EQ(points.overhead.size(), 4U);
  std::set<std::pair<std::string, std::int64_t>> on_sms;
  for (const AttentionVariantPoint& p : points.variants) on_sms.emplace(p.kernel, p.multiprocessors);
  // Our own (here a stand-in of the same name) on all and on fewer of 16 SMs, the profile's kernel on eighths of them.
  EXPECT_TRUE(on_sms.contains({"reference", 12}));
  EXPECT_TRUE(on_sms.contains({"reference", 8}));
  EXPECT_FALSE(points.copy.empty());
  const auto starved = std::count_if(points.interference.begin(), points.interference.end(),
                                     [](const InterferencePoint& p) { return p.kernel_first; });
  EXPECT_GT(starved, 0);
  EXPECT_GT(static_cast<std::ptrdiff_t>(points.interference.size()), starved);
  for (const std::string& note : points.notes) EXPECT_EQ(note.find("failed"), std::string::npos) << note;
}

TEST_F(AllBenchmarks, NamesTellBenchmarksApart) {
  std::set<std::string> names;
  for (const Benchmark& benchmark : samples_->benchmarks) {
    EXPECT_TRUE(names.insert(benchmark.name()).second) << benchmark.name();
  }
}

TEST_F(AllBenchmarks, TheMachineAndWhatItLacksAreSaid) {
  EXPECT_EQ(samples_->provenance.device, "cuda");
  EXPECT_EQ(samples_->provenance.multiprocessors, 16);
  EXPECT_THAT(samples_->provenance.machine, HasSubstr("16 SMs"));
  EXPECT_THAT(samples_->provenance.software, HasSubstr("stand-ins"));
  EXPECT_THAT(samples_->notes, Contains(HasSubstr("clock of the SMs")));
  EXPECT_THAT(samples_->notes, Contains(HasSubstr("timed again at the end, took +0.00 %")));
  EXPECT_THAT(samples_->notes, Contains("cuDNN: not there, as this is an emulation"));
  EXPECT_THAT(samples_->notes, Contains(HasSubstr("nothing here is a measurement of a link")));
}

TEST_F(AllBenchmarks, PacedCopiesTakeTheTimeOfTheirLink) {
  for (const TransferPoint& p : points_of(*samples_).transfer) {
    const auto rate = paced_rate(p.link_class);
    if (!rate) continue;
    const double link_s = p.bytes / in_bytes_per_second(*rate);
    EXPECT_GE(p.time.median_s, link_s * (1 - 1e-9)) << p.source;
    // A launch, and of a copy engine a kernel before each chunk and behind it: a few µs.
    EXPECT_LE(p.time.median_s, link_s + 10e-6) << p.source;
  }
}

TEST_F(AllBenchmarks, TheFileComesBack) {
  const std::string text = write_samples(*samples_);
  EXPECT_EQ(write_samples(read_samples(text, "s.json")), text);
}

TEST_F(AllBenchmarks, AProfileIsFittedToThem) {
  FitOptions options;
  options.name = "emulated";
  options.gpu = "emulated-gpu";
  const Profile profile = fit_profile(points_of(*samples_), options).profile;
  // An empty kernel takes 2 µs on the emulated device, which is all that there is on its critical path.
  EXPECT_NEAR(in_seconds(profile.launch.value), 2e-6, 1e-8);
  EXPECT_TRUE(profile.links.contains("paced-450-gb"));
  EXPECT_FALSE(profile.links.contains(std::string(nccl_to_itself)));
}

TEST(GpuBenchmarks, WhatThereIsNoTimeForIsLeftOutAndSaid) {
  const cuda::Devices found = fresh_gpu();
  GpuBenchmarkOptions options = tiny();
  options.budget_s = 1e-9;
  const Samples samples = run_gpu_benchmarks(found, stand_ins(), options);
  EXPECT_THAT(samples.notes, Contains(HasSubstr("there was no time for")));
  // What a profile cannot do without is there all the same.
  const Points points = points_of(samples);
  EXPECT_FALSE(points.attention.empty());
  EXPECT_FALSE(points.merge.empty());
  EXPECT_EQ(points.launch.size(), 1U);
  EXPECT_TRUE(points.copy.empty());
}

TEST(GpuBenchmarks, OneThatFailsIsLeftOutAlone) {
  const cuda::Devices found = fresh_gpu();
  GpuKernels kernels = stand_ins();
  kernels.product = [](std::int64_t, std::int64_t, std::int64_t) -> MatrixProduct { throw Error("no such product"); };
  GpuBenchmarkOptions options = tiny();
  options.budget_s = 1e-9;  // what may be left out is of no interest here
  const Samples samples = run_gpu_benchmarks(found, kernels, options);
  EXPECT_TRUE(points_of(samples).gemm.empty());
  EXPECT_FALSE(points_of(samples).stream.empty());
  EXPECT_THAT(samples.notes, Contains(HasSubstr("no such product")));
}

TEST(GpuBenchmarks, WithoutAGpuTheReasonIsGiven) {
  emulated::Settings settings;
  settings.devices = 0;
  emulated::reset(settings);
  const cuda::Devices found = cuda::find_devices();
  try {
    (void)run_gpu_benchmarks(found, stand_ins(), tiny());
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), found.why_none);
    EXPECT_FALSE(error.message().empty());
  }
}

TEST(GpuBenchmarks, NothingIsLeftBehind) {
  const cuda::Devices found = fresh_gpu();
  GpuBenchmarkOptions options = tiny();
  options.budget_s = 1e-9;
  (void)run_gpu_benchmarks(found, stand_ins(), options);
  EXPECT_TRUE(emulated::alive().none());
  EXPECT_EQ(emulated::broken_guards(), "");
}

}  // namespace
}  // namespace ringsim::calibrate
