// The flow engine against a plain SimGrid program of the same actors (bench/flow_peer), in turn, so that a machine that changes
// its speed changes both. CPU time and peak memory of whole processes, of each the least of three runs. Both must agree on the
// makespan to 1e-6 (the plain program's hops are whole bytes, its clock is in seconds).
//
//   cpu_ratio, memory_ratio    the engine's over the plain program's
//   messages/s                 hops that the engine simulates in a second of CPU time, from exec to exit

#include <benchmark/benchmark.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

struct Cost {
  double cpu_s = 1e300;
  double mebibytes = 1e300;
  double makespan_s = 0;
  double messages = 0;
  bool fine = true;
};

double seconds_of(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

// Runs once and keeps the least of cost and its own.
void run(std::vector<std::string> command, Cost& cost) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    cost.fine = false;
    return;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const bool started = posix_spawn(&child, argv.front(), &actions, nullptr, argv.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::array<char, 256> text{};
  if (read(ends[0], text.data(), text.size() - 1) <= 0) cost.fine = false;
  close(ends[0]);
  int status = 0;
  rusage used{};
  if (!started || wait4(child, &status, 0, &used) != child || status != 0 ||
      std::sscanf(text.data(), "%lf %lf", &cost.makespan_s, &cost.messages) != 2) {
    cost.fine = false;
    return;
  }
  cost.cpu_s = std::min(cost.cpu_s, seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
  cost.mebibytes = std::min(cost.mebibytes, static_cast<double>(used.ru_maxrss) / 1024.0);
}

// Arguments: ranks; spread of the kernels' jitter in per cent.
void flow_engine(benchmark::State& state) {
  const std::int64_t ranks = state.range(0);
  const std::int64_t layers = std::max<std::int64_t>(1, 260000 / (ranks * ranks));
  const std::vector<std::string> tail = {std::to_string(ranks), std::to_string(layers),
                                         std::to_string(static_cast<double>(state.range(1)) / 100.0)};
  Cost engine;
  Cost plain;
  for (auto _ : state) {
    for (int i = 0; i < 3; ++i) {
      for (const char* mode : {"plain", "engine"}) {
        std::vector<std::string> command = {RINGSIM_FLOW_PEER, mode};
        command.insert(command.end(), tail.begin(), tail.end());
        run(command, std::string(mode) == "plain" ? plain : engine);
      }
    }
    state.SetIterationTime(engine.cpu_s);
  }
  if (!engine.fine || !plain.fine) {
    state.SkipWithError("a run failed");
  } else if (std::abs(engine.makespan_s / plain.makespan_s - 1.0) > 1e-6) {
    state.SkipWithError("the plain program and the engine disagree");
  }
  state.counters["cpu_ratio"] = engine.cpu_s / plain.cpu_s;
  state.counters["memory_ratio"] = engine.mebibytes / plain.mebibytes;
  state.counters["messages/s"] = engine.messages / engine.cpu_s;
  state.counters["plain/s"] = plain.messages / plain.cpu_s;
  state.counters["MiB"] = engine.mebibytes;
}

BENCHMARK(flow_engine)
    ->ArgsProduct({{64, 256, 512}, {0, 10}})
    ->ArgNames({"ranks", "jitter_percent"})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
