#pragma once
// bfloat16: the upper half of a float. On the host and on the device, without the toolkit's headers.

#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define RINGSIM_HOST_DEVICE __host__ __device__
#else
#define RINGSIM_HOST_DEVICE
#endif

namespace ringsim::cuda {

/// The bits of a bfloat16 number: 1 sign, 8 exponent, 7 mantissa.
struct Bf16 {
  std::uint16_t bits = 0;
};
static_assert(sizeof(Bf16) == 2);

[[nodiscard]] RINGSIM_HOST_DEVICE inline float to_float(Bf16 x) {
  const std::uint32_t bits = static_cast<std::uint32_t>(x.bits) << 16U;
  float value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}
[[nodiscard]] RINGSIM_HOST_DEVICE inline float to_float(float x) { return x; }

/// To the nearest, ties to even, as the hardware does; NaN stays NaN.
[[nodiscard]] RINGSIM_HOST_DEVICE inline Bf16 to_bf16(float x) {
  std::uint32_t bits = 0;
  memcpy(&bits, &x, sizeof bits);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return {0x7fff};
  bits += 0x7fffU + ((bits >> 16U) & 1U);
  return {static_cast<std::uint16_t>(bits >> 16U)};
}

}  // namespace ringsim::cuda
