#pragma once
// A child process whose standard output is read line by line while it runs, and whose standard error is kept.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringsim::cli {

struct ChildOutcome {
  int exit_status = 0;       // meaningful if `signal` is 0
  int signal = 0;            // that ended it
  bool interrupted = false;  // this process got SIGINT or SIGTERM meanwhile, and passed it on
  std::string errors;        // its standard error, the last 64 KiB
};

/// Starts `command` (the program is looked for in PATH) with the environment of this process and `more_environment` and waits
/// for its end. Standard input is empty. While it runs, SIGINT and SIGTERM go to the child, which then decides. Throws
/// Error where the program cannot be started.
ChildOutcome run_child(const std::vector<std::string>& command,
                       const std::vector<std::pair<std::string, std::string>>& more_environment,
                       const std::function<void(std::string_view line)>& on_line);

}  // namespace ringsim::cli
