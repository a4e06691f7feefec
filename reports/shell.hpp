#pragma once
// Commands that people can copy into a shell.

#include <string>
#include <vector>

namespace ringsim::reports {

/// One argument, in single quotes where a POSIX shell would take it apart.
[[nodiscard]] std::string shell_word(const std::string& word);

/// Arguments with spaces between them.
[[nodiscard]] std::string shell_command(const std::vector<std::string>& words);

}  // namespace ringsim::reports
