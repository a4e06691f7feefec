#pragma once
// A scenario as it was written, before the names in it are replaced by what they stand for: shorthands are mappings, --set is
// applied, and files that it names are written with the folder that they were looked for in, so that parts of two scenarios from
// two folders can stand in one document.

#include "scenarios/value.hpp"

#include <string>
#include <vector>

namespace ringsim::scenarios {

struct WrittenScenario {
  Value root;
  std::string name;  // of the file, for messages
};

/// Throws Error as read_scenario() does for what is no YAML, an unknown key of the top level, or a --set that cannot be applied.
[[nodiscard]] WrittenScenario read_written(const std::string& path, const std::vector<std::string>& sets);

/// The same of a text; files that it names are looked for in `directory`.
[[nodiscard]] WrittenScenario written_text(std::string_view text, const std::string& name, const std::string& directory,
                                           const std::vector<std::string>& sets);

}  // namespace ringsim::scenarios
