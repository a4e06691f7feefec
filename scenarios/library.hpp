#pragma once
// The shipped GPUs, clusters, models and profiles: YAML files below scenarios/library, compiled into the program.

#include "scenarios/spec.hpp"
#include "scenarios/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

struct LibraryEntry {
  LibraryKind kind = LibraryKind::gpu;
  std::string name;         // its file's name: "h100-sxm"
  std::string description;  // one line
  std::string source;       // where its numbers come from; of an entry with a source a number, all of them
  std::string topology;     // of a cluster: models/topology/describe.hpp
};

/// All entries, by kind and then by name.
[[nodiscard]] std::vector<LibraryEntry> library_entries();

/// The names of one kind, in alphabetic order.
[[nodiscard]] std::vector<std::string_view> library_names(LibraryKind kind);

/// The document of an entry, with origins such as "library/gpus/h100-sxm.yaml:3:5" and its name filled in.
/// Throws Error at `where` with the nearest name as a hint.
[[nodiscard]] Value library_document(LibraryKind kind, std::string_view name, std::string_view where);

}  // namespace ringsim::scenarios
