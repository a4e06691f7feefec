#pragma once
// The engines that cuDNN offers for a graph, best first by its heuristics (mode A). The offer is cuDNN's only answer
// to whether it supports a graph, short of building a plan: an engine's descriptor becomes final whatever the graph is.

#include "kernels/cuda/cudnn/operation_graph.hpp"

#if RINGSIM_HAS_CUDNN

#include <cstdint>
#include <vector>

namespace ringsim::cuda::cudnn {

/// An engine with its choices, which a plan can be made of.
struct EngineConfig {
  std::int64_t engine = 0;  // cuDNN's number of it, for graphs of this kind
  Descriptor config;
};

/// Empty where it has none. Throws Error where it fails.
[[nodiscard]] std::vector<EngineConfig> offered_engines(const OperationGraph& graph, const Target& target);

}  // namespace ringsim::cuda::cudnn

#endif
