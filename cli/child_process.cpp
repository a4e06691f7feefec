#include "cli/child_process.hpp"

#include "models/error.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace ringsim::cli {
namespace {

volatile std::sig_atomic_t child_to_signal = 0;
volatile std::sig_atomic_t signal_seen = 0;

extern "C" void pass_on(int signal) {
  signal_seen = signal;
  if (child_to_signal != 0) ::kill(static_cast<pid_t>(child_to_signal), signal);
}

/// Passes SIGINT and SIGTERM on to the child while it exists.
class SignalsToChild {
 public:
  explicit SignalsToChild(pid_t child) {
    signal_seen = 0;
    child_to_signal = static_cast<std::sig_atomic_t>(child);
    struct sigaction action{};
    action.sa_handler = pass_on;
    ::sigaction(SIGINT, &action, &before_[0]);
    ::sigaction(SIGTERM, &action, &before_[1]);
  }
  SignalsToChild(const SignalsToChild&) = delete;
  SignalsToChild& operator=(const SignalsToChild&) = delete;
  SignalsToChild(SignalsToChild&&) = delete;
  SignalsToChild& operator=(SignalsToChild&&) = delete;
  ~SignalsToChild() {
    child_to_signal = 0;
    ::sigaction(SIGINT, &before_[0], nullptr);
    ::sigaction(SIGTERM, &before_[1], nullptr);
  }

 private:
  std::array<struct sigaction, 2> before_{};
};

/// A pipe whose reading end stays in this process.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw Error(std::string("no pipe: ") + std::strerror(errno));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  Pipe(Pipe&&) = delete;
  Pipe& operator=(Pipe&&) = delete;
  ~Pipe() {
    ::close(ends_[0]);
    close_writer();
  }
  [[nodiscard]] int reader() const { return ends_[0]; }
  [[nodiscard]] int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Holds SIGINT and SIGTERM back while it exists: one that comes between a child's start and SignalsToChild is not lost, and does
/// not end us alone.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t both;
    ::sigemptyset(&both);
    ::sigaddset(&both, SIGINT);
    ::sigaddset(&both, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &both, &before_);
  }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;
  SignalsHeldBack(SignalsHeldBack&&) = delete;
  SignalsHeldBack& operator=(SignalsHeldBack&&) = delete;
  ~SignalsHeldBack() { release(); }
  void release() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  /// What was held back before: the child's mask.
  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

pid_t spawn(std::vector<std::string> command, const std::vector<std::pair<std::string, std::string>>& more,
            const Pipe& out, const Pipe& err, const sigset_t& mask) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : more) replaced = replaced || text.starts_with(name + "=");
    if (!replaced) environment.emplace_back(text);
  }
  for (const auto& [name, value] : more) environment.push_back(name + "=" + value);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.writer(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.writer(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigmask(&attributes, &mask);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, command.front().c_str(), &actions, &attributes, pointers(command).data(),
                                     pointers(environment).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw Error("cannot start " + command.front() + ": " + std::strerror(failure));
  return child;
}

/// What has arrived at a descriptor; false at its end.
bool read_some(int descriptor, std::string& to) {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  to.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

void take_lines(std::string& text, const std::function<void(std::string_view)>& on_line) {
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    on_line(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  text.erase(0, begin);
}

}  // namespace

ChildOutcome run_child(const std::vector<std::string>& command,
                       const std::vector<std::pair<std::string, std::string>>& more_environment,
                       const std::function<void(std::string_view)>& on_line) {
  Pipe out;
  Pipe err;
  ChildOutcome outcome;
  SignalsHeldBack held;
  const pid_t child = spawn(command, more_environment, out, err, held.before());
  const SignalsToChild signals(child);
  held.release();
  out.close_writer();
  err.close_writer();

  constexpr std::size_t kept = std::size_t{64} << 10U;
  std::string lines;
  std::array<pollfd, 2> waiting{pollfd{out.reader(), POLLIN, 0}, pollfd{err.reader(), POLLIN, 0}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) break;
    if (waiting[0].revents != 0) {
      if (!read_some(waiting[0].fd, lines)) waiting[0].fd = -1;
      take_lines(lines, on_line);
    }
    if (waiting[1].revents != 0) {
      if (!read_some(waiting[1].fd, outcome.errors)) waiting[1].fd = -1;
      if (outcome.errors.size() > kept) outcome.errors.erase(0, outcome.errors.size() - kept);
    }
    for (pollfd& one : waiting) one.revents = 0;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (WIFEXITED(status)) outcome.exit_status = WEXITSTATUS(status);
  outcome.interrupted = signal_seen != 0;
  return outcome;
}

}  // namespace ringsim::cli
