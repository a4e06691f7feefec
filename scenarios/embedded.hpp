#pragma once

#include <span>
#include <string_view>

// The shipped library, compiled into the program so that it runs from anywhere.
// The build writes the implementation from the files (cmake/embed.cmake).

namespace ringsim::scenarios {

struct EmbeddedFile {
  std::string_view path;  // below scenarios/library, "gpus/h100-sxm.yaml"; a schema by its file name alone
  std::string_view text;
};

// All YAML and CSV files of scenarios/library but profiles/sources, and the schemas of scenarios/, sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace ringsim::scenarios
