#pragma once
// Online softmax (Milakov, Gimelshein, arXiv 1805.02867; FlashAttention, arXiv 2205.14135, algorithm 1): the state of a
// query's row while a kernel runs.
//
// The state is (m, l, o): the maximum of the scores so far, the sum of exp(s − m) and the sum of exp(s − m)·v. Folding a
// tile of scores s and values v:
//   m' = max(m, max s)    c = exp(m − m')    l' = c·l + Σ exp(s − m')    o' = c·o + Σ exp(s − m')·v
// A finished row has O = o/l and LSE = m + log l. A row that has seen no key is (−∞, 0, 0), finished (0, −∞); folding a
// tile of which it sees nothing leaves it as it is, and −∞ − −∞ is never computed. NaN goes through, so that data that
// never arrived shows.

#include "kernels/host/visibility.hpp"

#include <span>

namespace ringsim::host {

template <class T>
using Column = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// The rows of a tile of queries; somebody else's memory.
template <class T>
struct SoftmaxState {
  Eigen::Ref<Column<T>> m;  // [rows]
  Eigen::Ref<Column<T>> l;  // [rows]
  Eigen::Ref<Matrix<T>> o;  // [rows][Dv]
};

/// Makes the state that of rows that have seen no key.
template <class T>
void clear(SoftmaxState<T> state);

/// Folds scores [rows][keys], of which each row sees the range in `visible`, and values [keys][Dv] into the state. Turns
/// the scores into the weights exp(s − m'), 0 where nothing is seen.
template <class T>
void fold(SoftmaxState<T> state, Eigen::Ref<Matrix<T>> scores, std::span<const KeyRange> visible,
          const Eigen::Ref<const Matrix<T>>& values);

/// O in place of o, and LSE in place of m.
template <class T>
void finish(SoftmaxState<T> state);

}  // namespace ringsim::host
