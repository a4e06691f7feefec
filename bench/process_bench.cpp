// The whole program as a user starts it: `ringsim run` on the quick-start study, from exec to exit.

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

namespace {

void run_quick_start(benchmark::State& state) {
  std::string binary = RINGSIM_BINARY;
  std::string command = "run";
  std::string study = std::string(RINGSIM_SOURCE_DIR) + "/scenarios/studies/llama3-70b-1m-h100.yaml";
  const std::array<char*, 4> arguments = {binary.data(), command.data(), study.data(), nullptr};
  posix_spawn_file_actions_t to_nowhere;
  posix_spawn_file_actions_init(&to_nowhere);
  posix_spawn_file_actions_addopen(&to_nowhere, 1, "/dev/null", O_WRONLY, 0);
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    pid_t child = 0;
    int status = 0;
    if (posix_spawn(&child, binary.c_str(), &to_nowhere, nullptr, arguments.data(), environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0) {
      state.SkipWithError("ringsim run failed");
      break;
    }
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  posix_spawn_file_actions_destroy(&to_nowhere);
}

BENCHMARK(run_quick_start)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
