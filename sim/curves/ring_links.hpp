#pragma once
// The links that decide a ring's hops, as one quantity that can be changed.

#include "models/job_network.hpp"
#include "models/scenario.hpp"

#include <string>

namespace ringsim::sim {

/// Whether a hop of the job's slowest ring crosses nodes.
[[nodiscard]] bool crosses_nodes(const JobNetwork& network);

/// The NICs, or the links inside a node.
[[nodiscard]] const Link& ring_link(const Scenario& scenario, bool inter_node);

/// The scenario with that bandwidth of a NIC; or of a GPU's port inside the node: where there is no NVSwitch, bridges and the PCIe
/// tree go with it in proportion.
[[nodiscard]] Scenario with_bandwidth(const Scenario& scenario, bool inter_node, Bandwidth bandwidth);

}  // namespace ringsim::sim
