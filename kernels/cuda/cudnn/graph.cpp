#include "kernels/cuda/cudnn/graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ringsim::cuda::cudnn {

const Tensor& Graph::tensor(Uid uid) const {
  const auto found = std::ranges::find(tensors, uid, &Tensor::uid);
  if (found == tensors.end()) throw std::out_of_range("no tensor " + std::to_string(uid));
  return *found;
}

Uid GraphBuilder::given(const Tensor& tensor) {
  graph_.tensors.push_back(tensor);
  return tensor.uid;
}

Uid GraphBuilder::scalar(Uid uid) {
  return given({uid, DataType::fp32, {1, 1, 1, 1}, {1, 1, 1, 1}, Storage::by_value});
}

Uid GraphBuilder::virtual_tensor(DataType type, const Dims& dims, std::optional<Dims> strides) {
  return given({next_++, type, dims, strides.value_or(packed(dims)), Storage::none});
}

Uid GraphBuilder::add(const Node& node) {
  graph_.nodes.push_back(node);
  return node.out;
}

Uid GraphBuilder::matmul(Uid a, Uid b, Uid into) { return add({NodeKind::matmul, a, b, {}, into}); }

Uid GraphBuilder::pointwise(NodeKind kind, Uid a, std::optional<Uid> b, std::optional<Uid> into) {
  const Uid out = into ? *into : virtual_tensor(DataType::fp32, tensor(a).dims);
  return add({kind, a, b, {}, out});
}

Uid GraphBuilder::reduce(NodeKind kind, Uid a, Uid into) { return add({kind, a, {}, {}, into}); }

Uid GraphBuilder::reshape(Uid a, Uid into) { return add({NodeKind::reshape, a, {}, {}, into}); }

Uid GraphBuilder::causal(Uid scores, Uid otherwise) {
  const Dims dims = tensor(scores).dims;
  const Uid query = add({NodeKind::index, scores, {}, {}, virtual_tensor(DataType::int32, dims), 2});
  const Uid key = add({NodeKind::index, scores, {}, {}, virtual_tensor(DataType::int32, dims), 3});
  const Uid visible = add({NodeKind::greater_equal, query, key, {}, virtual_tensor(DataType::boolean, dims)});
  return add({NodeKind::select, scores, otherwise, visible, virtual_tensor(DataType::fp32, dims)});
}

}  // namespace ringsim::cuda::cudnn
