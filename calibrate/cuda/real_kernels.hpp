#pragma once
// The kernels and libraries of this machine, for the benchmarks.

#include "calibrate/cuda/kernels.hpp"
#include "kernels/cuda/device.hpp"

namespace ringsim::calibrate {

/// Attention by cuDNN, or by plain kernels where it is missing; our own kernel on a GPU that has its instructions; cuBLAS and NCCL
/// where they are there. What is not, `missing` says. `found` has at least one device.
[[nodiscard]] GpuKernels real_kernels(const cuda::Devices& found);

}  // namespace ringsim::calibrate
