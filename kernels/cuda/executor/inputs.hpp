#pragma once
// Q, K, V and dO of a rank's layers.

#include "kernels/cuda/executor/rank.hpp"

#include <cstdint>

namespace ringsim::cuda {

/// Those of kernels/host/inputs.hpp in bf16: a function of the seed and of an element's place in the whole problem, so that results can
/// be checked. Made on the host; waits until they are on the device.
void upload_inputs(const host::RingPlan& plan, std::uint64_t seed, const DeviceRank& rank, cudaStream_t stream);

/// Normal numbers made on the device: enough for times, which depend on the numbers only in that they are not all alike.
void random_inputs(const host::RingPlan& plan, std::uint64_t seed, const DeviceRank& rank, cudaStream_t stream);

}  // namespace ringsim::cuda
