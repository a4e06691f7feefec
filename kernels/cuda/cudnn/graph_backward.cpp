// delta = rowsum(dO ∘ O)   P = exp(scale·Q·Kᵀ − LSE) (masked)   dV = Pᵀ·dO
// dS = P ∘ (dO·Vᵀ − delta)·scale   dK = dSᵀ·Q   dQ = dS·K
//
// Delta and the fp32 sum of dQ are not virtual: cuDNN's engines add to dQ from many thread blocks, so the caller keeps
// that memory and zeroes it before. Where several query heads share a key/value head, dK and dV of all query heads are
// summed at the end.
#include "kernels/cuda/cudnn/attention_graphs.hpp"
#include "kernels/cuda/cudnn/tensors.hpp"

#include <utility>

namespace ringsim::cuda::cudnn {

namespace {

Tensor scratch(Uid uid, const Dims& dims) { return {uid, DataType::fp32, dims, packed(dims), Storage::memory}; }

/// weightsᵀ·b of every query head, summed over those that share a key/value head. `weights` is [1][H][queries][keys]
/// of fp32, and b [1][H][queries][columns].
void gradient_of_keys(GraphBuilder& graph, Uid weights, Uid b, const Tensor& gradient) {
  const Uid out = graph.given(gradient);
  const Dims square = graph.tensor(weights).dims;
  const Uid turned =
      graph.reshape(weights, graph.virtual_tensor(DataType::bf16, transposed(square), transposed(packed(square))));
  if (gradient.dims[1] == square[1]) {
    graph.matmul(turned, b, out);
    return;
  }
  const Dims of_query_heads{1, square[1], gradient.dims[2], gradient.dims[3]};
  const Uid each = graph.matmul(turned, b, graph.virtual_tensor(DataType::bf16, of_query_heads));
  graph.reduce(NodeKind::sum, each, out);
}

}  // namespace

Graph backward_graph(const AttentionShape& s) {
  GraphBuilder graph;
  const Uid q = graph.given(in_memory(uid::q, s.heads, s.queries, s.dim, s.q));
  const Uid k = graph.given(transposed(in_memory(uid::k, s.kv_heads, s.keys, s.dim, s.k)));
  const Uid v = graph.given(transposed(in_memory(uid::v, s.kv_heads, s.keys, s.v_dim, s.v)));
  const Uid o = graph.given(in_memory(uid::o, s.heads, s.queries, s.v_dim, s.o));
  const Uid d_out = graph.given(in_memory(uid::d_out, s.heads, s.queries, s.v_dim, s.d_out));
  const Uid lse = graph.given(lse_tensor(s));
  const Uid scale = graph.scalar(uid::scale);
  const Dims square{1, s.heads, s.queries, s.keys};
  const Dims column{1, s.heads, s.queries, 1};

  const Uid products = graph.pointwise(NodeKind::multiply, d_out, o);
  const Uid sums = graph.reduce(NodeKind::sum, products, graph.virtual_tensor(DataType::fp32, column));
  // The factor is 1. It stands where a graph with dropout has the share of what is kept, and the engines know delta as
  // a product.
  const Uid delta =
      graph.pointwise(NodeKind::multiply, sums, graph.scalar(uid::one), graph.given(scratch(uid::delta, column)));

  const Uid scores = scaled_scores(graph, q, k, scale);
  Uid exponent = graph.pointwise(NodeKind::subtract, scores, lse);
  if (s.causal) exponent = graph.causal(exponent, graph.scalar(uid::minus_infinity));
  const Uid p = graph.pointwise(NodeKind::exponential, exponent);
  gradient_of_keys(graph, p, d_out, in_memory(uid::dv, s.kv_heads, s.keys, s.v_dim, s.dv));

  const Uid dp = graph.matmul(d_out, v, graph.virtual_tensor(DataType::fp32, square));
  const Uid difference = graph.pointwise(NodeKind::subtract, dp, delta);
  const Uid weighted = graph.pointwise(NodeKind::multiply, difference, p);
  const Uid ds = graph.pointwise(NodeKind::multiply, weighted, scale);
  gradient_of_keys(graph, ds, q, in_memory(uid::dk, s.kv_heads, s.keys, s.dim, s.dk));

  const Tensor& turned = graph.tensor(k);
  const Uid keys =
      graph.reshape(k, graph.virtual_tensor(DataType::fp32, transposed(turned.dims), transposed(turned.strides)));
  const Uid sum = graph.matmul(ds, keys, graph.given(scratch(uid::dq_accumulator, {1, s.heads, s.queries, s.dim})));
  graph.pointwise(NodeKind::identity, sum, {}, graph.given(in_memory(uid::dq, s.heads, s.queries, s.dim, s.dq)));
  return std::move(graph).take();
}

}  // namespace ringsim::cuda::cudnn
