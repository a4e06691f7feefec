#include "reports/shell.hpp"

namespace ringsim::reports {

std::string shell_word(const std::string& word) {
  const bool plain = word.find_first_of(" \t\n'\"{}[]*?$&|;<>()`\\#~!") == std::string::npos && !word.empty();
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_command(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) command += (command.empty() ? "" : " ") + shell_word(word);
  return command;
}

}  // namespace ringsim::reports
