#pragma once
// Writes a cluster as a file of its own, with its GPU inline.

#include "models/device.hpp"

#include <string>
#include <string_view>

namespace ringsim::scenarios {

/// YAML that read_cluster_text() and `cluster: {use: FILE}` read back to an equal cluster: every number with the digits
/// that tell it from its neighbours, and its source; a number without one gets its place in the file as its source, and a
/// GPU without default profile the data sheet. `comment` stands on top, each of its lines behind a #. Throws Error, with
/// the key in the message, where a value lies outside of what the language allows (scenarios/spec.hpp).
[[nodiscard]] std::string format_cluster(const Cluster& cluster, std::string_view comment = {});

}  // namespace ringsim::scenarios
