#pragma once
// The manual pages, in roff: ringsim(1) from the command line itself, ringsim-scenario(5) from the table of the scenario language.

#include "cli/documents/command_line.hpp"

#include <string>

namespace ringsim::cli::documents {

[[nodiscard]] std::string program_manual(const CommandLine& line);
[[nodiscard]] std::string scenario_manual();

}  // namespace ringsim::cli::documents
