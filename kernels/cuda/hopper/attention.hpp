#pragma once
// Attention forward by our own sm_90a kernel (forward.cuh): bf16, head dimension 128, any number of queries, keys and
// heads. What cuDNN does not offer: a chosen number of SMs, a diagonal anywhere, and results merged into an accumulator
// without a pass of their own.

#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/merge.hpp"

#include <cuda_runtime.h>

#include <cstdint>

namespace ringsim::cuda {

struct HopperOptions {
  /// Thread blocks of the persistent grid, each of which takes an SM for itself; 0: as many as there are SMs.
  int sms = 0;
  /// Where causal: query i sees key j <= i + diagonal.
  std::int64_t diagonal = 0;
  /// Keys of a block, 128 or 176 (not causal); 0: chosen by the number of keys.
  int key_rows = 0;
};

/// Throws Error where a call is not one that the kernel has: head dimensions of 128, scale > 0, H a multiple of G,
/// addresses that are multiples of 16 bytes with strides that are multiples of 8 elements, a GPU of compute capability
/// 9.0.
void check_hopper_call(const ForwardCall& call, const HopperOptions& options);

/// Enqueues. Every element of o and lse is written. Throws as check_hopper_call.
void hopper_forward(const ForwardCall& call, const HopperOptions& options, cudaStream_t stream);

/// Enqueues: the result, never written itself, is merged into the accumulator (kernels/cuda/merge.hpp). `o` and `lse`
/// of the call are not used. The accumulator lies as [H][queries][128] and [H][queries][1], rows of o on 8-byte
/// boundaries.
void hopper_forward_merging(const ForwardCall& call, OutputAccumulator into, const HopperOptions& options,
                            cudaStream_t stream);

/// The same with default options but for the number of SMs.
void forward_merging(const ForwardCall& call, OutputAccumulator into, int sms, cudaStream_t stream);

}  // namespace ringsim::cuda
