#pragma once
// The words that kernels are written in, on the CPU: qualifiers, built-in variables, vector types and intrinsics. Threads of
// a block are fibers (tests/emulated/block.hpp).

#include "tests/emulated/block.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

// The names are CUDA's.
// NOLINTBEGIN(bugprone-reserved-identifier)
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) alignas(bytes)
// Of a block: blocks are executed one after the other, so one copy is enough. Only for variables of fixed size.
#define __shared__ static

namespace ringsim::emulated {

/// A built-in variable: looked up whenever it is read, as it is another one in every thread. Not a macro, because launch
/// configurations have fields of the same names.
template <const Dim3& (*find)()>
struct BuiltIn {
  template <unsigned Dim3::* member>
  struct Component {
    operator unsigned() const { return find().*member; }  // NOLINT(google-explicit-constructor)
  };
  Component<&Dim3::x> x;
  Component<&Dim3::y> y;
  Component<&Dim3::z> z;
};

}  // namespace ringsim::emulated

inline constexpr ringsim::emulated::BuiltIn<&ringsim::emulated::thread_index> threadIdx{};
inline constexpr ringsim::emulated::BuiltIn<&ringsim::emulated::block_index> blockIdx{};
inline constexpr ringsim::emulated::BuiltIn<&ringsim::emulated::block_dim> blockDim{};
inline constexpr ringsim::emulated::BuiltIn<&ringsim::emulated::grid_dim> gridDim{};
constexpr int warpSize = 32;

struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }

inline void __syncthreads() { ::ringsim::emulated::sync_threads(); }
inline float __shfl_xor_sync(unsigned, float value, int lanes) {
  return ::ringsim::emulated::shuffle_xor(value, lanes);
}
inline std::uint32_t __shfl_xor_sync(unsigned, std::uint32_t value, int lanes) {
  return ::ringsim::emulated::shuffle_xor(value, lanes);
}
// Lane `lane` of the `width` neighbours that this one belongs to.
inline int lane_among(int lane, int width) {
  const auto self = static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % warpSize;
  return self / width * width + lane % width;
}
inline float __shfl_sync(unsigned, float value, int lane, int width = warpSize) {
  return ::ringsim::emulated::shuffle(value, lane_among(lane, width));
}
inline std::uint32_t __shfl_sync(unsigned, std::uint32_t value, int lane, int width = warpSize) {
  return ::ringsim::emulated::shuffle(value, lane_among(lane, width));
}
inline void __threadfence() {}
inline void __threadfence_system() {}
inline void __threadfence_block() {}
inline float __expf(float x) { return std::exp(x); }
inline float __logf(float x) { return std::log(x); }
// NOLINTEND(bugprone-reserved-identifier)
