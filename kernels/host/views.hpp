#pragma once
// What kernels read and write: tensors that somebody else keeps, [heads][rows][dimension], contiguous and row-major, so
// that a whole block is one message.

#include "kernels/host/tensors.hpp"

#include <type_traits>

namespace ringsim::host {

/// T is const for what is only read.
template <class T>
struct HeadsView {
  using Plain = Matrix<std::remove_const_t<T>>;
  using Head = Eigen::Map<std::conditional_t<std::is_const_v<T>, const Plain, Plain>>;

  T* data = nullptr;
  Eigen::Index heads = 0;
  Eigen::Index rows = 0;  // tokens
  Eigen::Index dim = 0;

  /// [rows][dim]
  [[nodiscard]] Head operator[](Eigen::Index head) const { return {data + head * rows * dim, rows, dim}; }
  [[nodiscard]] Eigen::Index elements() const { return heads * rows * dim; }
  operator HeadsView<const T>() const { return {data, heads, rows, dim}; }  // NOLINT(google-explicit-constructor)
};

/// A block of tokens, the gradient of one (named after what it is the gradient of), or an output over some of the keys
/// (o, lse). What a block does not hold has no heads.
template <class T>
struct BlockView {
  HeadsView<T> q;      // [H][tokens][Dqk]
  HeadsView<T> k;      // [G][tokens][Dqk]
  HeadsView<T> v;      // [G][tokens][Dv]
  HeadsView<T> o;      // [H][tokens][Dv]   over the keys seen so far; 0 where there were none
  HeadsView<T> d_out;  // [H][tokens][Dv]   gradient of the output
  HeadsView<T> lse;    // [H][tokens][1]    log Σ exp of a query's scores, natural logarithm; −∞ where there were none
  HeadsView<T> delta;  // [H][tokens][1]    Σ dO ∘ O over the dimension
  operator BlockView<const T>() const {
    return {q, k, v, o, d_out, lse, delta};
  }  // NOLINT(google-explicit-constructor)
};

}  // namespace ringsim::host
