#pragma once
// A graph of data (graph.hpp) handed to cuDNN.

#include "kernels/cuda/cudnn/graph.hpp"
#include "kernels/cuda/cudnn/target.hpp"

#if RINGSIM_HAS_CUDNN

#include <map>
#include <vector>

namespace ringsim::cuda::cudnn {

class OperationGraph {
 public:
  /// Throws Error where cuDNN refuses a tensor, a node or the whole. The target outlives it.
  OperationGraph(const Graph& graph, const Target& target);
  [[nodiscard]] const Descriptor& descriptor() const { return graph_; }

 private:
  std::map<Uid, Descriptor> tensors_;
  std::vector<Descriptor> modes_;  // what a node does; of nodes that have such a thing
  std::vector<Descriptor> nodes_;
  Descriptor graph_;
};

}  // namespace ringsim::cuda::cudnn

#endif
