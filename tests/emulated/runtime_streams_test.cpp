// The emulated runtime: what orders operations, and that what nothing orders is seen in some order.

#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"
#include "tests/emulated/runtime.hpp"
#include "tests/emulated/support.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

namespace ringsim {
namespace {

using cuda::Event;
using cuda::Memory;
using cuda::Stream;

__global__ void append_kernel(int* log, int number) {
  // log[0] is the length.
  log[0] += 1;
  log[log[0]] = number;
}

// Numbers in the order in which kernels wrote them.
class Log {
 public:
  Log() : memory_(64) {
    // The default stream's work: without waiting for it, it may come after what other streams do.
    cuda::check(cudaMemset(memory_.data(), 0, memory_.bytes()), "cudaMemset");
    cuda::tests::finish();
  }
  void append(int number, const Stream& stream) { append(number, stream.get()); }
  void append(int number, cudaStream_t stream) {
    cuda::launch("append", append_kernel, {}, stream, memory_.data(), number);
  }
  [[nodiscard]] std::vector<int> read() const {
    cuda::tests::finish();
    const std::vector<int> all = cuda::tests::download(memory_.data(), 64);
    return {all.begin() + 1, all.begin() + 1 + all[0]};
  }

 private:
  Memory<int> memory_;
};

constexpr emulated::Order all_orders[] = {emulated::Order::issue, emulated::Order::high_priority_first,
                                          emulated::Order::low_priority_first};

// What a program can do, over the fixed orders and 20 seeds.
std::set<std::vector<int>> outcomes(const std::function<std::vector<int>()>& program) {
  std::set<std::vector<int>> seen;
  const auto run = [&](emulated::Order order, std::uint64_t seed) {
    emulated::Settings settings;
    settings.order = order;
    settings.seed = seed;
    emulated::reset(settings);
    seen.insert(program());
  };
  for (const emulated::Order order : all_orders) run(order, 0);
  for (std::uint64_t seed = 0; seed < 20; ++seed) run(emulated::Order::random, seed);
  return seen;
}

// Nothing happens before the host waits.
TEST(EmulatedStreams, AreDeferred) {
  emulated::reset();
  const Stream stream;
  Memory<int> memory(1);
  cuda::check(cudaMemsetAsync(memory.data(), 0, 4, stream.get()), "cudaMemsetAsync");
  EXPECT_EQ(emulated::pending(), 1U);
  EXPECT_EQ(*memory.data(), -1);  // the emulated device's memory is the host's: still poisoned
  stream.synchronize();
  EXPECT_EQ(emulated::pending(), 0U);
  EXPECT_EQ(*memory.data(), 0);
}

// One stream: as enqueued, in every order.
TEST(EmulatedStreams, KeepTheirOrder) {
  const auto seen = outcomes([] {
    Log log;
    const Stream stream;
    for (int i = 1; i <= 5; ++i) log.append(i, stream);
    return log.read();
  });
  EXPECT_EQ(seen, (std::set<std::vector<int>>{{1, 2, 3, 4, 5}}));
}

// Two streams without events: 1 and 2 in either order. This is how a missing wait shows.
TEST(EmulatedStreams, AreFreeOfEachOther) {
  const auto seen = outcomes([] {
    Log log;
    const Stream low(Stream::Priority::low);
    const Stream high(Stream::Priority::high);
    log.append(1, low);
    log.append(2, high);
    return log.read();
  });
  EXPECT_EQ(seen, (std::set<std::vector<int>>{{1, 2}, {2, 1}}));
}

// The fixed orders: with the high stream first, 2 and 4 come before 1 and 3; with the low one first, after them.
TEST(EmulatedStreams, GoByPriority) {
  const auto run = [](emulated::Order order) {
    emulated::Settings settings;
    settings.order = order;
    emulated::reset(settings);
    Log log;
    const Stream low(Stream::Priority::low);
    const Stream high(Stream::Priority::high);
    log.append(1, low);
    log.append(2, high);
    log.append(3, low);
    log.append(4, high);
    return log.read();
  };
  EXPECT_EQ(run(emulated::Order::issue), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(run(emulated::Order::high_priority_first), (std::vector<int>{2, 4, 1, 3}));
  EXPECT_EQ(run(emulated::Order::low_priority_first), (std::vector<int>{1, 3, 2, 4}));
}

// A wait for an event: 2 never comes before 1, whatever the order.
TEST(EmulatedStreams, WaitForEvents) {
  const auto seen = outcomes([] {
    Log log;
    const Stream low(Stream::Priority::low);
    const Stream high(Stream::Priority::high);
    const Event event(Event::Kind::ordering);
    log.append(1, low);
    event.record(low.get());
    event.hold_back(high.get());
    log.append(2, high);
    return log.read();
  });
  EXPECT_EQ(seen, (std::set<std::vector<int>>{{1, 2}}));
}

// A wait is for the record that was the latest when the wait was enqueued: 3 comes after 1, but not always after 2, although
// the same event is recorded again behind 2. And a wait enqueued before any record holds nothing back.
TEST(EmulatedStreams, WaitForTheLatestRecordBeforeThem) {
  const auto seen = outcomes([] {
    Log log;
    const Stream low(Stream::Priority::low);
    const Stream high(Stream::Priority::high);
    const Event event(Event::Kind::ordering);
    log.append(1, low);
    event.record(low.get());
    event.hold_back(high.get());
    log.append(2, low);
    event.record(low.get());
    log.append(3, high);
    return log.read();
  });
  EXPECT_EQ(seen, (std::set<std::vector<int>>{{1, 2, 3}, {1, 3, 2}}));

  const auto unrecorded = outcomes([] {
    Log log;
    const Stream low(Stream::Priority::low);
    const Stream high(Stream::Priority::high);
    const Event event(Event::Kind::ordering);
    event.hold_back(high.get());
    log.append(1, low);
    event.record(low.get());
    log.append(2, high);
    return log.read();
  });
  EXPECT_EQ(unrecorded, (std::set<std::vector<int>>{{1, 2}, {2, 1}}));
}

// The default stream waits for blocking streams and they for it; a non-blocking stream does neither.
TEST(EmulatedStreams, DefaultStreamOrdersBlockingOnes) {
  const auto with = [](unsigned flags) {
    return outcomes([flags] {
      Log log;
      cudaStream_t stream = nullptr;
      cuda::check(cudaStreamCreateWithFlags(&stream, flags), "cudaStreamCreateWithFlags");
      log.append(1, stream);
      log.append(2, nullptr);
      log.append(3, stream);
      return log.read();
    });
  };
  EXPECT_EQ(with(cudaStreamDefault), (std::set<std::vector<int>>{{1, 2, 3}}));
  EXPECT_EQ(with(cudaStreamNonBlocking), (std::set<std::vector<int>>{{1, 2, 3}, {1, 3, 2}, {2, 1, 3}}));
}

// Synchronising with a stream lets the host see that stream's work; of another stream's it may have seen nothing.
TEST(EmulatedStreams, SynchronisingIsForOneStream) {
  emulated::Settings settings;
  settings.order = emulated::Order::high_priority_first;
  emulated::reset(settings);
  Log log;
  const Stream low(Stream::Priority::low);
  const Stream high(Stream::Priority::high);
  log.append(1, low);
  log.append(2, high);
  high.synchronize();
  EXPECT_EQ(emulated::pending(), 1U);
  EXPECT_EQ(cudaStreamQuery(high.get()), cudaSuccess);
  low.synchronize();
  EXPECT_EQ(log.read(), (std::vector<int>{2, 1}));
}

// A host that polls: not ready until all three operations have been executed, one at every question.
TEST(EmulatedStreams, PollingGetsOn) {
  emulated::reset();
  Log log;
  const Stream stream;
  const Event event;
  log.append(1, stream);
  log.append(2, stream);
  event.record(stream.get());
  cuda::tests::finish();
  log.append(1, stream);
  log.append(2, stream);
  event.record(stream.get());
  EXPECT_EQ(cudaEventQuery(event.get()), cudaErrorNotReady);
  EXPECT_EQ(cudaEventQuery(event.get()), cudaErrorNotReady);
  EXPECT_EQ(cudaEventQuery(event.get()), cudaSuccess);
}

// A copy from page-locked memory reads it when it is executed; from other memory of the host, when it is enqueued.
TEST(EmulatedStreams, PageableSourcesAreReadAtOnce) {
  emulated::reset();
  const Stream stream;
  const Memory<int> memory(2);
  int* locked = nullptr;
  cuda::check(cudaMallocHost(&locked, sizeof(int)), "cudaMallocHost");
  int pageable = 1;
  *locked = 1;
  cuda::check(cudaMemcpyAsync(memory.data(), &pageable, 4, cudaMemcpyHostToDevice, stream.get()), "copy");
  cuda::check(cudaMemcpyAsync(memory.data() + 1, locked, 4, cudaMemcpyHostToDevice, stream.get()), "copy");
  pageable = 2;
  *locked = 2;
  stream.synchronize();
  EXPECT_EQ(cuda::tests::download(memory.data(), 2), (std::vector<int>{1, 2}));
  cuda::check(cudaFreeHost(locked), "cudaFreeHost");
}

TEST(EmulatedStreams, HostFunctionsAreOperations) {
  emulated::reset();
  const Stream stream;
  int calls = 0;
  const auto count = [](void* data) { ++*static_cast<int*>(data); };
  cuda::check(cudaLaunchHostFunc(stream.get(), count, &calls), "cudaLaunchHostFunc");
  EXPECT_EQ(calls, 0);
  stream.synchronize();
  EXPECT_EQ(calls, 1);
  // Which must not call CUDA.
  const auto forbidden = [](void* data) { *static_cast<cudaError_t*>(data) = cudaDeviceSynchronize(); };
  cudaError_t status = cudaSuccess;
  cuda::check(cudaLaunchHostFunc(stream.get(), forbidden, &status), "cudaLaunchHostFunc");
  stream.synchronize();
  EXPECT_EQ(status, cudaErrorNotPermitted);
}

__global__ void indices_kernel(unsigned* to) {
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  to[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

// A grid of 2 x 2 x 1 blocks of 3 x 1 x 2 threads: each of the 24 threads once, with its own indices.
TEST(EmulatedStreams, GridsHaveIndices) {
  emulated::reset();
  const Memory<unsigned> memory(24);
  cuda::launch("indices", indices_kernel, {dim3(2, 2), dim3(3, 1, 2)}, nullptr, memory.data());
  std::vector<unsigned> expected;
  for (unsigned block = 0; block < 4; ++block) {
    for (unsigned thread = 0; thread < 6; ++thread) expected.push_back(block * 1000 + thread);
  }
  EXPECT_EQ(cuda::tests::download(memory.data(), 24), expected);
}

__global__ void throwing_kernel() { throw Error("a kernel that fails"); }

// What the real runtime would refuse: too many threads, clusters that do not divide the grid, shared memory that nobody asked
// for. And a failing kernel is reported by the call that waits, and by every call from then on.
TEST(EmulatedStreams, BadLaunchesAndFailures) {
  emulated::reset();
  const Memory<unsigned> memory(24);
  const auto launch = [&](const cuda::LaunchShape& shape) {
    cuda::launch("indices", indices_kernel, shape, nullptr, memory.data());
  };
  EXPECT_THROW(launch({dim3(1), dim3(1025)}), Error);
  EXPECT_THROW(launch({dim3(6), dim3(1), 0, 4}), Error);
  EXPECT_THROW(launch({dim3(1), dim3(1), 100'000}), Error);
  cuda::check(cudaFuncSetAttribute(indices_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100'000), "attribute");
  EXPECT_NO_THROW(launch({dim3(1), dim3(1), 100'000}));
  EXPECT_NE(cudaFuncSetAttribute(indices_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 300'000), cudaSuccess);
  cuda::tests::finish();
  cuda::launch("throwing", throwing_kernel, {}, nullptr);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_NE(emulated::problem().find("a kernel that fails"), std::string::npos);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  emulated::reset();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
}  // namespace ringsim
