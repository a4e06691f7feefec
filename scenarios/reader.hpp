#pragma once
// Reads scenarios: YAML and --set to a Scenario with no default left open, where every value knows its origin.

#include "models/scenario.hpp"
#include "scenarios/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

/// Reads a scenario file and applies `sets` ("a.b.c=value") in order. Throws Error with file:line:column (or "--set
/// key") in `where` for everything that is wrong with the input, what spans several parts included.
[[nodiscard]] Scenario read_scenario(const std::string& path, const std::vector<std::string>& sets = {});

/// The same from text. `name` stands for the file in messages; files that the scenario names are looked for in
/// `directory` (empty: the working directory).
[[nodiscard]] Scenario read_scenario_text(std::string_view text, const std::string& name,
                                          const std::string& directory = {}, const std::vector<std::string>& sets = {});

/// The same from a parsed document.
[[nodiscard]] Scenario read_scenario_document(Value document, const std::string& name,
                                              const std::string& directory = {},
                                              const std::vector<std::string>& sets = {});

/// A profile file alone (scenarios/library/profiles shows the form), or `use:` and the name of one. `name` stands for the file in messages. Throws Error
/// with file:line:column.
[[nodiscard]] Profile read_profile_text(std::string_view text, const std::string& name);

/// Profiles of the library, or profile files that may leave out what measurements will give, each laid over those before it.
/// `left_out` are the keys that every profile has and these have not ("forward", "launch", ...): what stands for them in
/// `profile` means nothing. A pass of attention without its rate, and a link without its efficiency ("links.ib-hdr"), count as
/// left out; their other keys are kept.
struct PartialProfile {
  Profile profile;
  std::vector<std::string> left_out;
};
/// `uses` are names or paths, not empty; `where` is who names them. Throws Error.
[[nodiscard]] PartialProfile read_partial_profile(const std::vector<std::string>& uses, const std::string& where);

/// A cluster file alone, its GPU written out or named from the library. Throws Error with file:line:column.
[[nodiscard]] Cluster read_cluster_text(std::string_view text, const std::string& name);

}  // namespace ringsim::scenarios
