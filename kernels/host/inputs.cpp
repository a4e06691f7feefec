#include "kernels/host/inputs.hpp"

#include <numbers>

namespace ringsim::host {
namespace {

// Splitmix64 (Steele, Lea, Flood 2014): the state that follows, and the number that a state gives.
constexpr std::uint64_t increment = 0x9e3779b97f4a7c15;
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
  return z ^ (z >> 31U);
}
std::uint64_t hash(std::uint64_t state, std::int64_t place) {
  return mix(state + increment * (static_cast<std::uint64_t>(place) + 1));
}

// A term is uniform on 0 ... 65535, with mean 32767.5 and variance (65536² − 1)/12; four of them have four times that.
float normal(std::uint64_t bits) {
  const auto term = [bits](unsigned shift) { return static_cast<double>((bits >> shift) & 0xffffU); };
  const double sum = term(0) + term(16) + term(32) + term(48) - 131070.0;
  return static_cast<float>(sum / 65536.0 * std::numbers::sqrt3);
}

template <class T>
void fill(std::uint64_t state, const Positions& positions, HeadsView<T> tensor) {
  for (Eigen::Index head = 0; head < tensor.heads; ++head) {
    const std::uint64_t of_head = hash(state, head);
    auto rows = tensor[head];
    for (Eigen::Index row = 0; row < rows.rows(); ++row) {
      const std::uint64_t of_token = hash(of_head, positions[static_cast<std::size_t>(row)]);
      for (Eigen::Index i = 0; i < rows.cols(); ++i) rows(row, i) = static_cast<T>(normal(hash(of_token, i)));
    }
  }
}

}  // namespace

template <class T>
void fill_inputs(std::uint64_t seed, std::int64_t layer, const Positions& positions, BlockView<T> block) {
  const std::uint64_t of_layer = hash(mix(seed), layer);
  fill(hash(of_layer, 0), positions, block.q);
  fill(hash(of_layer, 1), positions, block.k);
  fill(hash(of_layer, 2), positions, block.v);
  fill(hash(of_layer, 3), positions, block.d_out);
}

template void fill_inputs(std::uint64_t, std::int64_t, const Positions&, BlockView<float>);
template void fill_inputs(std::uint64_t, std::int64_t, const Positions&, BlockView<double>);

}  // namespace ringsim::host
