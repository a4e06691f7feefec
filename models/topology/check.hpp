#pragma once
// Whether a topology's description fits its cluster.

#include "models/device.hpp"

namespace ringsim {

/// Throws Error at the key that is wrong ("cluster.node.vertices", "cluster.fabric.dimensions", ...): a tree that is none or
/// lacks GPUs, a GPU that others cannot reach, a torus of another number of GPUs, a fabric without NICs, links without
/// bandwidth.
void check_topology(const Cluster& cluster);

}  // namespace ringsim
