#include "models/block/two_way.hpp"

#include <utility>

namespace ringsim {

std::vector<std::variant<Gemm, Elementwise>> backward_of(const BlockShape& shape, const Gemm& forward) {
  Gemm input = forward;
  input.name = "gradient of the input, " + forward.name;
  std::swap(input.columns, input.depth);
  Gemm weights = forward;
  weights.name = "gradient of the weights, " + forward.name;
  weights.matrix_bytes = 2 * shape.gradient;
  return {input, weights};
}

TwoWay products(const BlockShape& shape, std::string name, const std::vector<Gemm>& forward) {
  DenseWork there{name, {}};
  DenseWork back{name + ", backward", {}};
  for (const Gemm& gemm : forward) there.parts.emplace_back(gemm);
  for (auto gemm = forward.rbegin(); gemm != forward.rend(); ++gemm) {
    for (auto& part : backward_of(shape, *gemm)) back.parts.push_back(std::move(part));
  }
  return {.forward = std::move(there), .backward = std::move(back)};
}

Elementwise norm(const BlockShape& shape, const std::string& name, const Rows& rows, double width) {
  return pass(shape, name, rows, 2 * width);
}

Elementwise norm_backward(const BlockShape& shape, const std::string& name, const Rows& rows, double width) {
  return pass(shape, name + ", backward", rows, 3 * width);
}

namespace {

CollectiveTraffic of_hidden(const BlockShape& shape, std::string name, CollectiveKind kind) {
  return traffic(shape, std::string(name_of(kind)) + " " + std::move(name), kind, Group::tensor, shape.rows,
                 static_cast<double>(shape.model.hidden) * shape.element);
}

}  // namespace

std::vector<TwoWay> enter_tensor_parallel(const BlockShape& shape, const std::string& what) {
  if (shape.parallel.tensor == 1) return {};
  TwoWay part;
  if (shape.divides_tokens()) {
    part.forward = of_hidden(shape, "of the input of " + what, CollectiveKind::all_gather);
    part.backward = of_hidden(shape, "of the gradient at " + what, CollectiveKind::reduce_scatter);
  } else {
    part.backward = of_hidden(shape, "of the gradient at " + what, CollectiveKind::all_reduce);
  }
  return {part};
}

std::vector<TwoWay> leave_tensor_parallel(const BlockShape& shape, const std::string& what) {
  if (shape.parallel.tensor == 1) return {};
  TwoWay part;
  if (shape.divides_tokens()) {
    part.forward = of_hidden(shape, "of the output of " + what, CollectiveKind::reduce_scatter);
    part.backward = of_hidden(shape, "of the gradient behind " + what, CollectiveKind::all_gather);
  } else {
    part.forward = of_hidden(shape, "of the output of " + what, CollectiveKind::all_reduce);
  }
  return {part};
}

}  // namespace ringsim
