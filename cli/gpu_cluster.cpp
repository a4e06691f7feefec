#include "cli/gpu_cluster.hpp"

#include "scenarios/library.hpp"
#include "scenarios/reader.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace ringsim::cli {
namespace {

/// "NVIDIA H200" of "NVIDIA H200, 132 SMs" and of "NVIDIA H200 SXM, 141 GB HBM3e".
std::string_view first_two_words(std::string_view text) {
  const std::size_t maker = text.find(' ');
  if (maker == std::string_view::npos) return text;
  return text.substr(0, text.find_first_of(" ,(", maker + 1));
}

}  // namespace

std::string cluster_of_gpu(std::string_view machine) {
  const std::string_view wanted = first_two_words(machine);
  std::map<std::string, std::string> descriptions;
  for (const scenarios::LibraryEntry& entry : scenarios::library_entries()) {
    if (entry.kind == scenarios::LibraryKind::gpu) descriptions[entry.name] = entry.description;
  }
  for (const std::string_view name : scenarios::library_names(scenarios::LibraryKind::cluster)) {
    const Cluster cluster = scenarios::read_cluster_text("use: " + nlohmann::json(name).dump(), "library");
    const std::string& description = descriptions[cluster.gpu.name];
    if (!wanted.empty() && first_two_words(description) == wanted) return std::string(name);
  }
  return {};
}

}  // namespace ringsim::cli
