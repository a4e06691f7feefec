// zsh: a function a command, whose specifications _arguments completes.

#include "cli/documents/completion.hpp"
#include "cli/documents/settings.hpp"

#include <fmt/format.h>

#include <string_view>

namespace ringsim::cli::documents {
namespace {

/// Inside '...' of the shell.
std::string in_quotes(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted;
}

/// A description or a message of a specification: brackets and colons have a meaning there.
std::string in_specification(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return in_quotes(escaped);
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// "*.(yaml|yml)".
std::string glob_of(const std::vector<std::string>& endings) {
  std::string glob;
  for (const std::string& ending : endings) glob += (glob.empty() ? "" : "|") + ending.substr(1);
  return "*.(" + glob + ")";
}

std::string action_of(const Argument& argument) {
  switch (argument.kind) {
    case ValueKind::words:
      return "(" + joined_words(argument.words) + ")";
    case ValueKind::list:
      return "_values -s , figure " + joined_words(argument.words);
    case ValueKind::named:
      return "_ringsim_named " + joined_words(argument.words);
    case ValueKind::setting:
      return "_ringsim_setting";
    case ValueKind::file:
      return argument.endings.empty() ? "_files" : fmt::format("_files -g \"{}\"", glob_of(argument.endings));
    default:
      return " ";
  }
}

/// One of _arguments, in quotes.
std::string specification(const Argument& option) {
  const std::string description = fmt::format("[{}]", in_specification(option.description));
  if (option.kind != ValueKind::none) {
    return fmt::format("'{}{}={}:{}:{}'", option.repeatable ? "*" : "", option.name(), description,
                       in_specification(option.value.empty() ? option.name() : option.value),
                       in_quotes(action_of(option)));
  }
  if (option.names.size() == 1) return fmt::format("'{}{}'", option.name(), description);
  std::string exclusive;
  std::string alternatives;
  for (const std::string& name : option.names) {
    exclusive += (exclusive.empty() ? "" : " ") + name;
    alternatives += (alternatives.empty() ? "" : ",") + name;
  }
  return fmt::format("'({})'{{{}}}'{}'", exclusive, alternatives, description);
}

std::string function_name(const Command& command) { return "_ringsim_" + command.name; }

std::string function_of(const CommandLine& line, const Command& command) {
  std::string text = fmt::format("{}() {{\n  _arguments -s -S", function_name(command));
  for (const Argument& option : options_behind(line, command)) text += " \\\n    " + specification(option);
  for (std::size_t i = 0; i < command.positionals.size(); ++i) {
    const Argument& positional = command.positionals[i];
    text += fmt::format(" \\\n    '{}:{}{}:{}'", i + 1, positional.required ? "" : ":",
                        in_specification(positional.name()), in_quotes(action_of(positional)));
  }
  return text + "\n}\n\n";
}

constexpr std::string_view helpers = R"zsh(# Names of the library, or paths.
_ringsim_named() {
  _alternative "names:name:($*)" 'files:file:_files -g "*.(yaml|yml)"'
}

# KEY=VALUE of the scenario language, a step of the key at a time.
_ringsim_setting() {
  local key rest
  local -a found
  if compset -P '*='; then
    key=${IPREFIX%=}
    key=${key##*=}
    found=(${=$(_ringsim_key_words $key)})
    (( $#found )) && compadd -- $found
    return
  fi
  for key in $_ringsim_keys; do
    [[ $key == ${PREFIX}* && $key != $PREFIX ]] || continue
    rest=${key#$PREFIX}
    [[ ${rest%.} == *.* ]] || found+=($key)
  done
  compadd -S '' -- $found
}

)zsh";

}  // namespace

std::string zsh_completion(const CommandLine& line) {
  std::string script =
      "#compdef ringsim\n# zsh completion of ringsim, written by `ringsim completion zsh`\n\n"
      "# key= where a value may follow, key. where further keys do\ntypeset -ga _ringsim_keys\n_ringsim_keys=(";
  for (const std::string& step : key_steps()) script += "\n  '" + step + "'";
  script += "\n)\n\n_ringsim_key_words() {\n  case $1 in\n";
  for (const KeyWords& key : key_words())
    script += fmt::format("    ({}) echo '{}' ;;\n", key.keys("|"), joined_words(key.words));
  script += "  esac\n}\n\n";
  script += helpers;
  for (const Command& command : line.commands) script += function_of(line, command);
  script += "_ringsim() {\n  local curcontext=$curcontext state line\n  typeset -A opt_args\n  _arguments -C -s -S";
  for (const Argument& option : line.options) script += " \\\n    " + specification(option);
  script += " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n  case $state in\n    (command)\n";
  script += "      local -a commands\n      commands=(\n";
  for (const Command& command : line.commands)
    script += fmt::format("        '{}:{}'\n", command.name, in_quotes(command.description));
  script += "      )\n      _describe command commands ;;\n    (argument)\n";
  script += "      (( $+functions[_ringsim_$words[1]] )) && _ringsim_$words[1] ;;\n  esac\n}\n\n";
  // Loaded by compinit the file is the body of a function; sourced, it has to announce itself.
  script += "if [[ $funcstack[1] == _ringsim ]]; then\n  _ringsim \"$@\"\nelse\n  compdef _ringsim ringsim\nfi\n";
  return script;
}

}  // namespace ringsim::cli::documents
