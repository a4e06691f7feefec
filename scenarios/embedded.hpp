#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

// The shipped library, compiled into the program so that it runs from anywhere.
// The build writes the implementation from the files (cmake/embed.cmake).

namespace ringsim::scenarios {

struct EmbeddedFile {
  std::string_view path;  // below scenarios/library, "gpus/h100-sxm.yaml"; a schema by its file name alone
  std::string_view text;
};

// All YAML and CSV files of scenarios/library but profiles/sources, and the schemas of scenarios/, sorted by path.
std::span<const EmbeddedFile> embedded_files();

// The text of one of them; nothing: there is none at that path.
std::optional<std::string_view> embedded_text(std::string_view path);
// The names of the YAML files of a folder ("gpus"), without folder and ending, in the order of their paths.
std::vector<std::string_view> embedded_names(std::string_view folder);

}  // namespace ringsim::scenarios
