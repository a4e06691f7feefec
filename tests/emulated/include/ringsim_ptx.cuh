#pragma once
// The PTX instructions of kernels/cuda/hopper on the CPU: the functions of kernels/cuda/hopper/ptx/ringsim_ptx.cuh,
// with their names, in terms of the emulated block. A build finds this one where tests/emulated/include comes first in
// its include path.

#include "kernels/cuda/bf16.hpp"
#include "tests/emulated/barriers.hpp"
#include "tests/emulated/block.hpp"
#include "tests/emulated/block_state.hpp"
#include "tests/emulated/tensor_copy.hpp"
#include "tests/emulated/warpgroup_mma.hpp"

#include <cuda_runtime.h>
#include <ringsim_tensor_map.hpp>

#include <cmath>
#include <cstdint>

#define RINGSIM_UNROLL

namespace ringsim::cuda::ptx {

inline std::byte* dynamic_shared() { return emulated::dynamic_shared(); }
inline std::uint32_t shared_address(const void* data) { return emulated::address_in_shared(data); }

inline void init_barrier(std::uint64_t* barrier, std::uint32_t arrivals) {
  emulated::current_block().async_barriers->init(shared_address(barrier), arrivals);
}
inline void fence_barrier_init() { emulated::current_block().async_barriers->fence_init(); }
inline void arrive(std::uint64_t* barrier) {
  emulated::current_block().async_barriers->arrive(shared_address(barrier));
}
inline void arrive_expecting(std::uint64_t* barrier, std::uint32_t bytes) {
  emulated::current_block().async_barriers->arrive_expecting(shared_address(barrier), bytes);
}
inline void wait(std::uint64_t* barrier, std::uint32_t parity) {
  emulated::current_block().async_barriers->wait(shared_address(barrier), parity);
}

template <unsigned threads>
void named_barrier_sync(unsigned barrier) {
  emulated::current_block().named_barriers->sync(barrier, threads);
}
template <unsigned threads>
void named_barrier_arrive(unsigned barrier) {
  emulated::current_block().named_barriers->arrive(barrier, threads);
}

inline void prefetch(const TensorMap*) {}
inline void load_box(void* to, const TensorMap* tensor, std::uint64_t* barrier, std::int32_t dim, std::int32_t row,
                     std::int32_t head) {
  emulated::copy_box(shared_address(to), *tensor, shared_address(barrier), dim, row, head);
}

template <unsigned count>
void take_registers() {
  static_assert(count % 8 == 0 && count >= 24 && count <= 256);
}
template <unsigned count>
void give_registers() {
  static_assert(count % 8 == 0 && count >= 24 && count <= 256);
}

inline void mma_fence() { emulated::current_block().mma->fence(); }
inline void mma_commit() { emulated::current_block().mma->commit(); }
template <unsigned pending>
void mma_wait() {
  emulated::current_block().mma->wait(pending);
}
template <unsigned n>
void mma_shared_shared(float (&d)[n / 2], std::uint64_t a, std::uint64_t b, bool accumulate) {
  emulated::current_block().mma->multiply(d, {n, accumulate, nullptr, a, b, emulated::Major::k});
}
template <unsigned n>
void mma_registers_transposed(float (&d)[n / 2], const std::uint32_t* a, std::uint64_t b, bool accumulate) {
  emulated::current_block().mma->multiply(d, {n, accumulate, a, 0, b, emulated::Major::mn});
}

/// Nothing to be done: the emulated registers are memory, and its functions are opaque.
template <class T, unsigned count>
void keep_in_order(T (&)[count]) {}

inline float exp2(float x) { return std::exp2(x); }
inline float log2(float x) { return std::log2(x); }
inline float multiply_add(float a, float b, float c) { return std::fma(a, b, c); }
inline std::uint32_t pack_bf16(float low, float high) {
  return std::uint32_t{to_bf16(low).bits} | std::uint32_t{to_bf16(high).bits} << 16U;
}

/// Emulated lanes need not be together.
inline void converge() {}
template <class T>
T shuffle_xor(T value, int lanes) {
  return emulated::shuffle_xor(value, lanes);
}
template <class T>
T shuffle(T value, int lane) {
  return emulated::shuffle(value, lane);
}

}  // namespace ringsim::cuda::ptx
