#pragma once
// Clocks of a GPU as kernels read them (PTX ISA, special registers). An emulation replaces this file by another one of the
// same name, which stands earlier in the include path.

#include <cstdint>

namespace ringsim::cuda {

/// Of the whole GPU [ns]. May move in steps of a microsecond, so differences are exact to two steps.
__device__ __forceinline__ std::uint64_t global_time_ns() {
  std::uint64_t value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
  return value;
}

/// Cycles of this SM.
__device__ __forceinline__ std::int64_t sm_cycles() { return clock64(); }

/// Lets the thread rest for about this long, at most twice as long.
__device__ __forceinline__ void pause_ns(unsigned nanoseconds) { __nanosleep(nanoseconds); }

}  // namespace ringsim::cuda
