#pragma once
// How far results are from a reference: max |result − reference| / max |reference|, over all that is added.

#include "kernels/host/tensors.hpp"

#include <algorithm>
#include <limits>

namespace ringsim::host {

class Deviation {
 public:
  /// Infinite where shapes differ or a number is missing.
  template <class T>
  void add(const Heads<T>& result, const Heads<double>& reference) {
    bool fits = result.size() == reference.size();
    for (std::size_t head = 0; fits && head < result.size(); ++head) {
      fits = result[head].rows() == reference[head].rows() && result[head].cols() == reference[head].cols();
      if (!fits) break;
      const Matrix<double> difference = result[head].template cast<double>() - reference[head];
      fits = difference.allFinite();
      if (!fits || difference.size() == 0) continue;
      error_ = std::max(error_, difference.cwiseAbs().maxCoeff());
      size_ = std::max(size_, reference[head].cwiseAbs().maxCoeff());
    }
    if (!fits) error_ = std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double value() const { return error_ == 0 ? 0 : error_ / size_; }

 private:
  double error_ = 0;
  double size_ = 0;
};

}  // namespace ringsim::host
