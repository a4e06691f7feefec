#pragma once
// Parts of blocks: some of the heads, some of the rows.

#include "kernels/host/plan.hpp"

namespace ringsim::host {

/// A range of a tensor's heads; nothing of a tensor that a block does not hold.
template <class T>
[[nodiscard]] HeadsView<T> heads_of(HeadsView<T> tensor, HeadRange range) {
  if (tensor.heads == 0) return tensor;
  return {tensor.data + range.first * tensor.rows * tensor.dim, range.count, tensor.rows, tensor.dim};
}

/// The heads of a share, of a block of all heads.
template <class T>
[[nodiscard]] BlockView<T> heads_of(BlockView<T> block, const RingPlan& plan, sim::Share share) {
  const HeadRange q = plan.query_heads(share);
  const HeadRange kv = plan.kv_heads(share);
  return {heads_of(block.q, q),     heads_of(block.k, kv),  heads_of(block.v, kv),   heads_of(block.o, q),
          heads_of(block.d_out, q), heads_of(block.lse, q), heads_of(block.delta, q)};
}

/// Calls `visit(from, to)` for the tensors that both blocks hold.
template <class From, class To, class Visit>
void for_each_pair(BlockView<From> from, BlockView<To> to, const Visit& visit) {
  const auto pair = [&](HeadsView<From> a, HeadsView<To> b) {
    if (a.heads > 0 && b.heads > 0) visit(a, b);
  };
  pair(from.q, to.q);
  pair(from.k, to.k);
  pair(from.v, to.v);
  pair(from.o, to.o);
  pair(from.d_out, to.d_out);
  pair(from.lse, to.lse);
  pair(from.delta, to.delta);
}

/// Row i of `to` becomes row `rows[i]` of `from`.
template <class T>
void take_rows(BlockView<const T> from, const Positions& rows, BlockView<T> to) {
  for_each_pair(from, to, [&](HeadsView<const T> a, HeadsView<T> b) {
    for (Eigen::Index head = 0; head < b.heads; ++head) b[head] = a[head](rows, Eigen::all);
  });
}

/// The reverse.
template <class T>
void put_rows(BlockView<const T> from, const Positions& rows, BlockView<T> to) {
  for_each_pair(from, to, [&](HeadsView<const T> a, HeadsView<T> b) {
    for (Eigen::Index head = 0; head < a.heads; ++head) b[head](rows, Eigen::all) = a[head];
  });
}

}  // namespace ringsim::host
