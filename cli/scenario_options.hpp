#pragma once
// What every command that takes a scenario shares.

#include "models/scenario.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::cli {

struct ScenarioOptions {
  std::string path;
  std::vector<std::string> sets;  // "key=value", later ones win
  std::string format = "text";
  std::uint64_t seed = 0;
};

/// SCENARIO, --set, --format and --seed, of which `seed_meaning` says what it does.
void add_scenario_options(
    CLI::App& command, ScenarioOptions& options,
    const std::string& seed_meaning = "Recorded in the output; nothing is random in a simulation");

/// Refuses an empty text where a file is to be named.
[[nodiscard]] CLI::Validator file_name();

/// --format alone.
void add_format_option(CLI::App& command, std::string& format);

/// Reads the scenario. A file that does not exist is an Error that names files with nearly its name.
[[nodiscard]] Scenario load_scenario(const std::string& path, const std::vector<std::string>& sets);
[[nodiscard]] inline Scenario load_scenario(const ScenarioOptions& options) {
  return load_scenario(options.path, options.sets);
}

/// Reads any other file of the user's, whole. Throws Error where it is not there or cannot be read.
[[nodiscard]] std::string load_file(const std::string& path);

}  // namespace ringsim::cli
