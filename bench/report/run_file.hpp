#pragma once
// What Google Benchmark has written with --benchmark_out_format=json: a machine and what was measured on it.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::bench {

struct Cache {
  std::string type;  // Data, Instruction, Unified
  int level = 0;
  double bytes = 0;
  int sharing = 0;  // CPUs that have it in common

  bool operator==(const Cache&) const = default;
};

/// The context of a run. What the file does not say is empty or 0.
struct Machine {
  std::string host;  // to tell machines apart, never printed
  int cpus = 0;
  double mhz = 0;
  std::vector<Cache> caches;
  std::string library_build;  // of Google Benchmark: debug, release
  std::string build;          // of the measured program, where the run was given build=...
  std::string commit;         // likewise
  double load = -1;           // processes that ran or waited in the minute before the run; -1: not known
  std::string date;           // 2026-11-30
};

struct Measured {
  std::string name;  // of the benchmark, with its arguments
  std::string label;
  double time_s = 0;  // real time of an iteration; of repetitions the least
  /// By name; of repetitions the median. A ratio is so made of times of the same repetition.
  std::map<std::string, double> counters;
  std::string failure;  // why it was given up; the rest then means nothing
};

struct Run {
  Machine machine;
  std::vector<Measured> measured;  // in the file's order, a name once

  /// Null where there is none.
  [[nodiscard]] const Measured* find(std::string_view name) const;
};

/// Throws Error for a file that cannot be read or is no output of Google Benchmark.
[[nodiscard]] Run read_run(const std::string& path);

/// The same from the text of a file. `path` is for messages.
[[nodiscard]] Run read_run_text(std::string_view text, const std::string& path);

/// Counters by their names: of two rates in the same run ("engine:plain", "cpu_ratio"); or so many a second ("rank_steps/s").
[[nodiscard]] bool is_ratio(std::string_view counter);
[[nodiscard]] bool is_rate(std::string_view counter);

}  // namespace ringsim::bench
