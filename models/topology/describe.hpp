#pragma once
// A topology in a few words.

#include "models/device.hpp"

#include <string>

namespace ringsim {

/// "all-to-all; flat switch" (an NVSwitch, or a mesh), "PCIe: 2 sockets, 4 switches; fat tree of 2 levels with rails, 2:1
/// oversubscribed", "torus of 4 × 4". Nothing is said of a fabric where the cluster has no NICs.
[[nodiscard]] std::string describe_topology(const Cluster& cluster);

}  // namespace ringsim
