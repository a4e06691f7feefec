#include "scenarios/library.hpp"

#include "models/error.hpp"
#include "models/names.hpp"
#include "models/topology/describe.hpp"
#include "scenarios/embedded.hpp"
#include "scenarios/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ringsim::scenarios {
namespace {

constexpr std::array all_kinds = {LibraryKind::gpu, LibraryKind::cluster, LibraryKind::model, LibraryKind::profile};
constexpr std::string_view ending = ".yaml";

std::string note(const Value& document, std::string_view key) {
  const Value* value = document.find(key);
  return value != nullptr && value->is_scalar() ? value->text : std::string();
}

std::string all_sources(const Value& document) {
  std::string text = note(document, "source");
  if (const Value* sources = document.find("sources"); sources != nullptr) {
    for (const Value::Entry& entry : sources->entries) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", entry.key, entry.value.text);
    }
  }
  // A fitted profile has a source for every value: that of its first stands for them.
  if (const Value* forward = document.find("forward"); text.empty() && forward != nullptr) {
    if (const Value* rate = forward->find("saturated"); rate != nullptr) text = note(*rate, "source");
  }
  return text;
}

}  // namespace

std::vector<std::string_view> library_names(LibraryKind kind) {
  std::vector<std::string_view> names = embedded_names(folder_of(kind));
  std::sort(names.begin(), names.end());
  return names;
}

Value library_document(LibraryKind kind, std::string_view name, std::string_view where) {
  const std::string path = fmt::format("{}/{}{}", folder_of(kind), name, ending);
  if (const auto text = embedded_text(path)) {
    const std::string origin = fmt::format("library/{}", path);
    Value document = parse_document(*text, origin);
    document.set("name", Value::scalar(name, origin), origin);
    return document;
  }
  std::vector<std::string_view> names = library_names(kind);
  if (kind == LibraryKind::profile) names.emplace_back("datasheet");
  throw Error(fmt::format("the library has no {} {}", name_of(kind), name), std::string(where),
              name_hint(name, names, "it has"));
}

std::vector<LibraryEntry> library_entries() {
  std::vector<LibraryEntry> entries;
  for (const LibraryKind kind : all_kinds) {
    for (const std::string_view name : library_names(kind)) {
      const Value document = library_document(kind, name, {});
      LibraryEntry entry{kind, std::string(name), note(document, "description"), all_sources(document), {}};
      if (kind == LibraryKind::cluster) entry.topology = describe_topology(read_cluster_text(entry.name, entry.name));
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

}  // namespace ringsim::scenarios
