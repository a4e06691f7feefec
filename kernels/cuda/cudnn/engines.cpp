#include "kernels/cuda/cudnn/engines.hpp"

#if RINGSIM_HAS_CUDNN

#include <utility>

namespace ringsim::cuda::cudnn {

std::vector<EngineConfig> offered_engines(const OperationGraph& graph, const Target& target) {
  Descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.descriptor());
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_HEUR_MODE_A);
  target.describe(heuristics, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP);
  heuristics.finalize("cuDNN's heuristics refuse a graph");

  std::vector<EngineConfig> configs;
  for (Descriptor& config : heuristics.get_list(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR)) {
    Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    config.get_into(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
    const std::int64_t number = engine.get_int64(CUDNN_ATTR_ENGINE_GLOBAL_INDEX);
    configs.push_back({number, std::move(config)});
  }
  return configs;
}

}  // namespace ringsim::cuda::cudnn

#endif
