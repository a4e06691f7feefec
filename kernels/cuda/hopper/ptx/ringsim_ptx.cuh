#pragma once
// The PTX instructions that our sm_90a kernel is made of, a function each, and nothing but them. The emulation of a GPU
// replaces this header by one of the same name (tests/emulated/include), so that the kernel's source is the same on
// both.
//
// Described in the PTX ISA (version 9.0, CUDA 13.0) under the instructions' names: mbarrier, barrier,
// cp.async.bulk.tensor, wgmma, setmaxnreg.

#include <ringsim_tensor_map.hpp>
#include <wgmma.cuh>

#include <cstddef>
#include <cstdint>

// Loops over registers: register arrays exist only where every index is known.
#define RINGSIM_UNROLL _Pragma("unroll")

namespace ringsim::cuda::ptx {

/// Dynamic shared memory; swizzled tiles need it on a 1024-byte boundary.
__device__ __forceinline__ std::byte* dynamic_shared() {
  extern __shared__ __align__(1024) std::byte shared[];
  return shared;
}

/// As instructions count it, from the beginning of the block's shared memory.
__device__ __forceinline__ std::uint32_t shared_address(const void* data) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(data));
}

// Asynchronous barriers: a phase ends when `arrivals` have arrived and all announced bytes have come.

__device__ __forceinline__ void init_barrier(std::uint64_t* barrier, std::uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}
/// After the last init_barrier: the copying unit sees the barriers.
__device__ __forceinline__ void fence_barrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}
__device__ __forceinline__ void arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
__device__ __forceinline__ void arrive_expecting(std::uint64_t* barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}
/// Waits until the phase of this parity has ended. A new barrier is in phase 0, so that a wait for parity 1 returns at
/// once.
__device__ __forceinline__ void wait(std::uint64_t* barrier, std::uint32_t parity) {
  asm volatile(
      "{\n.reg .pred ended;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
      "@!ended bra again;\n}\n" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

// Barriers with a number, 0 to 15; 0 is that of __syncthreads.

template <unsigned threads>
__device__ __forceinline__ void named_barrier_sync(unsigned barrier) {
  asm volatile("barrier.cta.sync.aligned %0, %1;" ::"r"(barrier), "n"(threads) : "memory");
}
template <unsigned threads>
__device__ __forceinline__ void named_barrier_arrive(unsigned barrier) {
  asm volatile("barrier.cta.arrive.aligned %0, %1;" ::"r"(barrier), "n"(threads) : "memory");
}

// The copying unit (TMA).

__device__ __forceinline__ void prefetch(const TensorMap* tensor) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(tensor) : "memory");
}
/// Starts the copy of a box to shared memory; its bytes are counted at the barrier.
__device__ __forceinline__ void load_box(void* to, const TensorMap* tensor, std::uint64_t* barrier, std::int32_t dim,
                                         std::int32_t row, std::int32_t head) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], "
      "[%2];" ::"r"(shared_address(to)),
      "l"(tensor), "r"(shared_address(barrier)), "r"(dim), "r"(row), "r"(head)
      : "memory");
}

// Registers of a thread, moved between the warpgroups of a block.

template <unsigned count>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}
template <unsigned count>
__device__ __forceinline__ void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}

// Products by a warpgroup (wgmma.cuh has them): they read and write registers until the wait that covers them.

/// What was done to registers comes before the products that follow.
__device__ __forceinline__ void mma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
/// Closes a group of products.
__device__ __forceinline__ void mma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Waits until at most `pending` of the latest groups are under way.
template <unsigned pending>
__device__ __forceinline__ void mma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}
/// The compiler takes an asm statement's outputs for ready behind it, and a product's are not. Between a wait and the
/// first use of what it waited for, this keeps uses behind the wait; no instruction comes of it.
template <unsigned count>
__device__ __forceinline__ void keep_in_order(float (&registers)[count]) {
#pragma unroll
  for (unsigned i = 0; i < count; ++i) asm volatile("" : "+f"(registers[i])::"memory");
}
template <unsigned count>
__device__ __forceinline__ void keep_in_order(std::uint32_t (&registers)[count]) {
#pragma unroll
  for (unsigned i = 0; i < count; ++i) asm volatile("" : "+r"(registers[i])::"memory");
}

// Arithmetic.

/// 2^x, 2 ulp; results below 2^-126 are 0.
__device__ __forceinline__ float exp2(float x) {
  float y = 0;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ float log2(float x) { return __log2f(x); }
__device__ __forceinline__ float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
/// Two bf16 in a register, to the nearest.
__device__ __forceinline__ std::uint32_t pack_bf16(float low, float high) {
  std::uint32_t packed = 0;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

// The lanes of a warp.

/// Behind code in which lanes went different ways, before instructions that all of them must reach together.
__device__ __forceinline__ void converge() { __syncwarp(); }

template <class T>
__device__ __forceinline__ T shuffle_xor(T value, int lanes) {
  return __shfl_xor_sync(0xffffffffU, value, lanes);
}
template <class T>
__device__ __forceinline__ T shuffle(T value, int lane) {
  return __shfl_sync(0xffffffffU, value, lane);
}

}  // namespace ringsim::cuda::ptx
