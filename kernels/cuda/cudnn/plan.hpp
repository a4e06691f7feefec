#pragma once
// A graph made executable: the first of the offered engines whose plan can be built. Building compiles kernels and
// takes seconds.

#include "kernels/cuda/cudnn/engines.hpp"

#if RINGSIM_HAS_CUDNN

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ringsim::cuda::cudnn {

/// Memory of a tensor of the graph: of the device, or of the host for one by value.
struct Binding {
  Uid uid = 0;
  void* data = nullptr;
};

class Plan {
 public:
  /// Throws Error where no engine is offered, or none can be built, with the reasons. The target outlives the plan. With
  /// a target that is only described a plan cannot be executed, and comes out only where a driver takes its kernel.
  Plan(const Graph& graph, const Target& target);
  /// Device memory that execute() needs beside the tensors.
  [[nodiscard]] std::size_t workspace_bytes() const { return workspace_bytes_; }
  /// cuDNN's number of the engine.
  [[nodiscard]] std::int64_t engine() const { return engine_; }
  /// Enqueues. All tensors with memory and all by value are bound; device addresses are multiples of 16.
  void execute(std::span<const Binding> bindings, void* workspace, cudaStream_t stream) const;

 private:
  const Target& target_;
  OperationGraph graph_;
  Descriptor plan_;
  std::int64_t engine_ = 0;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace ringsim::cuda::cudnn

#endif
