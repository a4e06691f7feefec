#pragma once
// Online softmax (Milakov, Gimelshein, arXiv 1805.02867; FlashAttention, arXiv 2205.14135, algorithm 1), in two forms.
//
// While a kernel runs, a query's row has the state (m, l, o): the maximum of its scores so far, the sum of exp(s − m)
// and the sum of exp(s − m)·v. Folding a block of scores s and values v:
//   m' = max(m, max s)    c = exp(m − m')    l' = c·l + Σ exp(s − m')    o' = c·o + Σ exp(s − m')·v
// A finished row has O = o/l and LSE = m + log l. Merging two of them is the same identity:
//   LSE' = log(exp LSE1 + exp LSE2)          O' = exp(LSE1 − LSE')·O1 + exp(LSE2 − LSE')·O2
// Scores of −∞ are masked. A row that has seen no key is (−∞, 0, 0), finished (O, LSE) = (0, −∞); folding or merging it
// changes nothing, and −∞ − −∞ is never computed. NaN goes through, so that data that never arrived shows.

#include "kernels/host/tensors.hpp"

namespace ringsim::host {

/// The state of the queries of one head.
template <class T>
struct SoftmaxState {
  Matrix<T> m;  // [rows][1]
  Matrix<T> l;  // [rows][1]
  Matrix<T> o;  // [rows][Dv]
  SoftmaxState(Eigen::Index rows, Eigen::Index value_dim);
};

/// Folds scores [rows][keys], of which −∞ are masked, and values [keys][Dv] into the state.
template <class T>
void fold(SoftmaxState<T>& state, const Matrix<T>& scores, const Matrix<T>& values);

/// The rows' (O, LSE), appended to the partial as a head.
template <class T>
void append_finished(const SoftmaxState<T>& state, Partial<T>& partial);

/// The partial of queries that have seen no key.
template <class T>
[[nodiscard]] Partial<T> empty_partial(std::size_t heads, Eigen::Index rows, Eigen::Index value_dim);

/// Folds a finished partial into another of the same shape.
template <class T>
void merge(Partial<T>& accumulator, const Partial<T>& partial);

}  // namespace ringsim::host
