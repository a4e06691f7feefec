// The emulated runtime: memory, its guards, and errors that say what is wrong.

#include "kernels/cuda/error.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"
#include "tests/emulated/runtime.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace ringsim {
namespace {

class EmulatedMemory : public ::testing::Test {
 protected:
  void SetUp() override { emulated::reset(); }
};

std::string message(cudaError_t error) { return cudaGetErrorString(error); }

// Memory comes with all bits set, which is NaN in fp32: what a kernel forgot to write shows.
TEST_F(EmulatedMemory, ComesPoisoned) {
  const cuda::Memory<std::uint32_t> memory(3);
  std::vector<std::uint32_t> host(3);
  ASSERT_EQ(cudaMemcpy(host.data(), memory.data(), memory.bytes(), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(host, std::vector<std::uint32_t>(3, 0xffffffffU));
}

// The byte behind an allocation of 12 belongs to its guard: writing it is noticed, and freeing says so.
TEST_F(EmulatedMemory, GuardsAreLookedAt) {
  unsigned char* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 12), cudaSuccess);
  EXPECT_EQ(emulated::broken_guards(), "");
  data[12] = 0;
  EXPECT_EQ(emulated::broken_guards(), "something wrote behind 12 bytes on device 0");
  EXPECT_EQ(cudaFree(data), cudaErrorIllegalAddress);
  unsigned char* other = nullptr;
  ASSERT_EQ(cudaMalloc(&other, 12), cudaSuccess);
  other[-1] = 0;
  EXPECT_EQ(cudaFree(other), cudaErrorIllegalAddress);
  EXPECT_EQ(emulated::problem(), "cudaFree: something wrote before 12 bytes on device 0");
}

// Bytes 8 to 16 of 12: the last four do not exist, as source nor as destination nor to be filled.
TEST_F(EmulatedMemory, CopiesStayInsideOfAllocations) {
  const cuda::Memory<unsigned char> memory(12);
  const cuda::Memory<unsigned char> other(12);
  unsigned char host[8] = {};
  EXPECT_EQ(cudaMemcpy(memory.data() + 8, host, 8, cudaMemcpyHostToDevice), cudaErrorIllegalAddress);
  EXPECT_NE(message(cudaErrorIllegalAddress).find("written: bytes 8 to 16 of 12 bytes on device 0"), std::string::npos);
  EXPECT_EQ(cudaMemcpy(host, memory.data() + 8, 8, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMemcpy(other.data(), memory.data() + 8, 8, cudaMemcpyDeviceToDevice), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMemset(memory.data() + 8, 0, 8), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMemcpy(memory.data() + 4, host, 8, cudaMemcpyHostToDevice), cudaSuccess);
}

// A copy between host and device that is called the other way round.
TEST_F(EmulatedMemory, DirectionsAreChecked) {
  const cuda::Memory<unsigned char> memory(8);
  unsigned char host[8] = {};
  EXPECT_EQ(cudaMemcpy(memory.data(), host, 8, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, memory.data(), 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(memory.data(), host, 8, cudaMemcpyDefault), cudaSuccess);
}

TEST_F(EmulatedMemory, WhatIsAliveIsCounted) {
  EXPECT_TRUE(emulated::alive().none());
  {
    const cuda::Memory<float> memory(10);
    const cuda::Stream stream;
    const cuda::Event event;
    EXPECT_EQ(emulated::alive().allocations, 1U);
    EXPECT_EQ(emulated::alive().streams, 1U);
    EXPECT_EQ(emulated::alive().events, 1U);
  }
  EXPECT_TRUE(emulated::alive().none());
}

// 1 MiB of memory, of which 1000 bytes are taken: 1 MiB more is too much, what is left is not.
TEST_F(EmulatedMemory, RunsOut) {
  emulated::Settings settings;
  settings.memory_bytes = 1U << 20U;
  emulated::reset(settings);
  const cuda::Memory<unsigned char> some(1000);
  void* data = nullptr;
  EXPECT_EQ(cudaMalloc(&data, 1U << 20U), cudaErrorMemoryAllocation);
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(total - free, 1000U);
  EXPECT_EQ(cudaMalloc(&data, free), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(EmulatedMemory, FreedTwice) {
  void* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 8), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

// Handles stay different, so that one of something destroyed is known, also when a new one has been made since.
TEST_F(EmulatedMemory, DestroyedHandlesAreRefused) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  const cuda::Stream another;
  const cuda::Event event;
  EXPECT_EQ(cudaEventRecord(event.get(), stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(emulated::problem(), "cudaEventRecord: this stream has been destroyed");
  EXPECT_EQ(cudaEventRecord(nullptr, another.get()), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(emulated::problem(), "cudaEventRecord: there never was this event");
  cudaEvent_t destroyed = nullptr;
  ASSERT_EQ(cudaEventCreate(&destroyed), cudaSuccess);
  ASSERT_EQ(cudaEventDestroy(destroyed), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(another.get(), destroyed, 0), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(emulated::problem(), "cudaStreamWaitEvent: this event has been destroyed");
}

// check() makes an Error of a status: the call, the words, the sentence and the name.
TEST_F(EmulatedMemory, ErrorsSayWhatHappened) {
  try {
    cuda::check(cudaSetDevice(3), "cudaSetDevice");
    FAIL() << "device 3 of 1";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "cudaSetDevice: invalid device ordinal: cudaSetDevice: device 3 of 1 (cudaErrorInvalidDevice)");
  }
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// Two devices: memory, streams and copies between them.
TEST_F(EmulatedMemory, SeveralDevices) {
  emulated::Settings settings;
  settings.devices = 2;
  emulated::reset(settings);
  const cuda::Memory<int> first(4);
  const cuda::Stream stream;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  const cuda::Memory<int> second(4);
  const std::vector<int> sent = {1, 2, 3, 4};
  ASSERT_EQ(cudaMemcpy(first.data(), sent.data(), first.bytes(), cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(cudaMemcpyPeerAsync(second.data(), 0, first.data(), 0, 16, stream.get()), cudaErrorInvalidValue);
  ASSERT_EQ(cudaMemcpyPeerAsync(second.data(), 1, first.data(), 0, 16, stream.get()), cudaSuccess);
  stream.synchronize();
  std::vector<int> received(4);
  ASSERT_EQ(cudaMemcpy(received.data(), second.data(), 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(received, sent);
  // An event of device 1 cannot be recorded on a stream of device 0.
  const cuda::Event event;
  EXPECT_EQ(cudaEventRecord(event.get(), stream.get()), cudaErrorInvalidResourceHandle);
}

}  // namespace
}  // namespace ringsim
