// The graphs of attention against a listing of graphs that cuDNN accepts (tests/data/cuda/README.md): node by node in
// order, and every tensor's type, dimensions, strides and storage. Numbers of tensors may differ, but the same number
// here is the same number there.
#include "kernels/cuda/cudnn/attention_graphs.hpp"
#include "tests/cuda/graph_listing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringsim::cuda::cudnn {
namespace {

/// 4,096 tokens of 16 heads of 128, laid out as the listing's: [token][head][dimension].
AttentionShape listed_shape(bool causal) {
  constexpr std::int64_t dim = 128;
  const Layout interleaved{dim, 16 * dim};
  AttentionShape s{16, 16, 4096, 4096, 128, 128, causal, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  s.q = s.k = s.v = s.o = s.d_out = s.dq = s.dk = s.dv = interleaved;
  s.lse = {4096, 1};
  return s;
}

std::string listed_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::matmul:
      return "MATMUL";
    case NodeKind::multiply:
      return "POINTWISE MUL";
    case NodeKind::add:
      return "POINTWISE ADD";
    case NodeKind::subtract:
      return "POINTWISE SUB";
    case NodeKind::divide:
      return "POINTWISE DIV";
    case NodeKind::exponential:
      return "POINTWISE EXP";
    case NodeKind::logarithm:
      return "POINTWISE LOG";
    case NodeKind::identity:
      return "POINTWISE IDENTITY";
    case NodeKind::index:
      return "POINTWISE GEN_INDEX";
    case NodeKind::greater_equal:
      return "POINTWISE CMP_GE";
    case NodeKind::select:
      return "POINTWISE BINARY_SELECT";
    case NodeKind::maximum:
      return "REDUCTION CUDNN_REDUCE_TENSOR_MAX";
    case NodeKind::sum:
      return "REDUCTION CUDNN_REDUCE_TENSOR_ADD";
    case NodeKind::reshape:
      return "RESHAPE";
  }
  return {};
}

std::string listed_type(DataType type) {
  switch (type) {
    case DataType::bf16:
      return "BFLOAT16";
    case DataType::fp32:
      return "FLOAT";
    case DataType::int32:
      return "INT32";
    case DataType::boolean:
      return "BOOLEAN";
  }
  return {};
}

/// Operands in the listing's order: inputs, then the output. The listing leaves out what a select gives elsewhere.
std::vector<Uid> listed_operands(const Node& node) {
  std::vector<Uid> operands{node.a};
  if (node.kind == NodeKind::select) {
    operands.push_back(*node.c);
  } else if (node.b) {
    operands.push_back(*node.b);
  }
  operands.push_back(node.out);
  return operands;
}

/// The one tensor that is not as listed: dO ∘ O. The listing gives it rows as far apart as O's and heads as far as if
/// they were neighbours, which is no layout at all; it is virtual, so nothing lies anywhere, and ours is without gaps.
bool is_product_of_outputs(const ListedTensor& listed) { return listed.strides == Dims{8388608, 524288, 2048, 1}; }

void expect_as_listed(const Graph& graph, const std::vector<ListedNode>& listing) {
  ASSERT_EQ(graph.nodes.size(), listing.size());
  std::map<std::int64_t, Uid> ours_of_listed;
  std::map<Uid, std::int64_t> listed_of_ours;
  for (std::size_t i = 0; i < listing.size(); ++i) {
    const Node& node = graph.nodes[i];
    const std::vector<Uid> operands = listed_operands(node);
    SCOPED_TRACE(::testing::Message() << "node " << i << ", " << listing[i].name);
    EXPECT_EQ(listed_name(node.kind), listing[i].name);
    ASSERT_EQ(operands.size(), listing[i].tensors.size());
    for (std::size_t j = 0; j < operands.size(); ++j) {
      const Tensor& ours = graph.tensor(operands[j]);
      const ListedTensor& listed = listing[i].tensors[j];
      SCOPED_TRACE(::testing::Message() << listed.role << " uid " << listed.uid << ", ours " << ours.uid);
      EXPECT_EQ(ours_of_listed.emplace(listed.uid, ours.uid).first->second, ours.uid);
      EXPECT_EQ(listed_of_ours.emplace(ours.uid, listed.uid).first->second, listed.uid);
      EXPECT_EQ(listed_type(ours.type), listed.type);
      EXPECT_EQ(ours.dims, listed.dims);
      EXPECT_EQ(ours.strides, is_product_of_outputs(listed) ? packed(ours.dims) : listed.strides);
      EXPECT_EQ(ours.storage == Storage::none, listed.is_virtual);
      EXPECT_EQ(ours.storage == Storage::by_value, listed.by_value);
    }
  }
  // Inputs and outputs have the listing's numbers.
  for (const Uid uid : {uid::q, uid::k, uid::v, uid::o, uid::lse, uid::scale, uid::d_out, uid::dq, uid::dk, uid::dv}) {
    if (listed_of_ours.contains(uid)) {
      EXPECT_EQ(listed_of_ours.at(uid), uid);
    }
  }
}

const std::map<std::string, std::vector<ListedNode>>& listing() {
  static const auto graphs = read_graph_listing(RINGSIM_SOURCE_DIR "/tests/data/cuda/cudnn-graphs.txt");
  return graphs;
}

TEST(CudnnGraph, ForwardIsAsListed) { expect_as_listed(forward_graph(listed_shape(true)), listing().at("fwd_causal")); }

TEST(CudnnGraph, BackwardIsAsListed) {
  expect_as_listed(backward_graph(listed_shape(true)), listing().at("bwd_causal"));
}

// The mask is four nodes: two indices, their comparison, the choice. Without them, and with the choice's operand read
// in place of its result, the causal graph is the full one up to the numbers of virtual tensors: 14 − 4 and 22 − 4
// nodes.
TEST(CudnnGraph, FullIsCausalWithoutTheMask) {
  for (const bool forward : {true, false}) {
    const Graph full = forward ? forward_graph(listed_shape(false)) : backward_graph(listed_shape(false));
    const Graph causal = forward ? forward_graph(listed_shape(true)) : backward_graph(listed_shape(true));
    std::vector<Node> nodes = causal.nodes;
    const auto select = std::ranges::find(nodes, NodeKind::select, &Node::kind);
    ASSERT_NE(select, nodes.end());
    const Uid masked = select->out;
    const Uid unmasked = select->a;
    nodes.erase(select - 3, select + 1);
    ASSERT_EQ(full.nodes.size(), nodes.size());
    EXPECT_EQ(full.nodes.size(), forward ? 10U : 18U);
    std::map<Uid, Uid> full_of_causal;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      SCOPED_TRACE(::testing::Message() << (forward ? "forward" : "backward") << " node " << i);
      EXPECT_EQ(full.nodes[i].kind, nodes[i].kind);
      const std::vector<Uid> of_full = listed_operands(full.nodes[i]);
      const std::vector<Uid> of_causal = listed_operands(nodes[i]);
      ASSERT_EQ(of_full.size(), of_causal.size());
      for (std::size_t j = 0; j < of_full.size(); ++j) {
        const Uid there = of_causal[j] == masked ? unmasked : of_causal[j];
        EXPECT_EQ(full_of_causal.emplace(there, of_full[j]).first->second, of_full[j]);
        EXPECT_EQ(full.tensor(of_full[j]).dims, causal.tensor(there).dims);
        EXPECT_EQ(full.tensor(of_full[j]).storage, causal.tensor(there).storage);
      }
    }
  }
}

// Shared key/value heads: a product per query head as before, and after it a sum over the heads that share. 18 + 2
// nodes.
TEST(CudnnGraph, BackwardOfSharedHeadsSumsTwice) {
  AttentionShape s = listed_shape(false);
  s.kv_heads = 4;
  const Graph graph = backward_graph(s);
  EXPECT_EQ(graph.nodes.size(), 20U);
  for (const Uid gradient : {uid::dk, uid::dv}) {
    const auto last = std::ranges::find(graph.nodes, gradient, &Node::out);
    ASSERT_NE(last, graph.nodes.end());
    EXPECT_EQ(last->kind, NodeKind::sum);
    EXPECT_EQ(graph.tensor(gradient).dims, (Dims{1, 4, 4096, 128}));
    EXPECT_EQ(graph.tensor(last->a).dims, (Dims{1, 16, 4096, 128}));
    EXPECT_EQ(graph.tensor(last->a).storage, Storage::none);
    EXPECT_EQ((last - 1)->kind, NodeKind::matmul);
    EXPECT_EQ((last - 1)->out, last->a);
  }
}

// Queries × keys need not be square, and dimensions of v need not be those of q: S is [300][1000], O [300][64].
TEST(CudnnGraph, LengthsAndDimensionsMayDiffer) {
  constexpr std::int64_t queries = 300;
  constexpr std::int64_t keys = 1000;
  constexpr std::int64_t dim = 128;
  constexpr std::int64_t v_dim = 64;
  AttentionShape s{2, 1, queries, keys, dim, v_dim, true, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  s.q = s.dq = {queries * dim, dim};
  s.k = s.dk = {keys * dim, dim};
  s.v = s.dv = {keys * v_dim, v_dim};
  s.o = s.d_out = {queries * v_dim, v_dim};
  s.lse = {queries, 1};
  const Graph forward = forward_graph(s);
  EXPECT_EQ(forward.tensor(forward.nodes.front().out).dims, (Dims{1, 2, 300, 1000}));
  EXPECT_EQ(forward.tensor(uid::k).dims, (Dims{1, 1, 128, 1000}));
  EXPECT_EQ(forward.tensor(uid::k).strides, (Dims{128000, 128000, 1, 128}));
  EXPECT_EQ(forward.tensor(uid::o).dims, (Dims{1, 2, 300, 64}));
  const Graph backward = backward_graph(s);
  EXPECT_EQ(backward.tensor(uid::v).dims, (Dims{1, 1, 64, 1000}));
  EXPECT_EQ(backward.tensor(uid::dv).dims, (Dims{1, 1, 1000, 64}));
  EXPECT_EQ(backward.tensor(uid::dq_accumulator).dims, (Dims{1, 2, 300, 128}));
}

// Every tensor is written by one node at most, and each virtual one by exactly one, before it is read.
TEST(CudnnGraph, NodesReadWhatWasWritten) {
  AttentionShape s = listed_shape(true);
  s.kv_heads = 4;
  for (const Graph& graph : {forward_graph(s), backward_graph(s)}) {
    std::map<Uid, int> writes;
    for (const Node& node : graph.nodes) {
      for (const std::optional<Uid>& input : {std::optional<Uid>(node.a), node.b, node.c}) {
        if (input && graph.tensor(*input).storage == Storage::none) {
          EXPECT_EQ(writes[*input], 1) << *input;
        }
      }
      ++writes[node.out];
    }
    for (const auto& [uid, count] : writes) EXPECT_EQ(count, 1) << uid;
    for (const Tensor& tensor : graph.tensors) {
      if (tensor.storage == Storage::none) {
        EXPECT_EQ(writes[tensor.uid], 1) << tensor.uid;
      }
    }
  }
}

TEST(CudnnGraph, AnUnknownTensorThrows) { EXPECT_THROW(static_cast<void>(Graph{}.tensor(1)), std::out_of_range); }

}  // namespace
}  // namespace ringsim::cuda::cudnn
