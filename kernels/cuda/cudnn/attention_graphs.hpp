#pragma once
// Attention forward and backward as graphs of elementary operations, in the form in which cuDNN 9 recognises them and
// answers with one fused kernel each. The formulas are those of kernels/cuda/attention.hpp.
//
// One batch entry; heads of all sequences are heads. A causal mask counts queries and keys from the block's beginning:
// key j is visible to query i where j <= i, also where there are more of one than of the other.

#include "kernels/cuda/cudnn/graph.hpp"

#include <compare>
#include <cstdint>

namespace ringsim::cuda::cudnn {

/// Distances in elements of a tensor [head][row][column]; columns are neighbours.
struct Layout {
  std::int64_t head_stride = 0;
  std::int64_t row_stride = 0;
  auto operator<=>(const Layout&) const = default;
};

/// All that a graph depends on: two calls with the same shape can use the same plan. The scale is not of it: it comes
/// by value.
struct AttentionShape {
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;  // a divisor of heads
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  std::int64_t dim = 0;    // of q and k
  std::int64_t v_dim = 0;  // of v and o
  bool causal = false;
  Layout q, k, v, o, lse;
  Layout d_out, dq, dk, dv;  // backward alone; all zero in a forward shape
  auto operator<=>(const AttentionShape&) const = default;
};

/// Numbers of the tensors that are bound when a graph is executed.
namespace uid {
inline constexpr Uid q = 1, k = 2, v = 3, o = 4;
inline constexpr Uid lse = 5;             // fp32 [1][H][queries][1], natural
inline constexpr Uid scale = 6;           // by value
inline constexpr Uid minus_infinity = 7;  // by value, causal alone
inline constexpr Uid one = 8;             // by value, backward alone
inline constexpr Uid delta = 9;           // fp32 [1][H][queries][1] without gaps: scratch memory of backward
inline constexpr Uid dq_accumulator =
    10;  // fp32 [1][H][queries][dim] without gaps: scratch memory of backward, zero before
inline constexpr Uid d_out = 101, dq = 102, dk = 103, dv = 104;
}  // namespace uid

[[nodiscard]] Graph forward_graph(const AttentionShape& shape);
[[nodiscard]] Graph backward_graph(const AttentionShape& shape);

}  // namespace ringsim::cuda::cudnn
