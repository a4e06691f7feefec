#pragma once
// Results of a rank on the host, to be checked.

#include "kernels/cuda/executor/rank.hpp"

#include <vector>

namespace ringsim::cuda {

/// o, lse and, after a backward pass, the gradients of q, k and v of a layer, one after the other (kernels/host/check.hpp). Waits for
/// the device.
[[nodiscard]] std::vector<double> results_of(const DeviceRank& rank, std::int64_t layer);

/// A number as bf16 holds it.
[[nodiscard]] inline double rounded_to_bf16(double x) {
  return static_cast<double>(to_float(to_bf16(static_cast<float>(x))));
}

}  // namespace ringsim::cuda
