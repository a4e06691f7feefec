#include "scenarios/written.hpp"

#include "models/error.hpp"
#include "scenarios/complete.hpp"
#include "scenarios/overrides.hpp"
#include "scenarios/references.hpp"
#include "scenarios/spec.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace ringsim::scenarios {
namespace {

// `use` names a file by its ending, else an entry of the library; node lists and tables of wires are no files.
bool names_a_file(std::string_view key, std::string_view text) {
  if (key == "use") return text.ends_with(".yaml") || text.ends_with(".yml");
  return key == "hf_config" || key == "hostfile" || key == "file";
}

// Below a mapping of the language: shorthands become mappings, and files get their folder.
void spell_out(Value& node, const Mapping& spec, const std::string& directory) {
  expand_shorthand(node, spec);
  if (!node.is_mapping()) return;  // complete() says what is wrong
  for (Value::Entry& entry : node.entries) {
    const Field* field = spec.find(entry.key);
    if (field == nullptr) continue;
    if (field->kind == Kind::mapping) {
      spell_out(entry.value, field->mapping(), directory);
    } else if (field->role == Role::reference && entry.value.is_scalar() && !entry.value.text.empty() &&
               names_a_file(entry.key, entry.value.text)) {
      const std::filesystem::path relative(entry.value.text);
      if (relative.is_relative() && !directory.empty()) {
        entry.value.text = (std::filesystem::path(directory) / relative).string();
      }
    }
  }
}

}  // namespace

WrittenScenario written_text(std::string_view text, const std::string& name, const std::string& directory,
                             const std::vector<std::string>& sets) {
  WrittenScenario written{parse_document(text, name), name};
  if (!written.root.is_mapping()) {
    throw Error(fmt::format("a scenario is a mapping of keys, not {}", describe(written.root)), written.root.origin,
                "name: my-scenario");
  }
  for (const std::string& assignment : sets) apply_override(written.root, assignment);
  refuse_unknown_keys(written.root, scenario_spec(), "");
  spell_out(written.root, scenario_spec(), directory);
  return written;
}

WrittenScenario read_written(const std::string& path, const std::vector<std::string>& sets) {
  return written_text(read_file(path, path), path, std::filesystem::path(path).parent_path().string(), sets);
}

}  // namespace ringsim::scenarios
