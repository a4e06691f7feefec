#pragma once
// Writes the inside of a node and the network between nodes in the scenario language.

#include "models/device.hpp"

#include <string>

namespace ringsim::scenarios {

/// The keys of `node`, each vertex written out, with `indent` in front of every line.
[[nodiscard]] std::string format_node(const NodeWiring& wiring, const std::string& indent);
/// The keys of `fabric`, in one flow mapping: "{kind: torus, dimensions: [4, 4]}".
[[nodiscard]] std::string format_fabric(const Fabric& fabric);

}  // namespace ringsim::scenarios
