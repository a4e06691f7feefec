#include "kernels/host/merge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ringsim::host {
namespace {

template <class T>
constexpr T masked = -std::numeric_limits<T>::infinity();

}  // namespace

template <class T>
SoftmaxState<T>::SoftmaxState(Eigen::Index rows, Eigen::Index value_dim)
    : m(Matrix<T>::Constant(rows, 1, masked<T>)), l(Matrix<T>::Zero(rows, 1)), o(Matrix<T>::Zero(rows, value_dim)) {}

template <class T>
void fold(SoftmaxState<T>& state, const Matrix<T>& scores, const Matrix<T>& values) {
  Matrix<T> weights = Matrix<T>::Zero(scores.rows(), scores.cols());
  for (Eigen::Index row = 0; row < scores.rows(); ++row) {
    T& m = state.m(row, 0);
    T& l = state.l(row, 0);
    bool sees_any = false;
    T highest = m;
    for (Eigen::Index key = 0; key < scores.cols(); ++key) {
      sees_any = sees_any || scores(row, key) != masked<T>;
      highest = std::max(highest, scores(row, key));
    }
    if (!sees_any) continue;
    const T correction = m == masked<T> ? T{0} : std::exp(m - highest);
    T sum = 0;
    for (Eigen::Index key = 0; key < scores.cols(); ++key) {
      if (scores(row, key) == masked<T>) continue;
      weights(row, key) = std::exp(scores(row, key) - highest);
      sum += weights(row, key);
    }
    m = highest;
    l = correction * l + sum;
    state.o.row(row) *= correction;
  }
  state.o.noalias() += weights * values;
}

template <class T>
void append_finished(const SoftmaxState<T>& state, Partial<T>& partial) {
  Matrix<T> o = state.o;
  Matrix<T> lse = state.m;
  for (Eigen::Index row = 0; row < o.rows(); ++row) {
    if (state.l(row, 0) == T{0}) continue;  // no key seen: 0 and −∞
    o.row(row) /= state.l(row, 0);
    lse(row, 0) += std::log(state.l(row, 0));
  }
  partial.o.push_back(std::move(o));
  partial.lse.push_back(std::move(lse));
}

template <class T>
Partial<T> empty_partial(std::size_t heads, Eigen::Index rows, Eigen::Index value_dim) {
  return {Heads<T>(heads, Matrix<T>::Zero(rows, value_dim)), Heads<T>(heads, Matrix<T>::Constant(rows, 1, masked<T>))};
}

template <class T>
void merge(Partial<T>& accumulator, const Partial<T>& partial) {
  for (std::size_t head = 0; head < accumulator.o.size(); ++head) {
    for (Eigen::Index row = 0; row < accumulator.o[head].rows(); ++row) {
      T& lse = accumulator.lse[head](row, 0);
      const T other = partial.lse[head](row, 0);
      if (other == masked<T>) continue;
      auto o = accumulator.o[head].row(row);
      if (lse == masked<T>) {
        o = partial.o[head].row(row);
        lse = other;
        continue;
      }
      const T highest = std::max(lse, other);
      const T merged = highest + std::log(std::exp(lse - highest) + std::exp(other - highest));
      o = std::exp(lse - merged) * o + std::exp(other - merged) * partial.o[head].row(row);
      lse = merged;
    }
  }
}

template struct SoftmaxState<float>;
template struct SoftmaxState<double>;
template void fold(SoftmaxState<float>&, const Matrix<float>&, const Matrix<float>&);
template void fold(SoftmaxState<double>&, const Matrix<double>&, const Matrix<double>&);
template void append_finished(const SoftmaxState<float>&, Partial<float>&);
template void append_finished(const SoftmaxState<double>&, Partial<double>&);
template Partial<float> empty_partial(std::size_t, Eigen::Index, Eigen::Index);
template Partial<double> empty_partial(std::size_t, Eigen::Index, Eigen::Index);
template void merge(Partial<float>&, const Partial<float>&);
template void merge(Partial<double>&, const Partial<double>&);

}  // namespace ringsim::host
