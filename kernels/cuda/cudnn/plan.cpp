#include "kernels/cuda/cudnn/plan.hpp"

#if RINGSIM_HAS_CUDNN

#include <string>
#include <utility>
#include <vector>

namespace ringsim::cuda::cudnn {

Plan::Plan(const Graph& graph, const Target& target)
    : target_(target), graph_(graph, target), plan_(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
  std::string refusals;
  for (const EngineConfig& offered : offered_engines(graph_, target)) {
    Descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, offered.config);
    target.describe(plan, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, CUDNN_ATTR_EXECUTION_PLAN_HANDLE);
    const std::string refusal = plan.refusal();
    if (refusal.empty()) {
      plan_ = std::move(plan);
      engine_ = offered.engine;
      workspace_bytes_ = static_cast<std::size_t>(plan_.get_int64(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE));
      return;
    }
    refusals += (refusals.empty() ? "" : "; ") + ("engine " + std::to_string(offered.engine)) + ": " + refusal;
  }
  throw Error(refusals.empty() ? "cuDNN offers no engine for this graph"
                               : "cuDNN cannot build a plan for this graph: " + refusals);
}

void Plan::execute(std::span<const Binding> bindings, void* workspace, cudaStream_t stream) const {
  std::vector<std::int64_t> uids;
  std::vector<void*> pointers;
  for (const Binding& binding : bindings) {
    uids.push_back(binding.uid);
    pointers.push_back(binding.data);
  }
  Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, std::span<const std::int64_t>(uids));
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, std::span<void* const>(pointers));
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, workspace);
  pack.finalize("cuDNN refuses the tensors of an execution");
  check(cudnn_library().set_stream(target_.handle(), stream), "cudnnSetStream");
  check(cudnn_library().execute(target_.handle(), plan_.get(), pack.get()), "cudnnBackendExecute");
}

}  // namespace ringsim::cuda::cudnn

#endif
