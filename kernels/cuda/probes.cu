// Kernels that benchmarks time, and the random numbers they read.

#include "kernels/cuda/copy_words.cuh"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/normal.hpp"
#include "kernels/cuda/probes.hpp"
#include "models/error.hpp"

#include <string>

namespace ringsim::cuda {
namespace {

constexpr int threads = 512;
constexpr int blocks_per_sm = 4;
constexpr int at_once = 4;  // 16-byte words that a thread has under way

__global__ void nothing() {}

__global__ void __launch_bounds__(threads, blocks_per_sm)
    copy_kernel(uint4* __restrict__ to, const uint4* __restrict__ from, std::size_t words) {
  const std::size_t stride = std::size_t{gridDim.x} * threads * at_once;
  for (std::size_t first = std::size_t{blockIdx.x} * threads * at_once + threadIdx.x; first < words; first += stride) {
    copy_words<threads, at_once>(to, from, first, words);
  }
}

__global__ void __launch_bounds__(threads) fill(std::uint16_t* to, std::size_t count, std::uint64_t seed) {
  const std::size_t stride = std::size_t{gridDim.x} * threads;
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < count; i += stride) {
    to[i] = to_bf16(normal(seed, i)).bits;
  }
}

}  // namespace

void empty_kernel(cudaStream_t stream) { launch("empty kernel", nothing, {}, stream); }

void stream_copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  if (bytes % sizeof(uint4) != 0) throw Error("a copy of " + std::to_string(bytes) + " bytes", {}, "a multiple of 16");
  if (bytes == 0) return;
  const std::size_t words = bytes / sizeof(uint4);
  const unsigned blocks = blocks_for(static_cast<std::int64_t>(words), std::int64_t{threads} * at_once, blocks_per_sm);
  launch("copy", copy_kernel, {dim3(blocks), dim3(threads)}, stream, static_cast<uint4*>(to),
         static_cast<const uint4*>(from), words);
}

void fill_normal(std::uint16_t* to, std::size_t count, std::uint64_t seed, cudaStream_t stream) {
  if (count == 0) return;
  const unsigned blocks = blocks_for(static_cast<std::int64_t>(count), threads, blocks_per_sm);
  launch("normal numbers", fill, {dim3(blocks), dim3(threads)}, stream, to, count, seed);
}

}  // namespace ringsim::cuda
