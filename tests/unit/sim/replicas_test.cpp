// Replicas of a job, and what is said of them.
#include "sim/replicas.hpp"

#include "models/error.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/schedules/ring.hpp"
#include "sim/summarize.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

// Two rings (data-parallel) of four ranks each, with slow hops between nodes in both; a straggler.
Scenario noisy(std::int64_t ring = 4, std::int64_t data = 2) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 8192 * ring, ring, Layout::zigzag);
  s.model.layers = 2;
  s.workload.batch = data;
  s.parallel.data = data;
  s.cluster = shapes::dgx_h100((ring * data + 7) / 8);
  s.noise.compute = {Distribution::lognormal, 0.2};
  s.noise.links = {Distribution::pareto, 0.2, 3.0};
  s.noise.stragglers = {{1, 1.05}};
  return s;
}

JobNetwork network_of(const Scenario& s) { return job_network(s.parallel, s.cluster, s.noise); }

TEST(Replicas, AreTheRunsOfTheirRingsOneByOne) {
  // By the definition, bit for bit: in every replica each ring alone, and of them the one that ends last.
  const Scenario s = noisy();
  const JobNetwork network = network_of(s);
  const Program program = ring_program_of(s);
  const std::vector<ReplicaOutcome> replicas = run_replicas(s, network, alone(program), 9, 5);
  ASSERT_EQ(replicas.size(), 5U);
  std::size_t second_ring_last = 0;
  for (std::int64_t replica = 0; replica < 5; ++replica) {
    RunSummary slowest;
    std::size_t which = 0;
    for (std::size_t ring = 0; ring < 2; ++ring) {
      const Machine machine = machine_of(s, network.rings[ring]);
      TotalsObserver totals(4);
      RecurrenceEngine engine(program, {lane_of(machine, s.noise, 9, replica, static_cast<std::int64_t>(ring))});
      const RunSummary run = summarize(totals, engine.run(&totals));
      if (run.makespan_s > slowest.makespan_s) {
        slowest = run;
        which = ring;
      }
    }
    const ReplicaOutcome& outcome = replicas[static_cast<std::size_t>(replica)];
    EXPECT_EQ(outcome.makespan_s, slowest.makespan_s);
    EXPECT_EQ(outcome.ring, which);
    EXPECT_EQ(outcome.slowest_rank, slowest.slowest_rank);
    EXPECT_EQ(outcome.compute_s, slowest.compute_s);
    EXPECT_EQ(outcome.exposed_communication_s, slowest.exposed_communication_s);
    EXPECT_EQ(outcome.bubble_s, slowest.bubble_s);
    EXPECT_EQ(outcome.overlap, slowest.overlap);
    EXPECT_EQ((outcome.compute_s + outcome.exposed_communication_s) + outcome.bubble_s, outcome.makespan_s);
    second_ring_last += outcome.ring;
  }
  EXPECT_GT(second_ring_last, 0U) << "the rings draw from streams of their own";
}

TEST(Replicas, DoNotDependOnHowManyAreRun) {
  // 3,000 lanes of four ranks are several sweeps; any part of them, run on its own, is the same.
  const Scenario s = noisy();
  const JobNetwork network = network_of(s);
  const Program program = ring_program_of(s);
  const std::vector<ReplicaOutcome> all = run_replicas(s, network, alone(program), 9, 1500);
  const std::vector<ReplicaOutcome> part = run_replicas(s, network, alone(program), 9, 3, 1164);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(part[i].makespan_s, all[1164 + i].makespan_s);
  EXPECT_NE(run_replicas(s, network, alone(program), 10, 1)[0].makespan_s, all[0].makespan_s) << "another seed";
}

void expect_equal(const std::vector<ReplicaOutcome>& a, const std::vector<ReplicaOutcome>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].makespan_s, b[i].makespan_s);
    EXPECT_EQ(a[i].ring, b[i].ring);
    EXPECT_EQ(a[i].slowest_rank, b[i].slowest_rank);
    EXPECT_EQ(a[i].compute_s, b[i].compute_s);
    EXPECT_EQ(a[i].exposed_communication_s, b[i].exposed_communication_s);
    EXPECT_EQ(a[i].bubble_s, b[i].bubble_s);
    EXPECT_EQ(a[i].overlap, b[i].overlap);
  }
}

TEST(Replicas, DoNotDependOnTheNumberOfThreads) {
  // 3,000 lanes of four ranks are several sweeps, and a replica's three rings may be in two of them: whoever ends first must not
  // decide. The same of phases, which run ring by ring.
  const Scenario s = noisy(4, 3);
  const JobNetwork network = network_of(s);
  const Program program = ring_program_of(s);
  std::vector<PhaseProgram> twice = alone(program);
  twice.push_back(twice.front());
  for (const std::size_t threads : {std::size_t{2}, std::size_t{5}, std::size_t{0}}) {
    expect_equal(run_replicas(s, network, alone(program), 9, 1000, 0, threads),
                 run_replicas(s, network, alone(program), 9, 1000));
    expect_equal(run_replicas(s, network, twice, 9, 20, 3, threads), run_replicas(s, network, twice, 9, 20, 3));
  }
}

TEST(Replicas, OfRingsThatEndTogetherTheFirstCounts) {
  // Without jitter all eight rings of a replica are alike, in sweeps of several threads or of one.
  Scenario s = noisy(4, 8);
  s.noise = {};
  const JobNetwork network = network_of(s);
  const Program program = ring_program_of(s);
  for (const ReplicaOutcome& replica : run_replicas(s, network, alone(program), 1, 500, 0, 4)) {
    EXPECT_EQ(replica.ring, 0U);
  }
}

TEST(Replicas, WithoutJitterAreAllTheUndisturbedRun) {
  Scenario s = noisy();
  s.noise = {};
  const JobNetwork network = network_of(s);
  const Program program = ring_program_of(s);
  const double makespan = RecurrenceEngine(program, machine_of(s, network)).run().makespan_s;
  for (const ReplicaOutcome& replica : run_replicas(s, network, alone(program), 1, 3)) {
    EXPECT_EQ(replica.makespan_s, makespan);
    EXPECT_EQ(replica.ring, 0U);
  }
}

TEST(Replicas, MoreRingsMakeAJobSlower) {
  // The job waits for its slowest ring: of eight alike rings the mean of the slowest is above the mean of one. Every replica's
  // first ring is in both jobs, with the same draws, so the job of eight is never ahead.
  const Scenario one = noisy(4, 1);
  const Scenario eight = noisy(4, 8);
  const std::vector<ReplicaOutcome> few = run_replicas(one, network_of(one), alone(ring_program_of(one)), 3, 50);
  const std::vector<ReplicaOutcome> many = run_replicas(eight, network_of(eight), alone(ring_program_of(eight)), 3, 50);
  int later = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_GE(many[i].makespan_s, few[i].makespan_s);
    later += many[i].makespan_s > few[i].makespan_s ? 1 : 0;
  }
  // Of eight alike rings the first is the slowest in one replica of eight: 44 of 50 are later, give or take 4 · √(50 · 7/64).
  EXPECT_NEAR(later, 43.75, 9.4);
}

TEST(Replicas, LessThanOneIsAnError) {
  const Scenario s = noisy();
  EXPECT_THROW((void)run_replicas(s, network_of(s), alone(ring_program_of(s)), 1, 0), Error);
}

TEST(ReplicaStatistics, TailsAreWhereTheQuantityIsBad) {
  // 0, 1, ..., 100: the k-th percentile is k.
  std::vector<double> values;
  for (int i = 100; i >= 0; --i) values.push_back(i);
  const ReplicaStatistics time = statistics_of(values, Better::smaller);
  EXPECT_DOUBLE_EQ(time.median, 50);
  EXPECT_DOUBLE_EQ(time.tail_95, 95);
  EXPECT_DOUBLE_EQ(time.tail_99, 99);
  EXPECT_EQ(time.lowest, 0);
  EXPECT_EQ(time.highest, 100);
  EXPECT_DOUBLE_EQ(time.mean, 50);
  const ReplicaStatistics rate = statistics_of(values, Better::larger);
  EXPECT_DOUBLE_EQ(rate.tail_95, 5);
  EXPECT_DOUBLE_EQ(rate.tail_99, 1);
  EXPECT_EQ(rate.lowest, 0);
  EXPECT_EQ(rate.highest, 100);
  EXPECT_EQ(label_95(Better::smaller), "p95");
  EXPECT_EQ(label_99(Better::larger), "p1");
}

TEST(ReplicaStatistics, LeaveOutWhatIsAbsent) {
  // Tokens a second are more where the makespan is less: the bad tail of the rate belongs to the bad tail of the time.
  std::vector<ReplicaOutcome> replicas(3);
  for (std::size_t i = 0; i < 3; ++i) replicas[i].makespan_s = 1.0 + static_cast<double>(i);
  const auto rate = statistics_over(replicas, Better::larger,
                                    [](const ReplicaOutcome& r) { return std::optional(12.0 / r.makespan_s); });
  ASSERT_TRUE(rate.has_value());
  EXPECT_DOUBLE_EQ(rate->median, 6);
  EXPECT_DOUBLE_EQ(rate->lowest, 4);
  const auto overlap = [](const ReplicaOutcome& r) { return r.overlap; };
  EXPECT_FALSE(statistics_over(replicas, Better::larger, overlap).has_value());
  replicas[1].overlap = 0.5;
  EXPECT_EQ(statistics_over(replicas, Better::larger, overlap)->mean, 0.5);
  EXPECT_THROW((void)statistics_of({}, Better::smaller), Error);
}

}  // namespace
}  // namespace ringsim::sim
