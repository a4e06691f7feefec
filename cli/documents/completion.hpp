#pragma once
// Scripts by which shells complete command lines: commands, options, words that options take, files, and keys of the scenario
// language with their values. They hold all of that and do not start the program.

#include "cli/documents/command_line.hpp"

#include <string>

namespace ringsim::cli::documents {

[[nodiscard]] std::string bash_completion(const CommandLine& line);
[[nodiscard]] std::string zsh_completion(const CommandLine& line);
[[nodiscard]] std::string fish_completion(const CommandLine& line);

}  // namespace ringsim::cli::documents
