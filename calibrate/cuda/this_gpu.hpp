#pragma once
// The libraries and kernels of this machine, as benchmarks see them.

#include "calibrate/cuda/kernels.hpp"
#include "kernels/cuda/device.hpp"

namespace ringsim::calibrate {

/// For the first of the devices, which must be there, and NCCL for all of them. Attention is cuDNN's; where there is no cuDNN our
/// own (forward alone), where that does not run either the reference: which one, GpuKernels::missing says. Throws nothing for
/// a library that is not there.
[[nodiscard]] GpuKernels kernels_of(const cuda::Devices& found);

}  // namespace ringsim::calibrate
