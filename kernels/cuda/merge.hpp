#pragma once
// Folding results of kernels into accumulators: memory-bound kernels, a pass over the data each.
//
// Online softmax, for two outputs over disjoint keys (O1, L1) and (O2, L2):
//   L = max(L1, L2) + log(1 + exp(−|L1 − L2|))    O = exp(L1 − L)·O1 + exp(L2 − L)·O2
// An output over no key has L = −∞ and counts nothing; two of them make O = 0, L = −∞.

#include "kernels/cuda/views.hpp"

#include <cuda_runtime.h>

namespace ringsim::cuda {

/// Accumulator (o fp32, lse) of [heads][rows][dim] and [heads][rows][1].
struct OutputAccumulator {
  View<float> o;
  View<float> lse;
};

/// (o, lse) of the accumulator and of a kernel's result, merged in place.
void merge_output(OutputAccumulator into, View<const Bf16> o, View<const float> lse, cudaStream_t stream);
/// The result is the accumulator's first value.
void start_output(OutputAccumulator into, View<const Bf16> o, View<const float> lse, cudaStream_t stream);
/// Queries that have seen no key yet: o = 0, lse = −∞.
void clear_output(OutputAccumulator into, cudaStream_t stream);

/// to += from, element by element, in fp32 and rounded to the format of `to`.
void add(View<float> to, View<const float> from, cudaStream_t stream);
void add(View<float> to, View<const Bf16> from, cudaStream_t stream);
void add(View<Bf16> to, View<const Bf16> from, cudaStream_t stream);

/// to = from.
void convert(View<float> to, View<const Bf16> from, cudaStream_t stream);
void convert(View<Bf16> to, View<const float> from, cudaStream_t stream);
void convert(View<Bf16> to, View<const Bf16> from, cudaStream_t stream);
void convert(View<float> to, View<const float> from, cudaStream_t stream);
/// to = 0.
void clear(View<float> to, cudaStream_t stream);
void clear(View<Bf16> to, cudaStream_t stream);

}  // namespace ringsim::cuda
