#include "models/block/mlp.hpp"

#include "models/block/mlp_parts.hpp"

#include <utility>

namespace ringsim {

TwoWay mlp_of(const BlockShape& shape, const MlpSize& size) {
  const bool gated = shape.model.feed_forward->gated;
  const auto hidden = static_cast<double>(shape.model.hidden);
  const auto matrix = [&](const std::string& name, double columns, double depth) {
    Gemm gemm = product(shape, name, size.rows, columns, depth, size.count);
    gemm.visits = size.visits;
    if (const auto& own = shape.model.feed_forward->dtype) {
      gemm.dtype = *own;
      gemm.matrix_bytes = bytes_per_element(*own);
    }
    gemm.imbalance = size.imbalance;
    return gemm;
  };
  const Gemm up = matrix(gated ? "gate and up projections" : "up projection", (gated ? 2 : 1) * size.units, hidden);
  const Gemm down = matrix("down projection", hidden, size.units);
  const Rows fullest = times(size.rows, size.imbalance);
  const Elementwise activation = pass(shape, "activation", fullest, (gated ? 3 : 2) * size.units);
  const Elementwise activation_backward = pass(shape, "activation, backward", fullest, (gated ? 5 : 3) * size.units);

  DenseWork backward{size.name + ", backward", backward_of(shape, down)};
  backward.parts.emplace_back(activation_backward);
  for (auto& part : backward_of(shape, up)) backward.parts.push_back(std::move(part));
  return {.forward = DenseWork{size.name, {up, activation, down}},
          .backward = std::move(backward),
          .again = DenseWork{size.name + ", again", {activation}}};
}

std::vector<TwoWay> dense_mlp(const BlockShape& shape) {
  MlpSize size;
  size.name = "MLP";
  size.rows = shape.rows;
  size.units = static_cast<double>(shape.model.feed_forward->intermediate) / static_cast<double>(shape.parallel.tensor);
  return {mlp_of(shape, size)};
}

}  // namespace ringsim
