#pragma once
// `library`: the GPUs, clusters, models and profiles that ship with the program.

#include "reports/style.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

struct LibraryRow {
  std::string kind;  // "gpus", "clusters", "models", "profiles"
  std::string name;
  std::string description;
  std::string source;
  std::string topology{};  // of clusters
};

[[nodiscard]] std::string render_library_text(const std::vector<LibraryRow>& rows, const Style& style);
/// {schema_version, gpus: [{name, description, source; of clusters also topology}], clusters: …, models: …, profiles: …}, a key a kind.
[[nodiscard]] std::string render_library_json(const std::vector<LibraryRow>& rows);
[[nodiscard]] std::string render_library_csv(const std::vector<LibraryRow>& rows);
[[nodiscard]] std::string render_library_markdown(const std::vector<LibraryRow>& rows);

}  // namespace ringsim::reports
