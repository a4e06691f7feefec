// Copies at the rate of a link on a GPU: every byte arrives, and at that rate.
#include "kernels/cuda/paced_copy.hpp"

#include "tests/device/gpu.hpp"

#include <cstdio>

namespace ringsim::cuda::device_tests {
namespace {

constexpr std::size_t large = std::size_t{256} << 20U;

class PacedCopies : public OnGpu {
 protected:
  // Rate of the third copy; the bytes of all must be right.
  double rate_of(const PacedCopyOptions& options, std::size_t bytes) {
    const auto numbers = static_cast<std::int64_t>(bytes / sizeof(Bf16));
    const Memory<Bf16> from = random_numbers(numbers, 7);
    const Memory<Bf16> to = poisoned<Bf16>(numbers);
    PacedCopy copy(options);
    const Stream stream(Stream::Priority::high);
    Gate gate;
    const Event start;
    const Event end;
    double seconds = 0;
    for (int run = 0; run < 3; ++run) {
      gate.close(stream.get());
      start.record(stream.get());
      copy.run(to.data(), from.data(), bytes, stream.get());
      end.record(stream.get());
      gate.release();
      stream.synchronize();
      seconds = seconds_between(start, end);
    }
    EXPECT_TRUE(same_bytes(to, from)) << bytes;
    return static_cast<double>(bytes) / seconds;
  }
};

TEST_F(PacedCopies, SmallBytesAreRight) {
  for (const CopyEngine engine : {CopyEngine::sm_kernel, CopyEngine::copy_engine}) {
    PacedCopyOptions options;
    options.engine = engine;
    options.blocks = 4;
    options.chunk_bytes = 4096;
    options.bytes_per_s = 10e9;
    // A part of a chunk at the end, and less than a chunk.
    for (const std::size_t bytes : {std::size_t{3 * 4096 + 48}, std::size_t{16}}) (void)rate_of(options, bytes);
  }
}

// 256 MiB take 596 µs at 450 GB/s and more at the other rates: 2 % are 12 µs, so that launch and events do not count.
TEST_F(PacedCopies, KeepTheRateOfALink) {
  for (const double rate : {450e9, 370e9, 50e9, 25e9, 12.5e9}) {
    for (const CopyEngine engine : {CopyEngine::sm_kernel, CopyEngine::copy_engine}) {
      PacedCopyOptions options;
      options.engine = engine;
      options.blocks = 16;
      options.bytes_per_s = rate;
      const double reached = rate_of(options, large);
      const char* name = engine == CopyEngine::sm_kernel ? "16 blocks" : "copy engine";
      std::printf("paced copy, %s, %.1f GB/s: %.2f GB/s\n", name, rate / 1e9, reached / 1e9);
      EXPECT_NEAR(reached, rate, 0.02 * rate) << name;
    }
  }
}

TEST_F(PacedCopies, WithClustersAsWell) {
  if (!device().is_hopper()) GTEST_SKIP() << "clusters of thread blocks need compute capability 9.0";
  for (const int cluster : {1, 4, 8}) {
    PacedCopyOptions options;
    options.blocks = 16;
    options.cluster = cluster;
    options.bytes_per_s = 100e9;
    EXPECT_NEAR(rate_of(options, large), 100e9, 0.02 * 100e9) << cluster;
  }
}

}  // namespace
}  // namespace ringsim::cuda::device_tests
