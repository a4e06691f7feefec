#pragma once
// What a block of tokens holds: matrices of [tokens][dimension], row-major, one a head.
//
// The sequences of a batch stand one after the other as further heads: head b·H + h is head h of sequence b. With H
// query heads and G key/value heads, query head i reads key/value head i / (H/G) (grouped-query attention).

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace ringsim::host {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// [heads][tokens][dimension]
template <class T>
using Heads = std::vector<Matrix<T>>;

/// The tokens' places in the whole sequence, in the order of a block's rows.
using Positions = std::vector<std::int64_t>;

/// A block of tokens, or the gradient of one, which is named after what it is the gradient of. What a block does not
/// hold has no heads.
template <class T>
struct Block {
  Heads<T> q;      // [H][tokens][Dqk]
  Heads<T> k;      // [G][tokens][Dqk]
  Heads<T> v;      // [G][tokens][Dv]
  Heads<T> d_out;  // [H][tokens][Dv]   gradient of the output
  Heads<T> lse;    // [H][tokens][1]    log Σ exp of a query's scores, natural logarithm
  Heads<T> delta;  // [H][tokens][1]    Σ dO ∘ O over the dimension
};

/// An output over some of the keys: normalised over these, and the log-sum-exp that merging needs. A query that has
/// seen no key has o = 0 and lse = −∞.
template <class T>
struct Partial {
  Heads<T> o;    // [H][tokens][Dv]
  Heads<T> lse;  // [H][tokens][1]
};

/// Calls `visit(a, b)` for what the two blocks hold under the same name, whole lists of heads at a time.
template <class A, class B, class Visit>
void for_each_tensor(A& a, B& b, const Visit& visit) {
  visit(a.q, b.q);
  visit(a.k, b.k);
  visit(a.v, b.v);
  visit(a.d_out, b.d_out);
  visit(a.lse, b.lse);
  visit(a.delta, b.delta);
}

}  // namespace ringsim::host
