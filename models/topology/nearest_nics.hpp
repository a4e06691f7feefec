#pragma once
// Which NIC a GPU uses.

#include "models/device.hpp"

#include <cstdint>
#include <vector>

namespace ringsim {

/// The NIC of every GPU of a node. Of the m NICs that are nearest to a GPU in the PCIe tree (all, where there is none), the
/// k-th of the n GPUs that have these nearest uses number floor(k · m / n): 8 GPUs and 4 NICs make pairs, and a NIC beside
/// each GPU is its own. NCCL chooses the nearest too.
[[nodiscard]] std::vector<std::int64_t> nics_of_gpus(const Cluster& cluster);

}  // namespace ringsim
