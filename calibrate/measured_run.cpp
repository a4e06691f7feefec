#include "calibrate/measured_run.hpp"

#include "calibrate/statistics.hpp"
#include "models/error.hpp"
#include "sim/summarize.hpp"
#include "sim/timeline.hpp"
#include "sim/totals.hpp"
#include "version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ringsim::calibrate {
namespace {

std::int64_t index_of_median(const std::vector<double>& values) {
  std::vector<std::int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&values](std::int64_t a, std::int64_t b) {
    return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)];
  });
  return order[(order.size() - 1) / 2];
}

}  // namespace

Measurement measurement_of(const Scenario& scenario, const sim::Program& program, const MeasuredRepeats& repeats,
                           Environment environment) {
  if (repeats.recordings.empty()) throw Error("no repeat was measured", {}, "at least one");
  Measurement m;
  m.scenario_name = scenario.name;
  m.scenario_hash = scenario.hash;
  m.definition = definition_of(scenario);
  m.environment = std::move(environment);
  m.environment.gpu = scenario.cluster.gpu.name;
  m.environment.version = version;
  m.warmup = repeats.warmup;
  m.check = repeats.check;

  sim::Observer nobody;
  for (const host::Recording& recording : repeats.recordings) {
    m.makespans_s.push_back(host::replay(program, recording, nobody).makespan_s);
  }
  m.chosen = index_of_median(m.makespans_s);
  const MedianInterval interval = median_interval(m.makespans_s);
  m.median_low_s = interval.low;
  m.median_high_s = interval.high;
  if (!interval.reaches_95()) {
    m.notes.push_back(
        fmt::format("{} repeats: the interval of the median makespan, their extremes, covers {:.0f} %, not 95 %",
                    m.makespans_s.size(), 100.0 * interval.coverage));
  }

  constexpr std::int64_t everything = std::numeric_limits<std::int64_t>::max();
  sim::TotalsObserver totals(program.ring());
  sim::TimelineObserver timeline(program, {everything, everything, everything});
  sim::Observers both({&totals, &timeline});
  const sim::RunResult result = host::replay(program, repeats.recordings[static_cast<std::size_t>(m.chosen)], both);
  sim::RunSummary run = sim::summarize(totals, result);
  m.makespan_s = run.makespan_s;
  m.slowest_rank = run.slowest_rank;
  m.per_rank = std::move(run.per_rank);
  m.timeline = timeline.take();
  return m;
}

}  // namespace ringsim::calibrate
