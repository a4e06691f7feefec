// Replicas of rings with random times: a draw by itself, what columns of one sweep are worth, and the question of 1,000 replicas.
//
//   draws              random factors of neighbouring ranks, of a distribution
//   lanes              many lanes in one sweep against the same lanes one after the other, both without jitter (what columns are worth
//                      by themselves) and with it (what is left of that where the draws take the time)
//   thousand_replicas  a ring of 256 over 32 layers, lognormal kernels and hops, as `ringsim run --replicas` runs it: totals of all
//                      ranks included. 24 replicas are run, on all cores and in turn on one; `1000_in_s` is 1000/24 of the former, an
//                      extrapolation

#include "models/jitter.hpp"
#include "scenarios/reader.hpp"
#include "sim/machine.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/replicas.hpp"
#include "sim/schedules/model_program.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace ringsim;

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Grouped heads and a megatoken over GPUs of as many nodes as it takes.
Scenario ring_of(std::int64_t ranks, std::int64_t layers, bool causal, std::string_view profile,
                 std::string_view noise) {
  const std::string text = fmt::format(
      "name: ring\n"
      "model: {{layers: {}, hidden: 4096, heads: 32, kv_heads: 8, head_dim: 128}}\n"
      "workload: {{tokens: {}, causal: {}}}\n"
      "cluster: {{use: dgx-h100, nodes: {}}}\n"
      "parallel: {{ring: {}}}\n"
      "ring: {{layout: zigzag}}\n"
      "profile: {}\n"
      "noise: {{compute: {{{}: 3%}}, links: {{{}: 5%}}}}\n",
      layers, ranks * 4096, causal, (ranks + 7) / 8, ranks, profile, noise, noise);
  return scenarios::read_scenario_text(text, "replicas_bench");
}

void draws(benchmark::State& state) {
  const auto distribution = static_cast<Distribution>(state.range(0));
  const std::int64_t ranks = state.range(1);
  const JitterStream stream({distribution, 0.05, 3.0}, 1, compute_stream, 0, 0);
  std::vector<double> out(static_cast<std::size_t>(ranks));
  std::int64_t step = 0;
  for (auto _ : state) {
    stream.factors(stream.operation(0, step++, 0, 0), ranks, out.data());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  const std::uint64_t last = stream.operation(0, step - 1, 0, 0);
  for (std::int64_t r = 0; r < ranks; ++r) {
    if (out[static_cast<std::size_t>(r)] != stream.factor(last, r))
      state.SkipWithError("a draw is not what it is alone");
  }
  state.SetLabel(std::string(name_of(distribution)));
  state.SetItemsProcessed(state.iterations() * ranks);
}

// Arguments: ranks, lanes, whether there is jitter.
void lanes(benchmark::State& state) {
  const std::int64_t ranks = state.range(0);
  const std::int64_t count = state.range(1);
  const std::int64_t layers = std::max<std::int64_t>(1, (std::int64_t{1} << 20) / (ranks * ranks * count));
  Scenario scenario = ring_of(ranks, layers, false, "datasheet", "lognormal");
  if (state.range(2) == 0) scenario.noise = {};
  const JobNetwork network = job_network(scenario.parallel, scenario.cluster, scenario.noise, scenario.ring);
  const std::vector<sim::PhaseProgram> phases = sim::programs_of(scenario);
  const sim::Program& program = phases.front().program;
  const sim::Machine machine = sim::machine_of(scenario, network.rings.front());
  std::vector<sim::Lane> all;
  for (std::int64_t r = 0; r < count; ++r) all.push_back(sim::lane_of(machine, scenario.noise, 1, r, 0));
  double together_s = 0;
  double in_turn_s = 0;
  for (auto _ : state) {
    std::vector<sim::RunResult> together;
    const double now = seconds_of([&] { together = sim::RecurrenceEngine(program, all).run_lanes(); });
    in_turn_s += seconds_of([&] {
      for (std::size_t r = 0; r < all.size(); ++r) {
        const double alone = sim::RecurrenceEngine(program, std::vector{all[r]}).run().makespan_s;
        if (alone != together[r].makespan_s) state.SkipWithError("a replica is not what it is alone");
      }
    });
    together_s += now;
    state.SetIterationTime(now);
  }
  const double runs = static_cast<double>(state.iterations());
  const double rank_steps = static_cast<double>(ranks * ranks * layers * count);
  state.SetLabel(state.range(2) == 0 ? "no jitter" : "lognormal");
  state.counters["rank_steps/s"] = rank_steps * runs / together_s;
  state.counters["in_turn/s"] = rank_steps * runs / in_turn_s;
  state.counters["together:in_turn"] = in_turn_s / together_s;
}

// Arguments: whether the mask is causal, whether the profile is calibrated.
void thousand_replicas(benchmark::State& state) {
  constexpr std::int64_t count = 24;
  const std::string_view profile = state.range(1) == 0 ? "datasheet" : "h100-sxm";
  const Scenario scenario = ring_of(256, 32, state.range(0) != 0, profile, "lognormal");
  const JobNetwork network = job_network(scenario.parallel, scenario.cluster, scenario.noise, scenario.ring);
  const std::vector<sim::PhaseProgram> phases = sim::programs_of(scenario);
  double all_s = 0;
  double one_s = 0;
  for (auto _ : state) {
    std::vector<sim::ReplicaOutcome> by_all;
    std::vector<sim::ReplicaOutcome> by_one;
    const double now = seconds_of([&] { by_all = sim::run_replicas(scenario, network, phases, 1, count, 0, 0); });
    one_s += seconds_of([&] { by_one = sim::run_replicas(scenario, network, phases, 1, count, 0, 1); });
    for (std::size_t r = 0; r < by_all.size(); ++r) {
      if (by_all[r].makespan_s != by_one[r].makespan_s) state.SkipWithError("threads change a replica");
    }
    all_s += now;
    state.SetIterationTime(now);
  }
  const double runs = static_cast<double>(state.iterations());
  const double rank_steps = 256.0 * 256 * 32 * count;
  state.SetLabel(fmt::format("{}, {}", state.range(0) == 0 ? "full" : "causal zigzag", profile));
  state.counters["1000_in_s"] = all_s / runs * 1000 / count;
  state.counters["rank_steps/s"] = rank_steps * runs / all_s;
  state.counters["one_core/s"] = rank_steps * runs / one_s;
  state.counters["all:one"] = one_s / all_s;
}

constexpr auto argument(Distribution d) { return static_cast<std::int64_t>(d); }

BENCHMARK(draws)->ArgsProduct({{argument(Distribution::normal), argument(Distribution::lognormal),
                                argument(Distribution::pareto)},
                               {8, 256, 1024}});
BENCHMARK(lanes)->ArgsProduct({{8, 64, 512}, {2, 16, 100}, {0, 1}})->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(thousand_replicas)->ArgsProduct({{0, 1}, {0, 1}})->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
