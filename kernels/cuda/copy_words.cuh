#pragma once
// A thread's part of a copy.

#include <cuda_runtime.h>

#include <cstddef>

namespace ringsim::cuda {

/// Words first, first + threads, ... (at_once of them) of 16 bytes, those below `words`: all loads are under way before the first store.
template <int threads, int at_once>
__device__ __forceinline__ void copy_words(uint4* __restrict__ to, const uint4* __restrict__ from, std::size_t first,
                                           std::size_t words) {
  uint4 kept[at_once];
#pragma unroll
  for (int i = 0; i < at_once; ++i) {
    const std::size_t word = first + static_cast<std::size_t>(i) * threads;
    if (word < words) kept[i] = from[word];
  }
#pragma unroll
  for (int i = 0; i < at_once; ++i) {
    const std::size_t word = first + static_cast<std::size_t>(i) * threads;
    if (word < words) to[word] = kept[i];
  }
}

}  // namespace ringsim::cuda
