#pragma once
// Benchmarks before they have been run, and how the time there is gets divided among them. Shared by all devices.

#include "calibrate/samples.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::calibrate {

/// Called before every benchmark, and once more with done = total at the end.
using ProgressCallback = std::function<void(std::int64_t done, std::int64_t total, const std::string& name)>;

/// Point and samples of a benchmark; `disturbed`: why its samples are to be taken with care, empty: they are not.
struct Outcome {
  Benchmark benchmark;
  std::string disturbed;
};

struct Task {
  std::string name;
  double weight = 1;                                // share of the time
  std::function<Outcome(const SamplingRule&)> run;  // on several ranks: of all of them at once
  /// May be left out where there is no time for it. The others are run whatever it takes, and before these.
  bool optional = false;
};

/// `point` with the sampling's time in it.
template <class Point>
Outcome outcome_of(Point point, const Sampling& sampling) {
  point.time = sampling.timing();
  return {{std::move(point), {samples_of(sampling)}}, sampling.mostly_disturbed() ? sampling.note() : ""};
}

struct TaskSchedule {
  double budget_s = 150;            // of all
  SamplingRule rule;                // of each, but for its budget
  double most_s = 1e9;              // of one
  std::function<double()> spent_s;  // so far; the same on all ranks
  ProgressCallback progress;        // may be empty
  bool keep_going = false;          // an Error of one benchmark leaves out that one alone
};

struct TaskResults {
  std::vector<Benchmark> benchmarks;   // in the tasks' order, without those left out
  std::vector<std::string> disturbed;  // "\"NAME\": why", for each whose samples are to be taken with care
  std::vector<std::string> left_out;   // names of those for which there was no time
  std::vector<std::string> failed;     // "\"NAME\": why"
};

/// Runs the tasks in an order in which neighbours of the list lie far apart in time, so that a machine that drifts makes points
/// scatter instead of shifting all those of a kind. What a task leaves over is shared by those to come.
[[nodiscard]] TaskResults run_tasks(const std::vector<Task>& tasks, const TaskSchedule& schedule);

/// One sentence on the benchmarks whose samples were mostly disturbed, one on those that stayed uncertain.
[[nodiscard]] std::vector<std::string> notes_on(const std::vector<std::string>& disturbed,
                                                const std::vector<Benchmark>& benchmarks, double target);

}  // namespace ringsim::calibrate
