// bash: tables as functions with a case a row, and the logic below. bash takes words apart at = and :, so the script puts the words of
// the line together again, and takes off its answers what bash already has of the word.

#include "cli/documents/completion.hpp"
#include "cli/documents/settings.hpp"

#include <fmt/format.h>

#include <string_view>

namespace ringsim::cli::documents {
namespace {

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// "words a b", "file .yaml .yml": the kind of a value and what belongs to it. What may follow an option as often as one likes is
/// marked by a +.
std::string value_row(const Argument& argument) {
  const std::string many = argument.many ? "+" : "";
  switch (argument.kind) {
    case ValueKind::none:
      return "none";
    case ValueKind::free:
      return many + "free";
    case ValueKind::words:
      return many + "words " + joined_words(argument.words);
    case ValueKind::list:
      return many + "list " + joined_words(argument.words);
    case ValueKind::named:
      return many + "named " + joined_words(argument.words);
    case ValueKind::setting:
      return many + "setting";
    case ValueKind::file:
      break;
  }
  return many + "file " + joined_words(argument.endings);
}

std::string names_of(const std::vector<Argument>& options) {
  std::string names;
  for (const Argument& option : options) names += (names.empty() ? "" : " ") + joined_words(option.names);
  return names;
}

std::string pattern_of(std::string_view command, const Argument& option) {
  std::string pattern;
  for (const std::string& name : option.names)
    pattern += fmt::format("{}'{} {}'", pattern.empty() ? "" : "|", command, name);
  return pattern;
}

constexpr std::string_view logic = R"bash(
# Below, `typed` is the word that is completed, and `kept` the part of it that bash has in words of its own and keeps.

# Those of the words that begin with what is typed.
_ringsim_answer() {
  local word
  for word in "$@"; do
    [[ $word != "$typed"* ]] || COMPREPLY+=("${word#"$kept"}")
  done
}

# Paths with one of the endings, and folders; every path where none has one.
_ringsim_files() {
  local path ending paths=()
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do paths+=("$path"); done < <(compgen -f -- "$typed")
  for path in "${paths[@]}"; do
    [[ ! -d $path ]] || COMPREPLY+=("${path#"$kept"}")
    for ending in "$@"; do
      [[ -d $path || $path != *"$ending" ]] || COMPREPLY+=("${path#"$kept"}")
    done
  done
  [[ ${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=("${paths[@]#"$kept"}")
}

# KEY=VALUE of the scenario language, a step of the key at a time.
_ringsim_setting() {
  local key rest
  if [[ $typed == *=* ]]; then
    key=${typed%%=*}
    for rest in $(_ringsim_key_words "$key"); do _ringsim_answer "$key=$rest"; done
    return
  fi
  compopt -o nospace 2>/dev/null
  for key in $_ringsim_keys; do
    [[ $key == "$typed"* && $key != "$typed" ]] || continue
    rest=${key#"$typed"}
    [[ ${rest%.} == *.* ]] || COMPREPLY+=("${key#"$kept"}")
  done
}

# A value of the kind that a row of the tables says.
_ringsim_value() {
  local kind=${1#+} before=
  [[ $# -gt 0 ]] || return
  shift
  case $kind in
    words) _ringsim_answer "$@" ;;
    named)
      _ringsim_answer "$@"
      [[ ${#COMPREPLY[@]} -gt 0 ]] || _ringsim_files .yaml .yml ;;
    list)
      [[ $typed != *,* ]] || before=${typed%,*},
      compopt -o nospace 2>/dev/null
      _ringsim_answer "${@/#/$before}" ;;
    file) _ringsim_files "$@" ;;
    setting) _ringsim_setting ;;
  esac
}

_ringsim() {
  local words=() line=${COMP_LINE:0:COMP_POINT} word i row typed kept='' prefix='' command='' option='' positionals=0
  COMPREPLY=()

  # bash takes words apart at = and :, too: those without a blank between them are one.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $i -gt 0 && -n $word && $line == "$word"* ]]; then
      words[${#words[@]}-1]+=$word
    else
      line=${line#"${line%%[![:space:]]*}"}
      words+=("$word")
    fi
    line=${line#"$word"}
  done
  typed=${words[${#words[@]}-1]}
  for ((i = ${#typed}; i > 0; i--)); do
    word=${typed:i-1:1}
    [[ $word == [=:] && $COMP_WORDBREAKS == *"$word"* ]] || continue
    kept=${typed:0:i}
    break
  done

  # What stands before: the command, its positional arguments, and an option that waits for its value.
  for word in "${words[@]:1:${#words[@]}-2}"; do
    if [[ $word == -* ]]; then
      option=$word
      row=$(_ringsim_row "$command" "$word")
      [[ $row != none && $word != *=* ]] || option=
    elif [[ -n $option ]]; then
      row=$(_ringsim_row "$command" "$option")
      [[ $row == +* ]] || option=
    elif [[ -z $command ]]; then
      command=$word
    else
      positionals=$((positionals + 1))
    fi
  done

  if [[ $typed == --*=* ]]; then
    option=${typed%%=*}
    prefix=$option=
    typed=${typed#*=}
    if [[ -n $kept ]]; then
      kept=${kept#"$prefix"}
      prefix=
    fi
    _ringsim_value $(_ringsim_row "$command" "$option")
    [[ -z $prefix ]] || COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
  elif [[ $typed == -* ]]; then
    _ringsim_answer $(_ringsim_options "$command")
  elif [[ -n $option ]]; then
    _ringsim_value $(_ringsim_row "$command" "$option")
  elif [[ -z $command ]]; then
    _ringsim_answer $_ringsim_commands
  else
    _ringsim_value $(_ringsim_row "$command" "$positionals")
  fi
}
complete -F _ringsim ringsim
)bash";

}  // namespace

std::string bash_completion(const CommandLine& line) {
  std::string script = "# bash completion of ringsim, written by `ringsim completion bash`\n\n_ringsim_commands='";
  for (std::size_t i = 0; i < line.commands.size(); ++i) script += (i == 0 ? "" : " ") + line.commands[i].name;
  script += "'\n\n_ringsim_options() {\n  case $1 in\n";
  for (const Command& command : line.commands)
    script += fmt::format("    {}) echo '{}' ;;\n", command.name, names_of(options_behind(line, command)));
  script += fmt::format("    '') echo '{}' ;;\n  esac\n}}\n", names_of(line.options));
  script +=
      "\n# COMMAND OPTION, or COMMAND and the number of a positional argument\n_ringsim_row() {\n  case \"$1 $2\" in\n";
  for (const Argument& option : line.options)
    script += fmt::format("    {}) echo '{}' ;;\n", pattern_of("", option), value_row(option));
  for (const Command& command : line.commands) {
    for (const Argument& option : options_behind(line, command))
      script += fmt::format("    {}) echo '{}' ;;\n", pattern_of(command.name, option), value_row(option));
    for (std::size_t i = 0; i < command.positionals.size(); ++i)
      script += fmt::format("    '{} {}') echo '{}' ;;\n", command.name, i, value_row(command.positionals[i]));
  }
  script += "  esac\n}\n\n# key= where a value may follow, key. where further keys do\n_ringsim_keys='";
  for (const std::string& step : key_steps()) script += "\n  " + step;
  script += "'\n\n_ringsim_key_words() {\n  case $1 in\n";
  for (const KeyWords& key : key_words())
    script += fmt::format("    {}) echo '{}' ;;\n", key.keys("|"), joined_words(key.words));
  script += "  esac\n}\n";
  script += logic;
  return script;
}

}  // namespace ringsim::cli::documents
