#include "calibrate/suite/suite.hpp"

#include "models/error.hpp"
#include "sim/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>

namespace ringsim::calibrate {
namespace {

constexpr std::string_view of_a_set = "--set ";

// Where the scenario language complains about a cell, the cell's row is the place to go to.
[[noreturn]] void throw_at_row(const Error& error, const SuiteRow& row) {
  std::string what = error.message();
  if (error.where().starts_with(of_a_set)) {
    what = error.where().substr(of_a_set.size()) + ": " + what;
  } else if (!error.where().empty()) {
    what = error.where() + ": " + what;
  }
  throw Error(what, row.place, error.hint());
}

RowResult run_row(const SuiteInput& set, const SuiteRow& row) {
  try {
    RowResult result{.row = row};
    const Scenario scenario = set.scenario(row);
    result.scenario_hash = scenario.hash;
    result.measured_s = measured_seconds(row.measured, row.unit, scenario);
    sim::PredictOptions how;
    how.engine = sim::EngineChoice::recurrence;
    for (const ModelVariant& variant : model_variants()) {
      Scenario changed = scenario;
      variant.apply(changed.profile);
      const bool whole = result.predicted_s.empty();
      how.interval = whole;
      const sim::Prediction p = sim::predict(changed, how).prediction;
      result.predicted_s.push_back(predicted_seconds(row.metric, p));
      const bool of_makespan =
          row.metric == Metric::makespan || row.metric == Metric::flop_rate || row.metric == Metric::ttft;
      if (whole && of_makespan) {
        result.low_s = p.makespan_low_s;
        result.high_s = p.makespan_high_s;
      }
    }
    return result;
  } catch (const Error& error) {
    throw_at_row(error, row);
  }
}

}  // namespace

SuiteResult run_suite(const std::vector<SuiteInput>& sets, unsigned threads) {
  std::vector<std::pair<std::size_t, std::size_t>> tasks;  // set, row
  SuiteResult result;
  result.variants.assign(model_variants().begin(), model_variants().end());
  for (const SuiteInput& set : sets) {
    for (std::size_t row = 0; row < set.rows.size(); ++row) tasks.emplace_back(result.sets.size(), row);
    result.sets.push_back({set.about, std::vector<RowResult>(set.rows.size()), {}});
  }
  std::vector<std::exception_ptr> failures(tasks.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      const auto& [set, row] = tasks[i];
      try {
        result.sets[set].rows[row] = run_row(sets[set], sets[set].rows[row]);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> workers;  // joined at the end of the block
    const unsigned count = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 1; i < count; ++i) workers.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  for (SetResult& set : result.sets) {
    for (std::size_t v = 0; v < result.variants.size(); ++v) set.scores.push_back(score_of(set.rows, v));
  }
  return result;
}

}  // namespace ringsim::calibrate
