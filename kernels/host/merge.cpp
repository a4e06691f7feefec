#include "kernels/host/merge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ringsim::host {
namespace {

// Between two calls of the hook, about as long as a tile of a kernel takes at most.
constexpr Eigen::Index rows_at_once = 64;
constexpr Eigen::Index elements_at_once = 16384;

template <class T>
constexpr T unseen = -std::numeric_limits<T>::infinity();

}  // namespace

template <class T>
void merge(BlockView<T> accumulator, BlockView<const T> partial, Progress progress) {
  for (Eigen::Index head = 0; head < accumulator.o.heads; ++head) {
    auto o = accumulator.o[head];
    auto lse = accumulator.lse[head];
    const auto other_o = partial.o[head];
    const auto other_lse = partial.lse[head];
    for (Eigen::Index row = 0; row < o.rows(); ++row) {
      if (row % rows_at_once == 0) progress();
      T& own = lse(row, 0);
      const T other = other_lse(row, 0);
      if (other == unseen<T>) continue;
      if (own == unseen<T>) {
        o.row(row) = other_o.row(row);
        own = other;
        continue;
      }
      // With the larger of the two taken out, one exponential gives both weights.
      const bool larger = own >= other;
      const T ratio = std::exp(larger ? other - own : own - other);
      const T weight = T{1} / (T{1} + ratio);
      o.row(row) =
          (larger ? weight : ratio * weight) * o.row(row) + (larger ? ratio * weight : weight) * other_o.row(row);
      own = (larger ? own : other) + std::log1p(ratio);
    }
  }
  progress();
}

template <class T>
void add(std::span<T> accumulator, std::span<const T> contribution, Progress progress) {
  const Eigen::Index elements = std::ssize(accumulator);
  for (Eigen::Index first = 0; first < elements; first += elements_at_once) {
    const Eigen::Index count = std::min(elements_at_once, elements - first);
    Eigen::Map<Eigen::ArrayX<T>>(accumulator.data() + first, count) +=
        Eigen::Map<const Eigen::ArrayX<T>>(contribution.data() + first, count);
    progress();
  }
}

template void merge(BlockView<float>, BlockView<const float>, Progress);
template void merge(BlockView<double>, BlockView<const double>, Progress);
template void add(std::span<float>, std::span<const float>, Progress);
template void add(std::span<double>, std::span<const double>, Progress);

}  // namespace ringsim::host
