#pragma once
// A computation for cuDNN as plain data: tensors, and nodes that read and write them. Made without cuDNN, so it can be
// compared and printed; operation_graph.hpp hands it over.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ringsim::cuda::cudnn {

/// A tensor's number within its graph. Those that have memory are bound to it by number.
using Uid = std::int64_t;

enum class DataType { bf16, fp32, int32, boolean };

/// Four numbers: [batch][head][row][column].
using Dims = std::array<std::int64_t, 4>;

/// Strides of a tensor without gaps.
[[nodiscard]] constexpr Dims packed(const Dims& dims) {
  return {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
}
/// Of the last two dimensions.
[[nodiscard]] constexpr Dims transposed(const Dims& dims) { return {dims[0], dims[1], dims[3], dims[2]}; }

/// Where a tensor's numbers are.
enum class Storage {
  memory,   // the caller binds it
  none,     // "virtual": between two nodes, in registers or in cuDNN's own workspace
  by_value  // one number in the host's memory, read when the graph is executed
};

struct Tensor {
  Uid uid = 0;
  DataType type = DataType::fp32;
  Dims dims{};
  Dims strides{};  // in elements
  Storage storage = Storage::memory;
};

enum class NodeKind {
  matmul,         // A·B per head; heads of the side that has fewer serve several of the other
  multiply,       // element by element from here on; a side whose dimension is 1 is repeated
  add,            //
  subtract,       // a − b
  divide,         // a / b
  exponential,    //
  logarithm,      // natural
  identity,       // a change of type
  index,          // the element's own index along `axis`
  greater_equal,  // a >= b
  select,         // c ? a : b
  maximum,        // reductions, along the dimensions that are 1 in the output
  sum,            //
  reshape         // other dimensions or strides
};

struct Node {
  NodeKind kind = NodeKind::matmul;
  Uid a = 0;
  std::optional<Uid> b, c;
  Uid out = 0;
  std::int64_t axis = 0;
};

struct Graph {
  std::vector<Tensor> tensors;
  std::vector<Node> nodes;
  /// Throws std::out_of_range where there is no such tensor.
  [[nodiscard]] const Tensor& tensor(Uid uid) const;
};

/// Adds nodes one after the other. Each returns the number of what it writes: a new virtual tensor, unless the caller
/// names an `into`.
class GraphBuilder {
 public:
  /// What lies in memory or comes by value, with its number.
  Uid given(const Tensor& tensor);
  /// One fp32 number by value.
  Uid scalar(Uid uid);
  /// A tensor between two nodes, without gaps unless strides are given.
  Uid virtual_tensor(DataType type, const Dims& dims, std::optional<Dims> strides = {});

  Uid matmul(Uid a, Uid b, Uid into);
  /// fp32, of the dimensions of a.
  Uid pointwise(NodeKind kind, Uid a, std::optional<Uid> b = {}, std::optional<Uid> into = {});
  Uid reduce(NodeKind kind, Uid a, Uid into);
  Uid reshape(Uid a, Uid into);
  /// scores where the query's index is at least the key's, `otherwise` elsewhere.
  Uid causal(Uid scores, Uid otherwise);

  [[nodiscard]] const Tensor& tensor(Uid uid) const { return graph_.tensor(uid); }
  [[nodiscard]] Graph take() && { return static_cast<Graph&&>(graph_); }

 private:
  Uid add(const Node& node);

  Graph graph_;
  Uid next_ = 1000;  // above the numbers that callers choose
};

}  // namespace ringsim::cuda::cudnn
