#pragma once
// Online softmax on a consumer's fragment of scores, in registers.
//
// m64nN accumulators (PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk16", matrix D): of every eight columns 8j,
// lane l of warp w has rows 16w + l/4 ("upper") and 8 further down ("lower"), columns 2(l mod 4) and the next:
// registers 4j, 4j + 1 upper, 4j + 2, 4j + 3 lower. The four lanes of a quad share their two rows. As A operand of the
// next product (figure of A in registers) a thread needs of 16 columns exactly what it has of two such groups of eight,
// packed in pairs: P never leaves its registers.
//
//   m' = max(m, max s)    p = 2^(c·s − c·m')    l' = 2^(c·(m − m'))·l + Σ p        c = scale·log2 e, scale > 0
// (Milakov, Gimelshein, arXiv 1805.02867). A row that has seen no key has m = −∞: there m' counts as 0, and p = 0, with
// no −∞ − −∞.

#include <cuda_runtime.h>
#include <ringsim_ptx.cuh>

#include <cmath>
#include <cstdint>

namespace ringsim::cuda {

/// Of a thread's two rows; `sum` over the thread's own columns.
struct RowStates {
  float maximum[2];
  float sum[2];
};

/// Column, counted from the thread's first, and row (0 upper, 1 lower) of register i.
RINGSIM_HOST_DEVICE constexpr int column_of(unsigned i) { return static_cast<int>(i / 4 * 8 + i % 2); }
RINGSIM_HOST_DEVICE constexpr unsigned row_of(unsigned i) { return i / 2 % 2; }

/// Scores of keys that a row does not see become −∞. `seen`: keys that the upper and the lower row see, counted from
/// the thread's first column.
template <unsigned count>
__device__ __forceinline__ void mask_scores(float (&scores)[count], int seen_upper, int seen_lower) {
  RINGSIM_UNROLL
  for (unsigned i = 0; i < count; ++i) {
    if (column_of(i) >= (row_of(i) == 0 ? seen_upper : seen_lower)) scores[i] = -INFINITY;
  }
}

/// Scores become p; the states take them in. `decay`: what the rows' sums and outputs so far are to be multiplied by.
template <unsigned count>
__device__ __forceinline__ void soften(float (&scores)[count], RowStates& rows, float (&decay)[2], float scale_log2) {
  float shift[2];
  RINGSIM_UNROLL
  for (unsigned row = 0; row < 2; ++row) {
    float maximum = rows.maximum[row];
    RINGSIM_UNROLL
    for (unsigned i = 0; i < count; ++i) {
      if (row_of(i) == row) maximum = fmaxf(maximum, scores[i]);
    }
    maximum = fmaxf(maximum, ptx::shuffle_xor(maximum, 1));
    maximum = fmaxf(maximum, ptx::shuffle_xor(maximum, 2));
    const float seen_maximum = maximum == -INFINITY ? 0.0F : maximum;
    decay[row] = ptx::exp2((rows.maximum[row] - seen_maximum) * scale_log2);
    shift[row] = -seen_maximum * scale_log2;
    rows.maximum[row] = maximum;
    rows.sum[row] *= decay[row];
  }
  RINGSIM_UNROLL
  for (unsigned i = 0; i < count; ++i) {
    scores[i] = ptx::exp2(ptx::multiply_add(scores[i], scale_log2, shift[row_of(i)]));
    rows.sum[row_of(i)] += scores[i];
  }
}

/// p as A operand, in bf16: register i of 16 columns is registers 2i and 2i + 1 of the fragment.
template <unsigned count>
__device__ __forceinline__ void pack(const float (&p)[count], std::uint32_t (&packed)[count / 2]) {
  RINGSIM_UNROLL
  for (unsigned i = 0; i < count / 2; ++i) packed[i] = ptx::pack_bf16(p[2 * i], p[2 * i + 1]);
}

/// o ·= decay, row by row.
template <unsigned count>
__device__ __forceinline__ void decay_output(float (&o)[count], const float (&decay)[2]) {
  RINGSIM_UNROLL
  for (unsigned i = 0; i < count; ++i) o[i] *= decay[row_of(i)];
}

}  // namespace ringsim::cuda
