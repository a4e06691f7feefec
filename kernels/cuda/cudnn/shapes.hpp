#pragma once
// From calls of attention kernels to the shapes of graphs.

#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/cudnn/attention_graphs.hpp"

namespace ringsim::cuda::cudnn {

/// Throw Error where tensors do not fit together, are empty, or begin at an address that is no multiple of 16.
[[nodiscard]] AttentionShape shape_of(const ForwardCall& call);
[[nodiscard]] AttentionShape shape_of(const BackwardCall& call);

}  // namespace ringsim::cuda::cudnn
