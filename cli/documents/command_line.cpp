#include "cli/documents/command_line.hpp"

#include "cli/choices.hpp"
#include "reports/sweep_rows.hpp"
#include "scenarios/library.hpp"
#include "scenarios/published.hpp"

#include <algorithm>
#include <string_view>

namespace ringsim::cli::documents {
namespace {

using scenarios::LibraryKind;

template <class Names>
std::vector<std::string> as_words(const Names& names) {
  return {names.begin(), names.end()};
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names = as_words(scenarios::library_names(LibraryKind::profile));
  if (std::find(names.begin(), names.end(), "datasheet") == names.end()) names.emplace_back("datasheet");
  return names;
}

/// ".csv" and ".jsonl" of "FILE.csv|FILE.jsonl", ".json" and ".json.gz" of "FILE.json[.gz]".
std::vector<std::string> endings_of(std::string_view value) {
  std::vector<std::string> endings;
  while (!value.empty()) {
    const std::size_t bar = value.find('|');
    const std::string_view file = value.substr(0, bar);
    value = bar == std::string_view::npos ? std::string_view() : value.substr(bar + 1);
    const std::size_t dot = file.find('.');
    if (dot == std::string_view::npos) continue;
    const std::size_t open = std::min(file.find('['), file.size());
    const std::string always(file.substr(dot, open - dot));
    endings.push_back(always);
    if (open < file.size()) endings.push_back(always + std::string(file.substr(open + 1, file.find(']') - open - 1)));
  }
  return endings;
}

/// By the name that --help gives to the value, such as FILE.json.
void find_kind(Argument& argument) {
  const std::string& value = argument.value;
  if (!argument.words.empty()) {
    argument.kind = ValueKind::words;
  } else if (value == "KEY=VALUE") {
    argument.kind = ValueKind::setting;
  } else if (value.starts_with("FILE")) {
    argument.kind = ValueKind::file;
    argument.endings = endings_of(value);
  } else if (argument.name().starts_with("SCENARIO")) {
    argument.kind = ValueKind::file;
    argument.endings = {".yaml", ".yml"};
  } else if (value == "CLUSTER") {
    argument.kind = ValueKind::named;
    argument.words = as_words(scenarios::library_names(LibraryKind::cluster));
  } else if (value == "PROFILE") {
    argument.kind = ValueKind::named;
    argument.words = profile_names();
  } else if (argument.name() == "--set-name") {
    argument.kind = ValueKind::words;
    argument.words = as_words(scenarios::published_names());
  } else if (argument.name() == "--columns") {
    argument.kind = ValueKind::list;
    argument.words = as_words(reports::figure_names());
  }
}

Argument argument_of(CLI::Option& option) {
  Argument argument;
  if (option.get_positional()) {
    argument.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  }
  argument.description = option.get_description();
  argument.required = option.get_required();
  if (option.get_items_expected_max() == 0) {
    argument.kind = ValueKind::none;
    return argument;
  }
  argument.value = option.get_type_name();
  argument.words = choices_of(option);
  const bool several = option.get_items_expected_max() > 1;
  argument.many = several && option.get_allow_extra_args();
  argument.repeatable = several;
  find_kind(argument);
  return argument;
}

void add_arguments(CLI::App& app, std::vector<Argument>& options, std::vector<Argument>* positionals) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      if (positionals != nullptr) positionals->push_back(argument_of(*option));
    } else {
      options.push_back(argument_of(*option));
    }
  }
}

}  // namespace

CommandLine command_line(CLI::App& app) {
  CommandLine line;
  line.description = app.get_description();
  add_arguments(app, line.options, nullptr);
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
    Command command{sub->get_name(), sub->get_description(), {}, {}, sub->get_footer()};
    add_arguments(*sub, command.options, &command.positionals);
    line.commands.push_back(std::move(command));
  }
  return line;
}

std::vector<Argument> options_behind(const CommandLine& line, const Command& command) {
  std::vector<Argument> options = command.options;
  for (const Argument& option : line.options) {
    const bool known = std::any_of(options.begin(), options.end(),
                                   [&](const Argument& other) { return other.name() == option.name(); });
    if (!known && option.name() != "--version") options.push_back(option);
  }
  return options;
}

}  // namespace ringsim::cli::documents
