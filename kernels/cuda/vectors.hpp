#pragma once
// Several neighbouring elements at once, loaded and stored with one instruction, calculated with in fp32.

#include "kernels/cuda/bf16.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>

namespace ringsim::cuda {

/// `size` numbers in fp32.
template <int size>
struct Floats {
  float x[std::size_t{size}];
};

/// The element types' bits, of `size` neighbours; aligned to all of its bytes, so that a copy of it is one access.
template <class T, int size>
struct alignas(sizeof(T) * size) Packed {
  T x[std::size_t{size}];
};

template <int size, class T>
__device__ __forceinline__ Floats<size> load(const T* from) {
  const auto packed = *reinterpret_cast<const Packed<T, size>*>(from);
  Floats<size> values;
#pragma unroll
  for (int i = 0; i < size; ++i) values.x[i] = to_float(packed.x[i]);
  return values;
}

__device__ __forceinline__ void put(float& to, float value) { to = value; }
__device__ __forceinline__ void put(Bf16& to, float value) { to = to_bf16(value); }

template <int size, class T>
__device__ __forceinline__ void store(T* to, const Floats<size>& values) {
  Packed<T, size> packed;
#pragma unroll
  for (int i = 0; i < size; ++i) put(packed.x[i], values.x[i]);
  *reinterpret_cast<Packed<T, size>*>(to) = packed;
}

}  // namespace ringsim::cuda
