#pragma once
// The command line as data, read off the program's own options: what the manual and the completion of shells are written from.

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace ringsim::cli::documents {

/// What completes the value of an option or a positional argument.
enum class ValueKind {
  none,     // a flag: it has no value
  free,     // nothing can be said of it
  words,    // one of `words`
  list,     // some of `words`, with commas between them
  file,     // a path; `endings` are the usual ones
  named,    // one of `words`, names of the library, or a path
  setting,  // KEY=VALUE of the scenario language
};

struct Argument {
  std::vector<std::string> names;  // "-h", "--help"; of a positional argument "SCENARIO"
  std::string value;               // "FORMAT", as --help shows it; empty: it shows none
  std::string description;
  ValueKind kind = ValueKind::free;
  std::vector<std::string> words;
  std::vector<std::string> endings;  // ".yaml"
  bool required = false;
  bool repeatable = false;  // may be given more than once
  bool many = false;        // takes as many values as follow

  [[nodiscard]] const std::string& name() const { return names.back(); }
};

struct Command {
  std::string name;
  std::string description;
  std::vector<Argument> options;
  std::vector<Argument> positionals;
  std::string footer;
};

struct CommandLine {
  std::string description;
  std::vector<Argument> options;  // before the name of a command; all but --version are understood behind it, too
  std::vector<Command> commands;
};

[[nodiscard]] CommandLine command_line(CLI::App& app);

/// The options of a command together with those of the program that may stand behind its name.
[[nodiscard]] std::vector<Argument> options_behind(const CommandLine& line, const Command& command);

}  // namespace ringsim::cli::documents
