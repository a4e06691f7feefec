#include "scenarios/embedded.hpp"

namespace ringsim::scenarios {

std::optional<std::string_view> embedded_text(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == path) return file.text;
  }
  return std::nullopt;
}

std::vector<std::string_view> embedded_names(std::string_view folder) {
  constexpr std::string_view ending = ".yaml";
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : embedded_files()) {
    std::string_view name = file.path;
    if (!name.starts_with(folder) || !name.ends_with(ending)) continue;
    name.remove_prefix(folder.size());
    if (!name.starts_with('/')) continue;
    name.remove_prefix(1);
    name.remove_suffix(ending.size());
    names.push_back(name);
  }
  return names;
}

}  // namespace ringsim::scenarios
