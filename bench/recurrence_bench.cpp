// The recurrence engine against plain loops of the same recurrence, in turn within each iteration, so that a machine that
// changes its speed changes both. Rank-steps a second, their ratio, and the peak memory of the engine's own run.
//
// The plain loops are what one would write by hand for a ring without a mask and with two buffers, of identical ranks or with costs by
// rank; they know nothing of events, layouts or observers.
//
// Heterogeneous rings, of which nothing can be concluded from a part, on one thread and on two: the fastest of all iterations. Beside them
// what a loop could reach that waits for memory alone: a triad a_i = b_i + q · c_i over as much memory as the plain loop has says how many
// bytes a second come and go, and the plain loop moves 64 bytes a rank-step.

#include "sim/recurrence/engine.hpp"
#include "sim/schedules/ring.hpp"
#include "sim/totals.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
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

// What differs between ranks: seconds of its kernel, and of its hop to the next rank.
struct RankTimes {
  std::vector<double> kernel, hop;
};

double plain_loop(std::int64_t layers, const RankTimes& times) {
  const std::vector<double>& kernel = times.kernel;
  const std::vector<double>& hop = times.hop;
  const std::size_t n = kernel.size();
  std::vector<double> c(n, 0.0);
  std::vector<double> x(n, 0.0);
  std::vector<double> s(n, 0.0);
  const auto arrived = [&](std::size_t before, std::size_t r, std::size_t after) {
    return std::max(std::max(s[r], s[after]) + hop[r], std::max(s[before], s[r]) + hop[before]);
  };
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t r = 0; r < n; ++r) {
        s[r] = c[r] > x[r] ? c[r] : x[r];
        c[r] = s[r] + kernel[r];
      }
      if (k == n - 1) break;
      x[0] = arrived(n - 1, 0, 1);
      for (std::size_t r = 1; r + 1 < n; ++r) {
        const double out = (s[r] > s[r + 1] ? s[r] : s[r + 1]) + hop[r];
        const double in = (s[r - 1] > s[r] ? s[r - 1] : s[r]) + hop[r - 1];
        x[r] = out > in ? out : in;
      }
      x[n - 1] = arrived(n - 2, n - 1, 0);
    }
  }
  return *std::max_element(c.begin(), c.end());
}

// Bytes a second of a triad over `bytes` of memory, three arrays: two are read and one is written.
double triad_bytes_per_second(std::int64_t bytes) {
  const std::int64_t n = bytes / 24;
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> a(size, 0.0);
  std::vector<double> b(size, 1.0);
  std::vector<double> c(size, 2.0);
  const std::int64_t rounds = std::max<std::int64_t>(1, (std::int64_t{1} << 24) / n);
  const auto start = Clock::now();
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < size; ++i) a[i] = b[i] + 0.5 * c[i];
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  return static_cast<double>(24 * n * rounds) / seconds_since(start);
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
  Bytes block{};  // what a hop carries
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
          in_seconds(CostModel::hop(hop, size)),
          size};
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
    // The engine folds and jumps: the same but for rounding.
    if (std::abs(makespan - plain) > 1e-9 * plain) state.SkipWithError("the plain loop and the engine disagree");
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

// Up to a fifth more or less, of every rank and every hop by itself.
void make_heterogeneous(Ring& ring) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> factor(0.8, 1.2);
  std::vector<HopCost> hops = ring.machine.hops.of_ranks();
  for (HopCost& hop : hops) {
    ring.machine.slowdown.push_back(factor(random));
    hop.bandwidth = hop.bandwidth * factor(random);
  }
  ring.machine.hops = hops;
}

RankTimes times_of(const Ring& ring) {
  RankTimes times;
  for (std::size_t r = 0; r < ring.machine.hops.size(); ++r) {
    times.kernel.push_back(ring.machine.slowdown[r] * ring.compute);
    times.hop.push_back(in_seconds(CostModel::hop(ring.machine.hops[r], ring.block)));
  }
  return times;
}

// Arguments: ranks, layers.
void heterogeneous(benchmark::State& state) {
  const std::int64_t ranks = state.range(0);
  const std::int64_t layers = state.range(1);
  Ring ring = uniform_ring(ranks, layers);
  make_heterogeneous(ring);
  const RankTimes times = times_of(ring);
  sim::RunOptions one = sim::run_in_full();  // every step of every rank
  one.tile = true;
  sim::RunOptions two = one;
  two.threads = 2;
  double one_s = std::numeric_limits<double>::infinity();
  double two_s = one_s;
  double plain_s = one_s;
  double bytes_per_second = 0;
  for (auto _ : state) {
    const auto start = Clock::now();
    sim::RecurrenceEngine engine(ring.program, ring.machine);  // lowering is part of the price
    const double makespan = engine.run(nullptr, one).makespan_s;
    const double now = seconds_since(start);
    const auto two_start = Clock::now();
    sim::RecurrenceEngine other(ring.program, ring.machine);
    const double on_two = other.run(nullptr, two).makespan_s;
    two_s = std::min(two_s, seconds_since(two_start));
    const auto plain_start = Clock::now();
    const double plain = plain_loop(layers, times);
    plain_s = std::min(plain_s, seconds_since(plain_start));
    if (makespan != plain || on_two != plain) state.SkipWithError("the plain loop and the engine disagree");
    constexpr std::int64_t arrays = 5;  // c, x, s, kernel, hop
    bytes_per_second = std::max(bytes_per_second, triad_bytes_per_second(8 * arrays * ranks));
    one_s = std::min(one_s, now);
    state.SetIterationTime(now);
  }
  const double rank_steps = static_cast<double>(ranks) * static_cast<double>(ranks) * static_cast<double>(layers);
  constexpr double moved = 64;  // bytes a rank-step: 3 reads and 2 writes in the first pass, 2 and 1 in the second
  state.counters["seconds"] = one_s;
  state.counters["rank_steps/s"] = rank_steps / one_s;
  state.counters["plain/s"] = rank_steps / plain_s;
  state.counters["memory/s"] = bytes_per_second / moved;
  state.counters["engine:plain"] = plain_s / one_s;
  state.counters["engine:memory"] = rank_steps / one_s / (bytes_per_second / moved);
  state.counters["two:one"] = one_s / two_s;
}

BENCHMARK(heterogeneous)
    ->Args({128, 1024})
    ->Args({1024, 126})
    ->Args({4096, 8})
    ->Args({32768, 1})
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);
// So many times, not until the engine has run for long: the plain loop takes thousands of times as long.
BENCHMARK(recurrence)->Arg(64)->Arg(1024)->Arg(8192)->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);

}  // namespace
