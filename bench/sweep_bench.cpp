// Points of a sweep: from the values of the keys to figures, and to a row of CSV, by the code that `ringsim sweep` runs on each of
// its threads. One thread, so points a second are points a second and core.
//
//   closed_form    tokens (the last axis, so the fastest) times the NICs' bandwidth, Llama-3-70B on 64 H100: tensor 8 x ring 8. By the
//                  shipped profile the closed form is a bound (SMs are contended), by the data sheet exact.
//   bandwidths     the same points, but the bandwidth varies fastest: the network is placed anew at every point
//   recurrence     a ring of 64, 32 layers, Llama-3-8B, causal zigzag: the makespan alone, and with the shares of time

#include "cli/sweep/evaluator.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace ringsim;

cli::SweepJob job_of(const std::string& study, std::vector<std::string> sets) {
  cli::SweepJob job;
  job.name = std::string(RINGSIM_SOURCE_DIR) + "/scenarios/studies/" + study + ".yaml";
  std::ifstream in(job.name, std::ios::binary);
  job.text = {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  job.sets = std::move(sets);
  return job;
}

const std::string tokens = "workload.tokens=16Ki..16Mi+16Ki";
const std::string bandwidth = "cluster.inter_node.bandwidth=100 Gb/s..800 Gb/s+100 Gb/s";

// All points from the first on, again and again; rows too where `rows` says so.
void run(benchmark::State& state, const cli::SweepJob& job, bool rows) {
  cli::Evaluator evaluator(job);
  std::int64_t point = 0;
  std::string text;
  for (auto _ : state) {
    if (rows) {
      text.clear();
      evaluator.append_rows(point, 1, text);
    } else {
      benchmark::DoNotOptimize(evaluator.figures(point));
    }
    point = point + 1 == evaluator.points() ? 0 : point + 1;
  }
  if (evaluator.failed() > 0) state.SkipWithError("a point cannot be predicted");
  state.counters["points/s"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void sweep_closed_form(benchmark::State& state, const std::string& profile, bool rows) {
  cli::SweepJob job = job_of("llama3-70b-1m-h100", {"profile=" + profile, bandwidth, tokens});
  job.engine = "closed-form";
  run(state, job, rows);
}

void sweep_bandwidths(benchmark::State& state) {
  cli::SweepJob job = job_of("llama3-70b-1m-h100", {tokens, bandwidth});
  job.engine = "closed-form";
  run(state, job, true);
}

void sweep_recurrence(benchmark::State& state, const std::string& profile, bool shares_of_time) {
  cli::SweepJob job =
      job_of("llama3-70b-1m-h100", {"model=llama3-8b", "parallel={ring: 64}", "profile=" + profile, tokens});
  job.engine = "recurrence";
  job.columns = {"makespan_s", "mfu", "tokens_per_s", "cost"};
  if (shares_of_time) job.columns.emplace_back("overlap");
  run(state, job, true);
}

BENCHMARK_CAPTURE(sweep_closed_form, figures_by_datasheet, std::string("datasheet"), false)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sweep_closed_form, rows_by_datasheet, std::string("datasheet"), true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sweep_closed_form, figures_by_profile, std::string("h100-sxm"), false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sweep_closed_form, rows_by_profile, std::string("h100-sxm"), true)->Unit(benchmark::kMicrosecond);
BENCHMARK(sweep_bandwidths)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sweep_recurrence, makespan_by_datasheet, std::string("datasheet"), false)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sweep_recurrence, shares_by_datasheet, std::string("datasheet"), true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sweep_recurrence, makespan_by_profile, std::string("h100-sxm"), false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sweep_recurrence, shares_by_profile, std::string("h100-sxm"), true)->Unit(benchmark::kMicrosecond);

}  // namespace
