// fish: a `complete` an option.

#include "cli/documents/completion.hpp"
#include "cli/documents/settings.hpp"

#include <fmt/format.h>

#include <string_view>

namespace ringsim::cli::documents {
namespace {

std::string in_single_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// What completes a value: arguments of `complete`.
std::string value_arguments(const Argument& argument) {
  switch (argument.kind) {
    case ValueKind::none:
      return "";
    case ValueKind::words:
      return " -x -a " + in_single_quotes(joined_words(argument.words));
    case ValueKind::list:
      return " -x -a " + in_single_quotes(fmt::format("(__fish_append , {})", joined_words(argument.words)));
    case ValueKind::named:
      return fmt::format(" -r -F -a {}", in_single_quotes(joined_words(argument.words)));
    case ValueKind::setting:
      return " -x -a '(__ringsim_settings)'";
    case ValueKind::file:
      return argument.endings.empty() ? " -r -F"
                                      : fmt::format(" -x -a '(__ringsim_files {})'", joined_words(argument.endings));
    case ValueKind::free:
      break;
  }
  return " -x";
}

std::string names_of(const Argument& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return names;
}

void add(std::string& script, std::string_view condition, const std::string& arguments, std::string_view description) {
  script += "complete -c ringsim";
  if (!condition.empty()) script += " -n " + in_single_quotes(condition);
  script += arguments;
  if (!description.empty()) script += " -d " + in_single_quotes(description);
  script += '\n';
}

constexpr std::string_view helpers = R"fish(
# Paths with one of the endings, and folders; every path where none has one.
function __ringsim_files
    set -l found
    for path in (__fish_complete_path (commandline -ct) | string replace -r '\t.*' '')
        if string match -q '*/' -- $path
            set -a found $path
            continue
        end
        for ending in $argv
            if string match -q "*$ending" -- $path
                set -a found $path
                break
            end
        end
    end
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end

# KEY=VALUE of the scenario language, a step of the key at a time.
function __ringsim_settings
    set -l typed (commandline -ct | string replace -r -- '^--[a-z-]+=' '' | string trim -c '\'"')
    if string match -q '*=*' -- $typed
        set -l key (string split -m 1 = -- $typed)[1]
        for word in (__ringsim_key_words $key)
            echo $key=$word
        end
        return
    end
    set -l length (string length -- "$typed")
    for key in $__ringsim_keys
        test (string sub -l $length -- $key) = "$typed" -a $key != "$typed"; or continue
        set -l rest (string sub -s (math $length + 1) -- $key)
        string match -q -r '\..' -- $rest; or echo $key
    end
end

)fish";

}  // namespace

std::string fish_completion(const CommandLine& line) {
  std::string script = "# fish completion of ringsim, written by `ringsim completion fish`\n\n";
  script += "# key= where a value may follow, key. where further keys do\nset -g __ringsim_keys";
  for (const std::string& step : key_steps()) script += " \\\n    " + in_single_quotes(step);
  script += "\n\nfunction __ringsim_key_words\n    switch $argv[1]\n";
  for (const KeyWords& key : key_words()) {
    script += "        case";
    for (const std::string& path : key.paths) script += " " + path;
    script += fmt::format("\n            string split ' ' {}\n", in_single_quotes(joined_words(key.words)));
  }
  script += "    end\nend\n";
  script += helpers;
  add(script, "", " -f", "");
  for (const Command& command : line.commands)
    add(script, "__fish_use_subcommand", " -a " + command.name, command.description);
  for (const Argument& option : line.options)
    add(script, option.name() == "--version" ? "__fish_use_subcommand" : "", names_of(option) + value_arguments(option),
        option.description);
  for (const Command& command : line.commands) {
    script += '\n';
    const std::string behind = "__fish_seen_subcommand_from " + command.name;
    for (const Argument& option : command.options) {
      if (option.name() == "--help") continue;  // of the program
      add(script, behind, names_of(option) + value_arguments(option), option.description);
    }
    for (const Argument& positional : command.positionals) {
      if (positional.kind == ValueKind::words)
        add(script, behind, " -a " + in_single_quotes(joined_words(positional.words)), positional.description);
      if (positional.kind == ValueKind::file)
        add(script, behind, fmt::format(" -a '(__ringsim_files {})'", joined_words(positional.endings)),
            positional.description);
    }
  }
  return script;
}

}  // namespace ringsim::cli::documents
