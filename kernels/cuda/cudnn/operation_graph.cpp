#include "kernels/cuda/cudnn/operation_graph.hpp"

#if RINGSIM_HAS_CUDNN

#include <array>
#include <cstdint>
#include <span>

namespace ringsim::cuda::cudnn {

namespace {

/// All addresses that are bound are multiples of it. cuDNN chooses kernels that move 16 bytes at a time.
constexpr std::int64_t alignment_bytes = 16;

cudnnDataType_t type_of(DataType type) {
  switch (type) {
    case DataType::bf16:
      return CUDNN_DATA_BFLOAT16;
    case DataType::fp32:
      return CUDNN_DATA_FLOAT;
    case DataType::int32:
      return CUDNN_DATA_INT32;
    case DataType::boolean:
      return CUDNN_DATA_BOOLEAN;
  }
  return CUDNN_DATA_FLOAT;
}

// Of rows of vectors 16 bytes. What has one number a row begins anywhere: the second query of a block is where a striped ring's triangle begins.
std::int64_t alignment_of(const Tensor& tensor) {
  const bool a_number_a_row = tensor.storage == Storage::memory && tensor.dims[3] == 1 && tensor.type == DataType::fp32;
  return a_number_a_row ? std::int64_t{sizeof(float)} : alignment_bytes;
}

Descriptor tensor_descriptor(const Tensor& tensor) {
  Descriptor descriptor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  descriptor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, tensor.uid);
  descriptor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type_of(tensor.type));
  descriptor.set(CUDNN_ATTR_TENSOR_DIMENSIONS, std::span<const std::int64_t>(tensor.dims));
  descriptor.set(CUDNN_ATTR_TENSOR_STRIDES, std::span<const std::int64_t>(tensor.strides));
  descriptor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, alignment_of(tensor));
  descriptor.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, tensor.storage == Storage::none);
  descriptor.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, tensor.storage == Storage::by_value);
  descriptor.finalize("cuDNN refuses a tensor");
  return descriptor;
}

Descriptor matmul_mode() {
  Descriptor mode(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  mode.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT);
  mode.finalize("cuDNN refuses a matrix product");
  return mode;
}

Descriptor reduction_mode(NodeKind kind) {
  Descriptor mode(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  mode.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_DATA_FLOAT);
  mode.set(CUDNN_ATTR_REDUCTION_OPERATOR,
           kind == NodeKind::maximum ? CUDNN_REDUCE_TENSOR_MAX : CUDNN_REDUCE_TENSOR_ADD);
  mode.finalize("cuDNN refuses a reduction");
  return mode;
}

struct Pointwise {
  cudnnPointwiseMode_t mode;
  cudnnDataType_t computed_in;
};

Pointwise pointwise_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::multiply:
      return {CUDNN_POINTWISE_MUL, CUDNN_DATA_FLOAT};
    case NodeKind::add:
      return {CUDNN_POINTWISE_ADD, CUDNN_DATA_FLOAT};
    case NodeKind::subtract:
      return {CUDNN_POINTWISE_SUB, CUDNN_DATA_FLOAT};
    case NodeKind::divide:
      return {CUDNN_POINTWISE_DIV, CUDNN_DATA_FLOAT};
    case NodeKind::exponential:
      return {CUDNN_POINTWISE_EXP, CUDNN_DATA_FLOAT};
    case NodeKind::logarithm:
      return {CUDNN_POINTWISE_LOG, CUDNN_DATA_FLOAT};
    case NodeKind::index:
      return {CUDNN_POINTWISE_GEN_INDEX, CUDNN_DATA_INT32};
    case NodeKind::greater_equal:
      return {CUDNN_POINTWISE_CMP_GE, CUDNN_DATA_BOOLEAN};
    case NodeKind::select:
      return {CUDNN_POINTWISE_BINARY_SELECT, CUDNN_DATA_FLOAT};
    default:
      return {CUDNN_POINTWISE_IDENTITY, CUDNN_DATA_FLOAT};
  }
}

Descriptor pointwise_mode(const Node& node) {
  const Pointwise pointwise = pointwise_of(node.kind);
  Descriptor mode(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  mode.set(CUDNN_ATTR_POINTWISE_MODE, pointwise.mode);
  mode.set(CUDNN_ATTR_POINTWISE_MATH_PREC, pointwise.computed_in);
  if (node.kind == NodeKind::index) mode.set(CUDNN_ATTR_POINTWISE_AXIS, node.axis);
  mode.finalize("cuDNN refuses a pointwise operation");
  return mode;
}

/// The names of a node's operands for cuDNN.
struct Names {
  cudnnBackendDescriptorType_t node;
  cudnnBackendAttributeName_t mode;  // unused in a reshape, which has none
  cudnnBackendAttributeName_t a, b, c, out;
};

constexpr Names matmul_names{CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR, CUDNN_ATTR_OPERATION_MATMUL_DESC,
                             CUDNN_ATTR_OPERATION_MATMUL_ADESC,         CUDNN_ATTR_OPERATION_MATMUL_BDESC,
                             CUDNN_ATTR_OPERATION_MATMUL_BDESC,         CUDNN_ATTR_OPERATION_MATMUL_CDESC};
constexpr Names reduction_names{CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR, CUDNN_ATTR_OPERATION_REDUCTION_DESC,
                                CUDNN_ATTR_OPERATION_REDUCTION_XDESC,         CUDNN_ATTR_OPERATION_REDUCTION_XDESC,
                                CUDNN_ATTR_OPERATION_REDUCTION_XDESC,         CUDNN_ATTR_OPERATION_REDUCTION_YDESC};
constexpr Names reshape_names{CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR, CUDNN_ATTR_OPERATION_RESHAPE_XDESC,
                              CUDNN_ATTR_OPERATION_RESHAPE_XDESC,         CUDNN_ATTR_OPERATION_RESHAPE_XDESC,
                              CUDNN_ATTR_OPERATION_RESHAPE_XDESC,         CUDNN_ATTR_OPERATION_RESHAPE_YDESC};
constexpr Names pointwise_names{
    CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR,
    CUDNN_ATTR_OPERATION_POINTWISE_XDESC,         CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
    CUDNN_ATTR_OPERATION_POINTWISE_TDESC,         CUDNN_ATTR_OPERATION_POINTWISE_YDESC};

const Names& names_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::matmul:
      return matmul_names;
    case NodeKind::maximum:
    case NodeKind::sum:
      return reduction_names;
    case NodeKind::reshape:
      return reshape_names;
    default:
      return pointwise_names;
  }
}

Descriptor mode_of(const Node& node) {
  switch (node.kind) {
    case NodeKind::matmul:
      return matmul_mode();
    case NodeKind::maximum:
    case NodeKind::sum:
      return reduction_mode(node.kind);
    default:
      return pointwise_mode(node);
  }
}

Descriptor node_descriptor(const Node& node, const std::map<Uid, Descriptor>& tensors, std::vector<Descriptor>& modes) {
  const Names& names = names_of(node.kind);
  Descriptor descriptor(names.node);
  if (node.kind != NodeKind::reshape) descriptor.set(names.mode, modes.emplace_back(mode_of(node)));
  descriptor.set(names.a, tensors.at(node.a));
  if (node.b) descriptor.set(names.b, tensors.at(*node.b));
  if (node.c) descriptor.set(names.c, tensors.at(*node.c));
  descriptor.set(names.out, tensors.at(node.out));
  descriptor.finalize("cuDNN refuses an operation");
  return descriptor;
}

}  // namespace

OperationGraph::OperationGraph(const Graph& graph, const Target& target)
    : graph_(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR) {
  for (const Tensor& tensor : graph.tensors) tensors_.emplace(tensor.uid, tensor_descriptor(tensor));
  for (const Node& node : graph.nodes) nodes_.push_back(node_descriptor(node, tensors_, modes_));
  graph_.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, nodes_);
  if (target.handle() != nullptr) graph_.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, target.handle());
  graph_.finalize("cuDNN refuses a graph");
}

}  // namespace ringsim::cuda::cudnn

#endif
