#pragma once
// The tensors that both passes have.

#include "kernels/cuda/cudnn/attention_graphs.hpp"

#include <algorithm>
#include <cstdint>

namespace ringsim::cuda::cudnn {

/// [1][heads][rows][columns] of bf16 in memory. The one batch entry is as long as its heads, or as its rows where
/// these lie further apart.
[[nodiscard]] inline Tensor in_memory(Uid uid, std::int64_t heads, std::int64_t rows, std::int64_t columns,
                                      Layout layout) {
  return {uid,
          DataType::bf16,
          {1, heads, rows, columns},
          {std::max(heads * layout.head_stride, rows * layout.row_stride), layout.head_stride, layout.row_stride, 1},
          Storage::memory};
}

/// The same memory with rows and columns exchanged.
[[nodiscard]] inline Tensor transposed(Tensor tensor) {
  tensor.dims = transposed(tensor.dims);
  tensor.strides = transposed(tensor.strides);
  return tensor;
}

/// The logarithm of the softmax's sums, [1][H][queries][1] of fp32.
[[nodiscard]] inline Tensor lse_tensor(const AttentionShape& shape) {
  Tensor tensor = in_memory(uid::lse, shape.heads, shape.queries, 1, shape.lse);
  tensor.type = DataType::fp32;
  return tensor;
}

/// scale·Q·Kᵀ, virtual.
[[nodiscard]] inline Uid scaled_scores(GraphBuilder& graph, Uid q, Uid k_transposed, Uid scale) {
  const Dims& queries = graph.tensor(q).dims;
  const Dims dims{queries[0], queries[1], queries[2], graph.tensor(k_transposed).dims[3]};
  const Uid scores = graph.matmul(q, k_transposed, graph.virtual_tensor(DataType::fp32, dims));
  return graph.pointwise(NodeKind::multiply, scores, scale);
}

}  // namespace ringsim::cuda::cudnn
