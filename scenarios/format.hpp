#pragma once
// Writes a resolved scenario as YAML of the scenario language: everything inline, every default written out.

#include "models/scenario.hpp"

#include <string>

namespace ringsim::scenarios {

enum class Origins { omit, as_comments };

/// YAML that read_scenario_text() reads back to an equal scenario, hash included. `as_comments` adds the origin of each
/// value at the end of its line.
[[nodiscard]] std::string format_scenario(const Scenario& scenario, Origins origins = Origins::omit);

}  // namespace ringsim::scenarios
