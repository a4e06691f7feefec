#pragma once
// What becomes of a consumer's finished rows: written, or merged into an accumulator in place.
//
//   O = o/l    LSE = scale·m + log l, natural. A row that has seen no key has l = 0: O = 0, LSE = −∞.
// Plain stores, not TMA: the tile of Q is free again as soon as the last scores are there, and the next one is under
// way meanwhile.

#include "kernels/cuda/hopper/softmax.cuh"
#include "kernels/cuda/hopper/tiles.hpp"

#include <cuda_runtime.h>
#include <ringsim_ptx.cuh>

#include <cmath>
#include <cstdint>

namespace ringsim::cuda {

/// One of `o` and `accumulator`, [head][row][128], and `lse`, [head][row]; strides of heads, in elements.
struct Output {
  Bf16* o = nullptr;
  float* accumulator = nullptr;
  float* lse = nullptr;
  std::int64_t o_head_stride = 0;
  std::int64_t lse_head_stride = 0;
};

struct alignas(16) FourWords {
  std::uint32_t word[4];
};
struct alignas(8) TwoFloats {
  float value[2];
};

/// Of a thread: where its upper row is. The lower row is eight further.
struct OutputRows {
  int head = 0;
  int first_row = 0;
  int end = 0;  // rows of the head
  int quad_lane = 0;
};

/// l of the whole row, and the row's LSE.
__device__ __forceinline__ void finish_row(const RowStates& rows, int row, float scale, float& sum, float& lse) {
  constexpr float kLn2 = 0.693147180559945309F;
  sum = rows.sum[row];
  sum += ptx::shuffle_xor(sum, 1);
  sum += ptx::shuffle_xor(sum, 2);
  lse = sum == 0.0F ? -INFINITY : rows.maximum[row] * scale + ptx::log2(sum) * kLn2;
}

/// Transposes a 4 x 4 matrix of which each lane of a quad has a row: word i of lane q becomes word q of lane i.
__device__ __forceinline__ void transpose_in_quad(std::uint32_t (&words)[4], int quad_lane) {
  RINGSIM_UNROLL
  for (int distance = 1; distance <= 2; distance *= 2) {
    const bool upper = (quad_lane & distance) != 0;
    RINGSIM_UNROLL
    for (int i = 0; i < 4; ++i) {
      if ((i & distance) != 0) continue;
      const std::uint32_t received = ptx::shuffle_xor(upper ? words[i] : words[i + distance], distance);
      if (upper) {
        words[i] = received;
      } else {
        words[i + distance] = received;
      }
    }
  }
}

/// A thread has two neighbouring columns of every eight, 4 bytes of each 16. A quad exchanges them, so that each of its
/// lanes writes 16 bytes and all four of them 64 in a row.
__device__ __forceinline__ void write_output(const float (&o)[kHeadDim / 2], const RowStates& rows,
                                             const Output& output, const OutputRows& place, float scale) {
  RINGSIM_UNROLL
  for (int row = 0; row < 2; ++row) {
    float sum = 0;
    float lse = 0;
    finish_row(rows, row, scale, sum, lse);
    const float inverse = sum == 0.0F ? 0.0F : 1.0F / sum;
    const int query = place.first_row + 8 * row;
    const bool exists = query < place.end;
    if (exists && place.quad_lane == 0) output.lse[place.head * output.lse_head_stride + query] = lse;
    Bf16* const to =
        output.o + place.head * output.o_head_stride + std::int64_t{query} * kHeadDim + 8 * place.quad_lane;
    RINGSIM_UNROLL
    for (int columns = 0; columns < kHeadDim; columns += 32) {
      FourWords words;
      RINGSIM_UNROLL
      for (int i = 0; i < 4; ++i) {
        const int at = (columns / 8 + i) * 4 + 2 * row;
        words.word[i] = sum == 0.0F ? 0 : ptx::pack_bf16(o[at] * inverse, o[at + 1] * inverse);
      }
      transpose_in_quad(words.word, place.quad_lane);
      if (exists) *static_cast<FourWords*>(static_cast<void*>(to + columns)) = words;
    }
  }
}

/// The accumulator's (O1, L1) and this (o/l, L2): L = max + log(1 + exp(−|L1 − L2|)), O = exp(L1 − L)·O1 + exp(L2 −
/// L)·o/l. A row that has seen no key leaves the accumulator as it is. The two columns of a thread are 8 bytes, those
/// of a quad 32, a sector.
__device__ __forceinline__ void merge_output_rows(const float (&o)[kHeadDim / 2], const RowStates& rows,
                                                  const Output& output, const OutputRows& place, float scale) {
  RINGSIM_UNROLL
  for (int row = 0; row < 2; ++row) {
    float sum = 0;
    float lse = 0;
    finish_row(rows, row, scale, sum, lse);
    const int query = place.first_row + 8 * row;
    const bool counts = query < place.end && sum != 0.0F;
    float* const lse_at = output.lse + place.head * output.lse_head_stride + query;
    // One lane reads for its quad, since it writes afterwards.
    float before = 0;
    if (counts && place.quad_lane == 0) before = *lse_at;
    before = ptx::shuffle(before, static_cast<int>(threadIdx.x % 32 & ~3U));
    if (!counts) continue;
    const float merged = fmaxf(before, lse) + log1pf(__expf(-fabsf(before - lse)));
    const float weight_before = __expf(before - merged);
    const float weight = __expf(lse - merged) / sum;
    if (place.quad_lane == 0) *lse_at = merged;
    float* const to =
        output.accumulator + place.head * output.o_head_stride + std::int64_t{query} * kHeadDim + 2 * place.quad_lane;
    RINGSIM_UNROLL
    for (int group = 0; group < kHeadDim / 8; ++group) {
      auto* const pair = static_cast<TwoFloats*>(static_cast<void*>(to + 8 * group));
      TwoFloats values = *pair;
      RINGSIM_UNROLL
      for (int i = 0; i < 2; ++i) {
        values.value[i] = weight_before * values.value[i] + weight * o[4 * group + 2 * row + i];
      }
      *pair = values;
    }
  }
}

}  // namespace ringsim::cuda
