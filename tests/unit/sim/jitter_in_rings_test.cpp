// What jitter does to rings: which draw goes where, and means that follow from order statistics.
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

Jitter normal(double spread) { return {Distribution::normal, spread}; }

Noise noise_of(const Jitter& compute, const Jitter& links) {
  Noise noise;
  noise.compute = compute;
  noise.links = links;
  return noise;
}

// Makespans of `count` replicas.
std::vector<double> makespans(const Ring& ring, const Noise& noise, std::int64_t count) {
  const Program program = program_of(ring, Passes::forward);
  const Machine machine = ring.machine();
  std::vector<Lane> lanes;
  for (std::int64_t r = 0; r < count; ++r) lanes.push_back(lane_of(machine, noise, 11, r, 0));
  std::vector<double> all;
  for (const RunResult& run : RecurrenceEngine(program, lanes).run_lanes()) all.push_back(run.makespan_s);
  return all;
}

struct Sample {
  double mean = 0;
  double standard_error = 0;
};
Sample sample_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double v : values) sum += v;
  double squares = 0;
  for (const double v : values) squares += (v - sum / n) * (v - sum / n);
  return {sum / n, std::sqrt(squares / (n - 1) / n)};
}

TEST(JitterInRings, EveryOperationTakesItsOwnDraw) {
  // Three ranks of which rank 1 is half as fast again, forward and backward over two layers, merges and both kinds of hops. Every
  // kernel must last (slowdown · cost) · f, every hop its time · f, f drawn for exactly its layer, step, pass, kind and rank.
  Ring ring{.ranks = 3, .tokens = 12, .layers = 2, .token_s = 0.3, .latency_s = 0.1, .merge_bytes_per_s = 200};
  ring.slowdown = {1, 1.5, 1};
  ring.hop_factor = {1, 2, 3};
  const Program program = program_of(ring, Passes::both);
  const Machine machine = ring.machine();
  const Noise noise = noise_of(normal(0.2), {Distribution::lognormal, 0.3});
  const Lane lane = lane_of(machine, noise, 5, 6, 7);
  rings::Recorder quiet;
  rings::Recorder loud;
  (void)RecurrenceEngine(program, machine).run(&quiet);
  (void)RecurrenceEngine(program, {lane}).run(&loud);
  const JitterStream compute(noise.compute, 5, "compute", 6, 7);
  const JitterStream links(noise.links, 5, "links", 6, 7);
  ASSERT_EQ(loud.computes.size(), quiet.computes.size());
  int merges = 0;
  for (std::size_t i = 0; i < loud.computes.size(); ++i) {
    const auto& k = loud.computes[i];
    const auto& without = quiet.computes[i];
    // Kinds: 0 an attention kernel; 1, 2, 3 a merge of outputs, of query gradients, of key and value gradients.
    const int kind = k.attention                                ? 0
                     : k.accumulator == Accumulator::output     ? 1
                     : k.accumulator == Accumulator::q_gradient ? 2
                                                                : 3;
    merges += k.attention ? 0 : 1;
    const std::uint64_t operation = compute.operation(k.layer, k.step, k.pass == Pass::forward ? 0 : 1, kind);
    for (std::size_t r = 0; r < 3; ++r) {
      const double f = compute.factor(operation, static_cast<std::int64_t>(r));
      EXPECT_NEAR(k.end[r] - k.start[r], (without.end[r] - without.start[r]) * f, 1e-12 * k.end[r]);
    }
  }
  EXPECT_EQ(merges, 2 * (2 + 2 + 2));  // a layer: two outputs, two of each gradient
  // A layer: K/V twice on the way forward; backward K/V at steps 0 and 1, dK/dV at steps 1, 2 and on its way home.
  ASSERT_EQ(loud.transfers.size(), 2U * (2 + 4));
  for (std::size_t i = 0; i < loud.transfers.size(); ++i) {
    const auto& t = loud.transfers[i];
    const auto& without = quiet.transfers[i];
    const std::uint64_t operation = links.operation(t.layer, t.step, t.pass == Pass::forward ? 0 : 1, 0);
    for (std::size_t r = 0; r < 3; ++r) {
      const double f = links.factor(operation, static_cast<std::int64_t>(r));
      EXPECT_NEAR(t.hop_end[r] - t.hop_start[r], (without.hop_end[r] - without.hop_start[r]) * f, 1e-12 * t.hop_end[r]);
    }
  }
}

TEST(JitterInRings, TheSlowerOfTwoHopsDecides) {
  // Two ranks, blocks of one token: kernels of 1 s, two hops of 10 s at once. The second kernel of either rank waits for both of
  // its hops, so the makespan is 10 · max(f0, f1) + 1. Of two standard normals the greater has mean 1/√π (and variance
  // 1 − 1/π), hence 10·(1 + σ/√π) + 1.
  const Ring ring{.ranks = 2, .tokens = 2, .pair_s = 1, .token_s = 10};
  const double spread = 0.05;
  const std::int64_t replicas = 20'000;
  const Sample s = sample_of(makespans(ring, noise_of({}, normal(spread)), replicas));
  const double error = 10 * spread * std::sqrt((1 - std::numbers::inv_pi) / static_cast<double>(replicas));
  EXPECT_NEAR(s.standard_error, error, 0.03 * error);
  EXPECT_NEAR(s.mean, 10 * (1 + spread * std::numbers::inv_sqrtpi) + 1, 4 * error);
}

TEST(JitterInRings, TheSlowerOfTwoRanksDecides) {
  // Two ranks whose hops are over long before their kernels: a rank takes f + f', two normals of 1 s, so 2 + √2·σ·z; the slower
  // of two such ranks on average 2 + √2·σ/√π.
  const Ring ring{.ranks = 2, .tokens = 2, .pair_s = 1, .token_s = 0.01};
  const double spread = 0.05;
  const std::int64_t replicas = 20'000;
  const Sample s = sample_of(makespans(ring, noise_of(normal(spread), {}), replicas));
  const double deviation = std::numbers::sqrt2 * spread;
  const double error = deviation * std::sqrt((1 - std::numbers::inv_pi) / static_cast<double>(replicas));
  EXPECT_NEAR(s.mean, 2 + deviation * std::numbers::inv_sqrtpi, 4 * error);
}

TEST(JitterInRings, AComputeBoundRingIsSlowerOnAverage) {
  // Sixteen ranks of sixteen kernels of 1 s with hops of 0.3 s. Even without waiting for each other the last of sixteen ranks would
  // take 16 + 1.766·4σ (1.766: mean of the greatest of sixteen standard normals; a rank's sum has deviation √16 σ), and waiting
  // only adds to that.
  const Ring ring{.ranks = 16, .tokens = 16, .pair_s = 1, .token_s = 0.3};
  const double spread = 0.1;
  const Sample s = sample_of(makespans(ring, noise_of(normal(spread), {}), 500));
  EXPECT_GT(s.mean, 16 + 1.766 * 4 * spread - 4 * s.standard_error);
  EXPECT_GT(s.mean, run(ring).makespan_s);
}

TEST(JitterInRings, LanesMustCostTheSame) {
  const Ring ring{.ranks = 2, .tokens = 2};
  Ring other = ring;
  other.pair_s = 2;
  Ring contest = ring;
  contest.contest = true;
  Ring slow_hops = ring;
  slow_hops.hop_factor = {2, 3};
  const Program program = program_of(ring, Passes::forward);
  const Machine a = ring.machine();
  const Machine b = other.machine();
  const Machine c = contest.machine();
  const Machine d = slow_hops.machine();
  const auto engine = [&](std::vector<Lane> lanes) { RecurrenceEngine(program, std::move(lanes)); };
  EXPECT_THROW(engine({{&a}, {&b}}), std::logic_error);
  EXPECT_THROW(engine({{&a}, {&c}}), std::logic_error);
  EXPECT_THROW(engine({}), std::logic_error);
  EXPECT_NO_THROW(engine({{&a}, {&d}}));
}

}  // namespace
}  // namespace ringsim::sim
