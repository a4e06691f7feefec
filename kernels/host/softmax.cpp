#include "kernels/host/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ringsim::host {

template <class T>
void clear(SoftmaxState<T> state) {
  state.m.setConstant(-std::numeric_limits<T>::infinity());
  state.l.setZero();
  state.o.setZero();
}

template <class T>
void fold(SoftmaxState<T> state, Eigen::Ref<Matrix<T>> scores, std::span<const KeyRange> visible,
          const Eigen::Ref<const Matrix<T>>& values) {
  for (Eigen::Index row = 0; row < scores.rows(); ++row) {
    const KeyRange range = visible[static_cast<std::size_t>(row)];
    auto weights = scores.row(row).array();
    weights.head(range.first).setZero();
    weights.tail(weights.size() - range.last).setZero();
    if (range.empty()) continue;
    auto seen = weights.segment(range.first, range.size());
    const T highest = std::max(state.m[row], seen.maxCoeff());
    if (highest > state.m[row]) {
      const T correction = std::exp(state.m[row] - highest);  // 0 for the first keys that the row sees
      state.l[row] *= correction;
      state.o.row(row) *= correction;
      state.m[row] = highest;
    }
    seen = (seen - highest).exp();
    state.l[row] += seen.sum();
  }
  state.o.noalias() += scores * values;
}

template <class T>
void finish(SoftmaxState<T> state) {
  for (Eigen::Index row = 0; row < state.m.size(); ++row) {
    if (state.l[row] == T{0}) continue;  // no key seen: 0 and −∞
    state.o.row(row) /= state.l[row];
    state.m[row] += std::log(state.l[row]);
  }
}

template void clear(SoftmaxState<float>);
template void clear(SoftmaxState<double>);
template void fold(SoftmaxState<float>, Eigen::Ref<Matrix<float>>, std::span<const KeyRange>,
                   const Eigen::Ref<const Matrix<float>>&);
template void fold(SoftmaxState<double>, Eigen::Ref<Matrix<double>>, std::span<const KeyRange>,
                   const Eigen::Ref<const Matrix<double>>&);
template void finish(SoftmaxState<float>);
template void finish(SoftmaxState<double>);

}  // namespace ringsim::host
