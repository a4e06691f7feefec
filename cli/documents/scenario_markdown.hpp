#pragma once
// The reference of the scenario language in Markdown: docs/SCENARIO.md.

#include <string>

namespace ringsim::cli::documents {

[[nodiscard]] std::string scenario_markdown();

}  // namespace ringsim::cli::documents
