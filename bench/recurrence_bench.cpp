// The recurrence engine against a plain loop of the same recurrence, in turn within each iteration, so that a machine that
// changes its speed changes both. Rank-steps a second, their ratio, and the peak memory of the engine's own run.
//
// The plain loop is what one would write by hand for a ring of identical ranks without a mask and with two buffers; it knows
// nothing of events, layouts, costs by rank or observers.

#include "sim/recurrence/engine.hpp"
#include "sim/schedules/ring.hpp"
#include "sim/totals.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace ringsim;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double plain_loop(std::int64_t ranks, std::int64_t layers, double compute, double hop) {
  const auto n = static_cast<std::size_t>(ranks);
  std::vector<double> c(n, 0.0);
  std::vector<double> x(n, 0.0);
  std::vector<double> s(n, 0.0);
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    for (std::int64_t k = 0; k < ranks; ++k) {
      for (std::size_t r = 0; r < n; ++r) {
        s[r] = c[r] > x[r] ? c[r] : x[r];
        c[r] = s[r] + compute;
      }
      if (k == ranks - 1) break;
      x[0] = std::max({s[n - 1], s[0], s[1]}) + hop;
      for (std::size_t r = 1; r + 1 < n; ++r) {
        const double pair = s[r - 1] > s[r] ? s[r - 1] : s[r];
        x[r] = (pair > s[r + 1] ? pair : s[r + 1]) + hop;
      }
      x[n - 1] = std::max({s[n - 2], s[n - 1], s[0]}) + hop;
    }
  }
  return *std::max_element(c.begin(), c.end());
}

// Highest resident size since the last reset, in MiB (Linux; 0 elsewhere).
double peak_mebibytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024.0;
  }
  return 0.0;
}
void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

struct Ring {
  sim::Program program;
  sim::Machine machine;
  double compute = 0;
  double hop = 0;
};

Ring uniform_ring(std::int64_t ranks, std::int64_t layers) {
  constexpr std::int64_t block = 2048;
  Gpu gpu;
  gpu.name = "h100-sxm";
  gpu.bf16 = teraflop_per_second(989);
  const RingShape shape{{1, 32, 32, 128, 128}, Dtype::bf16, GradientDtype::fp32, Rotation::kv, Rotation::kv};
  const sim::RingSpec spec{Shards(Layout::zigzag, block * ranks, ranks),
                           shape,
                           2,
                           {Mask{false, std::nullopt}},
                           std::vector<std::size_t>(static_cast<std::size_t>(layers), 0)};
  const CostModel costs(datasheet_profile(gpu, Dtype::bf16), shape);
  const HopCost hop{{}, gigabytes_per_second(450), false, "nvlink4", true};
  const Bytes size = shape.kv_per_token() * static_cast<double>(block);
  return {sim::ring_program_of(spec, true, false),
          {costs, std::vector<HopCost>(static_cast<std::size_t>(ranks), hop), {}, {}, false, {}},
          in_seconds(costs.attention(Pass::forward, {block, block, block * block, 0})),
          in_seconds(CostModel::hop(hop, size))};
}

void recurrence(benchmark::State& state) {
  const std::int64_t ranks = state.range(0);
  const std::int64_t layers = std::max<std::int64_t>(1, (std::int64_t{1} << 24) / (ranks * ranks));
  const Ring ring = uniform_ring(ranks, layers);
  const double rank_steps = static_cast<double>(ranks) * static_cast<double>(ranks) * static_cast<double>(layers);
  double engine_s = 0;
  double plain_s = 0;
  double observed_s = 0;
  double peak = 0;
  for (auto _ : state) {
    reset_peak();
    const auto start = Clock::now();
    sim::RecurrenceEngine engine(ring.program, ring.machine);  // lowering is part of the price
    const double makespan = engine.run().makespan_s;
    const double engine_now = seconds_since(start);
    peak = std::max(peak, peak_mebibytes());
    const auto plain_start = Clock::now();
    const double plain = plain_loop(ranks, layers, ring.compute, ring.hop);
    plain_s += seconds_since(plain_start);
    if (makespan != plain) state.SkipWithError("the plain loop and the engine disagree");
    const auto observed_start = Clock::now();
    sim::TotalsObserver totals(ranks);
    benchmark::DoNotOptimize(engine.run(&totals));
    observed_s += seconds_since(observed_start);
    engine_s += engine_now;
    state.SetIterationTime(engine_now);
  }
  const double runs = static_cast<double>(state.iterations());
  state.counters["rank_steps/s"] = rank_steps * runs / engine_s;
  state.counters["plain/s"] = rank_steps * runs / plain_s;
  state.counters["observed/s"] = rank_steps * runs / observed_s;
  state.counters["engine:plain"] = plain_s / engine_s;
  state.counters["peak_MiB"] = peak;
}

BENCHMARK(recurrence)->Arg(64)->Arg(1024)->Arg(8192)->Arg(32768)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
