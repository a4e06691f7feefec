#pragma once
// `cluster.node.file`: replaced by the tree that the file describes.

#include "scenarios/value.hpp"

#include <string>

namespace ringsim::scenarios {

/// Replaces the file that `node` names, if any, and takes the numbers of GPUs and NICs from it where the cluster leaves them
/// to the library or to defaults. Throws Error where the file is damaged, or disagrees with what the scenario says.
void replace_topology_file(Value& cluster, const std::string& directory);

/// Before `over` is laid on `base`: a node or fabric of another kind, or of a file, takes the place of the base's.
void drop_other_topology(Value& base, const Value& over);

}  // namespace ringsim::scenarios
