// S = scale·Q·Kᵀ (masked)   m = max S   E = exp(S − m)   l = Σ E   LSE = m + log l   O = (E / l)·V
#include "kernels/cuda/cudnn/attention_graphs.hpp"
#include "kernels/cuda/cudnn/tensors.hpp"

#include <utility>

namespace ringsim::cuda::cudnn {

Graph forward_graph(const AttentionShape& s) {
  GraphBuilder graph;
  const Uid q = graph.given(in_memory(uid::q, s.heads, s.queries, s.dim, s.q));
  const Uid k = graph.given(transposed(in_memory(uid::k, s.kv_heads, s.keys, s.dim, s.k)));
  const Uid v = graph.given(in_memory(uid::v, s.kv_heads, s.keys, s.v_dim, s.v));
  const Uid o = graph.given(in_memory(uid::o, s.heads, s.queries, s.v_dim, s.o));
  const Uid lse = graph.given(lse_tensor(s));
  const Uid scale = graph.scalar(uid::scale);

  Uid scores = scaled_scores(graph, q, k, scale);
  if (s.causal) scores = graph.causal(scores, graph.scalar(uid::minus_infinity));

  const Dims square{1, s.heads, s.queries, s.keys};
  const Dims column{1, s.heads, s.queries, 1};
  const Uid m = graph.reduce(NodeKind::maximum, scores, graph.virtual_tensor(DataType::fp32, column));
  const Uid shifted = graph.pointwise(NodeKind::subtract, scores, m);
  const Uid e = graph.pointwise(NodeKind::exponential, shifted);
  const Uid l = graph.reduce(NodeKind::sum, e, graph.virtual_tensor(DataType::fp32, column));
  const Uid log_l = graph.pointwise(NodeKind::logarithm, l);
  graph.pointwise(NodeKind::add, m, log_l, lse);
  const Uid p = graph.pointwise(NodeKind::divide, e, l, graph.virtual_tensor(DataType::bf16, square));
  graph.matmul(p, v, o);
  return std::move(graph).take();
}

}  // namespace ringsim::cuda::cudnn
