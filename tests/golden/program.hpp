#pragma once
// Runs the program as a user does, and keeps what it printed and how it ended.

#include "tests/temporary_folder.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::golden {

struct Outcome {
  int status = -1;  // exit status; -1 where a signal ended it
  int signal = 0;
  std::string out;
  std::string err;
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline std::filesystem::path source_folder() { return RINGSIM_SOURCE_DIR; }

/// Where and how the program is run.
struct Surroundings {
  std::string program = RINGSIM_BINARY;
  std::filesystem::path folder = source_folder();
  std::string output_to;             // "/dev/full"; empty: kept
  std::size_t largest_file = 0;      // the system ends the program where it writes a larger one; 0: no limit
  bool output_closed_early = false;  // standard output is a pipe that nobody reads any more
  std::vector<std::string> through;  // a program, by its path or name, and its first arguments, that starts ours
  std::vector<std::pair<std::string, std::string>> environment;         // set besides the caller's
  std::function<void(pid_t)> meanwhile = [](pid_t /*the program*/) {};  // while it runs
};

/// The program with these arguments. Colour and locale of the caller's environment have no say: nothing is a terminal.
inline Outcome run(const std::vector<std::string>& arguments, const Surroundings& where = {}) {
  const TemporaryFolder folder;
  const std::string out_file = where.output_to.empty() ? (folder.path() / "out").string() : where.output_to;
  const std::string err_file = (folder.path() / "err").string();
  int pipe_ends[2] = {-1, -1};
  if (where.output_closed_early && ::pipe(pipe_ends) != 0) throw std::runtime_error("no pipe");
  if (where.output_closed_early) ::close(pipe_ends[0]);

  std::vector<char*> argv;
  std::vector<std::string> copies = where.through;
  copies.push_back(where.program);
  copies.insert(copies.end(), arguments.begin(), arguments.end());
  const std::string binary = copies.front();
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);

  const pid_t child = ::fork();
  if (child == 0) {
    const int out = where.output_closed_early ? pipe_ends[1] : ::open(out_file.c_str(), O_WRONLY | O_CREAT, 0600);
    const int err = ::open(err_file.c_str(), O_WRONLY | O_CREAT, 0600);
    if (out < 0 || err < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0 || ::chdir(where.folder.c_str()) != 0)
      ::_exit(126);
    const rlimit limit = {where.largest_file, where.largest_file};
    if (where.largest_file > 0 && ::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(126);
    for (const auto& [name, value] : where.environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::execvp(binary.c_str(), argv.data());
    ::_exit(127);
  }
  if (where.output_closed_early) ::close(pipe_ends[1]);
  if (child > 0) where.meanwhile(child);
  int state = 0;
  if (child < 0 || ::waitpid(child, &state, 0) != child) throw std::runtime_error("cannot run " + binary);

  Outcome outcome;
  if (WIFEXITED(state)) outcome.status = WEXITSTATUS(state);
  if (WIFSIGNALED(state)) outcome.signal = WTERMSIG(state);
  if (where.output_to.empty() && !where.output_closed_early) outcome.out = content_of(out_file);
  outcome.err = content_of(err_file);
  return outcome;
}

}  // namespace ringsim::golden
