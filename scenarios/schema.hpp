#pragma once
// The JSON Schema (draft-07) of the scenario language, for editors: made from the same table as the reader.

#include <string>

namespace ringsim::scenarios {

/// The schema, indented by two spaces, with a line break at the end. scenarios/scenario.schema.json is this text.
[[nodiscard]] std::string json_schema();

}  // namespace ringsim::scenarios
