#pragma once
// --set key=value: one value of a scenario changed from the command line.

#include "scenarios/value.hpp"

#include <string_view>

namespace ringsim::scenarios {

/// Applies "a.b.c=value" to a document of the scenario language. The value is parsed as YAML, so lists and mappings
/// work; missing mappings are made; numbers step into lists; below a shorthand (`model: llama3-70b`) keys override what
/// it names. Whether the key exists is checked later, with the origin "--set a.b.c" to report. Throws Error.
void apply_override(Value& document, std::string_view assignment);

}  // namespace ringsim::scenarios
