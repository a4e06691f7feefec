#pragma once
// Attention kernels whose last step folds their result into the accumulator, so that no Merge is left to do.

#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/merge.hpp"

#include <memory>

namespace ringsim::cuda {

class MergingKernel {
 public:
  virtual ~MergingKernel() = default;
  /// As AttentionKernels::prepare.
  virtual void prepare_merging(const ForwardCall& call) = 0;
  /// Enqueues; o and lse of the call are not used.
  virtual void forward_merging(const ForwardCall& call, OutputAccumulator into, cudaStream_t stream) = 0;
};

/// Our own for sm_90a.
[[nodiscard]] std::unique_ptr<MergingKernel> merging_hopper_kernel();

}  // namespace ringsim::cuda
