// Runs in phases, by hand: two ranks that work 4 and 8 s a phase, on dense work of one byte a second.
#include "sim/phases.hpp"

#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

PhaseProgram four_seconds(double times, bool continues) {
  Program program = empty_ring_program(rings::Ring{.ranks = 2, .tokens = 2}.spec());
  program.dense.push_back({"dense", {Elementwise{"pass", {1, 0}, bytes(4), {}}}});
  program.body = {{Dense{0, Pass::forward, {0}}}};
  return {std::move(program), times, continues};
}

Machine two_ranks() {
  Machine machine = rings::Ring{.ranks = 2, .tokens = 2}.machine();
  Profile profile = machine.costs.profile();
  profile.memory_bandwidth = Calibrated<Bandwidth>{bytes_per_second(1)};
  machine.dense = DenseCosts(profile, Gpu{});
  machine.slowdown = {1, 2};
  return machine;
}

void expect_parts_add_up(const RunSummary& run) {
  for (const RankSummary& rank : run.per_rank) {
    EXPECT_EQ((rank.compute_s + rank.exposed_communication_s) + rank.bubble_s, run.makespan_s) << rank.rank;
  }
}

TEST(Phases, WhatContinuesStartsWhereEachRankEnded) {
  // Ends at 4 and 8, then at 8 and 16: the first rank waits for nobody in between, and for the end of the second for 8 s.
  const std::vector<PhaseProgram> phases = {four_seconds(1, false), four_seconds(1, true)};
  const RunSummary run = run_phases(phases, two_ranks(), steady_lane).run;
  EXPECT_EQ(run.makespan_s, 16);
  EXPECT_EQ(run.per_rank[0].compute_s, 8);
  EXPECT_EQ(run.per_rank[0].bubble_end_s, 8);
  EXPECT_EQ(run.per_rank[0].bubble_late_s, 0);
  EXPECT_EQ(run.per_rank[1].compute_s, 16);
  expect_parts_add_up(run);
  EXPECT_EQ(makespan_of_phases(phases, two_ranks()), 16);
}

TEST(Phases, WhatStandsForManyCountsSoOften) {
  // Three steps of 8 s, after each of which both ranks meet again: 24 s, of which the first computes 12 and waits 12.
  const std::vector<PhaseProgram> phases = {four_seconds(3, false)};
  const RunSummary run = run_phases(phases, two_ranks(), steady_lane).run;
  EXPECT_EQ(run.makespan_s, 24);
  EXPECT_EQ(run.per_rank[0].compute_s, 12);
  EXPECT_EQ(run.per_rank[0].bubble_end_s, 12);
  expect_parts_add_up(run);
  EXPECT_EQ(makespan_of_phases(phases, two_ranks()), 24);
}

TEST(Phases, WeightsMayBeFractions) {
  // Two samples of a sum with weights 1.5 and 0.5: 12 + 4 s.
  const std::vector<PhaseProgram> phases = {four_seconds(1.5, false), four_seconds(0.5, false)};
  EXPECT_EQ(run_phases(phases, two_ranks(), steady_lane).run.makespan_s, 16);
  EXPECT_EQ(makespan_of_phases(phases, two_ranks()), 16);
}

}  // namespace
}  // namespace ringsim::sim
