#pragma once
// Replaces what a scenario names (library entries, Hugging Face configs, profile files) by what stands there, with the
// scenario's own keys laid over it.

#include "scenarios/value.hpp"

#include <string>
#include <vector>

namespace ringsim::scenarios {

/// Replaces the references of model, cluster, its GPU, the profile, hosts and documents. Files are looked for in `directory` (empty: the
/// working directory), and values that follow from others are filled in (one NIC a GPU, fp64 gradients of fp64). A profile that the scenario does not name becomes the GPU's; what the user should know of that
/// is added to `warnings`. A profile that ends as peaks alone is the plain text "datasheet". Throws Error.
void replace_references(Value& scenario, const std::string& directory, std::vector<std::string>& warnings);

/// The text of a file. Throws Error at `where`, which names the path, when it cannot be read.
[[nodiscard]] std::string read_file(const std::string& path, const std::string& where);

/// Replaces the references of a mapping of `cluster` alone, for a file that holds nothing else. Throws Error.
void replace_cluster_references(Value& cluster, const std::string& directory);
/// The same of `profile`.
void replace_profile_reference(Value& profile, const std::string& directory);

}  // namespace ringsim::scenarios
