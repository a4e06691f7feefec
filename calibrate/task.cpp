#include "calibrate/task.hpp"

#include "calibrate/statistics.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace ringsim::calibrate {
namespace {

// By multiples of the golden ratio, modulo 1. Tasks that may be left out come after all others.
std::vector<std::size_t> spread_order(const std::vector<Task>& tasks) {
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [](std::size_t i) { return std::fmod(0.6180339887498949 * static_cast<double>(i), 1.0); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(tasks[a].optional, place(a)) < std::pair(tasks[b].optional, place(b));
  });
  return order;
}

}  // namespace

TaskResults run_tasks(const std::vector<Task>& tasks, const TaskSchedule& schedule) {
  const auto report = [&](std::size_t done, const std::string& name) {
    if (schedule.progress) {
      schedule.progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(tasks.size()), name);
    }
  };
  double weights = 0;
  for (const Task& task : tasks) weights += task.weight;
  std::vector<std::optional<Benchmark>> benchmarks(tasks.size());
  TaskResults results;
  std::size_t done = 0;
  for (const std::size_t i : spread_order(tasks)) {
    report(done++, tasks[i].name);
    const double left_s = schedule.budget_s - schedule.spent_s();
    const double share = tasks[i].weight / weights;
    weights -= tasks[i].weight;
    if (tasks[i].optional && left_s <= 0) {
      results.left_out.push_back(tasks[i].name);
      continue;
    }
    SamplingRule rule = schedule.rule;
    rule.budget_s = std::min(schedule.most_s, std::max(0.0, left_s) * share);
    Outcome outcome;
    try {
      outcome = tasks[i].run(rule);
    } catch (const Error& error) {
      if (!schedule.keep_going) throw;
      results.failed.push_back(fmt::format("\"{}\": {}", tasks[i].name, error.what()));
      continue;
    }
    if (!outcome.disturbed.empty()) {
      results.disturbed.push_back(fmt::format("\"{}\": {}", tasks[i].name, outcome.disturbed));
    }
    benchmarks[i] = std::move(outcome.benchmark);
  }
  report(tasks.size(), "");
  for (std::optional<Benchmark>& benchmark : benchmarks) {
    if (benchmark) results.benchmarks.push_back(std::move(*benchmark));
  }
  return results;
}

std::vector<std::string> notes_on(const std::vector<std::string>& disturbed, const std::vector<Benchmark>& benchmarks,
                                  double target) {
  std::vector<std::string> notes;
  if (!disturbed.empty()) {
    notes.push_back(fmt::format("{} of {} benchmarks were disturbed more often than not, such as {}", disturbed.size(),
                                benchmarks.size(), disturbed.front()));
  }
  std::size_t few = 0;
  std::size_t wide = 0;
  double widest = target;
  std::string name;
  for (const Benchmark& benchmark : benchmarks) {
    double width = 0;
    bool short_of = false;
    for (const Timing* time : timings(benchmark.point)) {
      short_of = short_of || !(median_ranks(time->samples).coverage >= 0.95);
      width = std::max(width, (time->high_s - time->low_s) / (2 * time->median_s));
    }
    few += short_of ? 1 : 0;
    wide += !short_of && width > target ? 1 : 0;
    if (!short_of && width > widest) {
      widest = width;
      name = benchmark.name();
    }
  }
  if (few > 0) {
    notes.push_back(
        fmt::format("{} of {} benchmarks have too few samples for a 95 % interval of their median: give them "
                    "more time, or a machine that is less busy",
                    few, benchmarks.size()));
  }
  if (wide > 0) {
    notes.push_back(
        fmt::format("the medians of {} of {} benchmarks are known to worse than ±{:g} %; least of all \"{}\": "
                    "±{:.1f} %",
                    wide, benchmarks.size(), 100 * target, name, 100 * widest));
  }
  return notes;
}

}  // namespace ringsim::calibrate
