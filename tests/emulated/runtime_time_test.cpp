// The emulated runtime's virtual time. With the settings' defaults a call costs the host 1 µs, an operation begins 4 µs after it
// at the earliest, and a kernel takes 2 µs.

#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/resources.hpp"
#include "tests/emulated/runtime.hpp"
#include "tests/emulated/support.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <ringsim_timer.cuh>

#include <set>

namespace ringsim {
namespace {

using cuda::Event;
using cuda::Memory;
using cuda::Stream;

__global__ void nothing_kernel() {}
__global__ void spin_kernel(std::uint64_t ns) {
  const std::uint64_t begin = cuda::global_time_ns();
  while (cuda::global_time_ns() - begin < ns) {
  }
}
__global__ void sleep_kernel(unsigned ns) { cuda::pause_ns(ns * (blockIdx.x + 1)); }

constexpr std::size_t megabyte = 1'000'000;

// 1 MB a millisecond.
emulated::Settings slow_memory() {
  emulated::Settings settings;
  settings.memory_bytes_per_s = 1e9;
  settings.host_bytes_per_s = 0.5e9;
  return settings;
}

void copy(const Memory<unsigned char>& to, const Memory<unsigned char>& from, const Stream& stream) {
  cuda::check(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice, stream.get()), "copy");
}

// Record at t; kernels enqueued at t + 1, t + 2 and t + 3 µs. The first runs from t + 1 to t + 3, the others follow without a
// gap, to t + 5 and t + 7; the second record is enqueued at t + 4 and happens at t + 7.
TEST(EmulatedTime, KernelsFollowEachOther) {
  emulated::reset();
  const Stream stream;
  const Event begin;
  const Event end;
  begin.record(stream.get());
  for (int i = 0; i < 3; ++i) cuda::launch("nothing", nothing_kernel, {}, stream.get());
  end.record(stream.get());
  end.synchronize();
  EXPECT_NEAR(cuda::seconds_between(begin, end), 7e-6, 1e-10);
}

// Two copies of 1 ms on two streams run beside each other, and after a wait one after the other. The order in which they are
// executed here changes nothing.
TEST(EmulatedTime, StreamsRunBesideEachOther) {
  std::set<double> beside;
  std::set<double> in_a_row;
  for (const auto order : {emulated::Order::issue, emulated::Order::high_priority_first,
                           emulated::Order::low_priority_first, emulated::Order::random}) {
    for (const bool wait : {false, true}) {
      emulated::Settings settings = slow_memory();
      settings.order = order;
      emulated::reset(settings);
      const Stream first(Stream::Priority::low);
      const Stream second(Stream::Priority::high);
      const Memory<unsigned char> a(megabyte);
      const Memory<unsigned char> b(megabyte);
      const Event begin;
      const Event middle;
      const Event end;
      begin.record(first.get());
      copy(a, b, first);
      middle.record(first.get());
      if (wait) middle.hold_back(second.get());
      copy(a, b, second);
      end.record(second.get());
      cuda::tests::finish();
      (wait ? in_a_row : beside).insert(cuda::seconds_between(begin, end));
    }
  }
  ASSERT_EQ(beside.size(), 1U);
  ASSERT_EQ(in_a_row.size(), 1U);
  // The second copy begins when it is enqueued, a few calls after the first.
  EXPECT_NEAR(*beside.begin(), 1e-3, 10e-6);
  EXPECT_NEAR(*in_a_row.begin(), 2e-3, 10e-6);
}

// 1 MB to the host at 0.5 GB/s: 2 ms on the device. The host has waited for it.
TEST(EmulatedTime, TheHostWaits) {
  emulated::reset(slow_memory());
  const Memory<unsigned char> memory(megabyte);
  const double before_s = emulated::host_time_s();
  static_cast<void>(cuda::tests::download(memory.data(), megabyte));
  EXPECT_NEAR(emulated::host_time_s() - before_s, 2e-3, 10e-6);
}

// A kernel that waits for the timer to advance by 1 ms takes that long and its own 2 µs; looks are 32 ns apart.
TEST(EmulatedTime, SpinningTakesTime) {
  emulated::reset();
  const Stream stream;
  const Event begin;
  const Event end;
  begin.record(stream.get());
  cuda::launch("spin", spin_kernel, {}, stream.get(), std::uint64_t{1'000'000});
  end.record(stream.get());
  stream.synchronize();
  EXPECT_NEAR(cuda::seconds_between(begin, end), 1e-3 + 3e-6, 0.1e-6);
}

// Blocks of a grid run beside each other: 4 that sleep for 1, 2, 3 and 4 ms take 4 ms.
TEST(EmulatedTime, BlocksRunBesideEachOther) {
  emulated::reset();
  const Stream stream;
  const Event begin;
  const Event end;
  begin.record(stream.get());
  cuda::launch("sleep", sleep_kernel, {dim3(4), dim3(1)}, stream.get(), 1'000'000U);
  end.record(stream.get());
  stream.synchronize();
  EXPECT_NEAR(cuda::seconds_between(begin, end), 4e-3 + 3e-6, 0.1e-6);
}

// Without the host's costs a kernel's time is what the settings' function says: 1 ms a block.
TEST(EmulatedTime, KernelTimesCanBeGiven) {
  emulated::Settings settings;
  settings.host_call_s = 0;
  settings.kernel_time_s = [](const emulated::Grid& grid) { return 1e-3 * grid.blocks.x; };
  emulated::reset(settings);
  const Stream stream;
  const Event begin;
  const Event end;
  begin.record(stream.get());
  cuda::launch("nothing", nothing_kernel, {dim3(3), dim3(1)}, stream.get());
  end.record(stream.get());
  stream.synchronize();
  EXPECT_NEAR(cuda::seconds_between(begin, end), 3e-3, 1e-9);
}

// Times need events that keep them, and that have happened.
TEST(EmulatedTime, OnlyOfTimingEvents) {
  emulated::reset();
  const Stream stream;
  const Event begin;
  const Event end;
  const Event ordering(Event::Kind::ordering);
  begin.record(stream.get());
  end.record(stream.get());
  ordering.record(stream.get());
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), cudaErrorNotReady);
  stream.synchronize();
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin.get(), ordering.get()), cudaErrorInvalidResourceHandle);
}

}  // namespace
}  // namespace ringsim
