#pragma once
// The steps of reading a scenario, for whoever reads many that are nearly the same (scenarios/variants.hpp).

#include "models/scenario.hpp"
#include "scenarios/value.hpp"

#include <string>
#include <vector>

namespace ringsim::scenarios {

/// A document in which `sets` have been applied, references replaced and defaults written in.
struct CompleteDocument {
  Value root;
  std::vector<std::string> warnings;
};
/// Throws Error.
[[nodiscard]] CompleteDocument complete_document(Value document, const std::string& directory,
                                                 const std::vector<std::string>& sets);

/// The scenario of a complete document: without the list of its values, hash and warnings, and unchecked but for the model.
/// Throws Error.
[[nodiscard]] Scenario scenario_of(const Value& root);

/// The profile of a complete document: a mapping, or the text "datasheet".
[[nodiscard]] Profile profile_of(const Value& root, const Cluster& cluster, Dtype dtype);

}  // namespace ringsim::scenarios
