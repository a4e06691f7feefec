#pragma once
// The engines that cuDNN offers for a graph, best first by its heuristics (mode A).

#include "kernels/cuda/cudnn/operation_graph.hpp"

#if RINGSIM_HAS_CUDNN

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::cuda::cudnn {

/// An engine with its choices, which a plan can be made of.
struct EngineConfig {
  std::int64_t engine = 0;  // cuDNN's number of it, for graphs of this kind
  Descriptor config;
};

/// Empty where it has none. Throws Error where it fails.
[[nodiscard]] std::vector<EngineConfig> offered_engines(const OperationGraph& graph, const Target& target);

/// Whether this engine supports the graph, without building a plan. Empty: it does; else cuDNN's reason.
[[nodiscard]] std::string refusal_of_engine(const OperationGraph& graph, const Target& target, std::int64_t engine);

}  // namespace ringsim::cuda::cudnn

#endif
