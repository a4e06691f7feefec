// Dense work, collectives, sends between roles and hops that go other ways than up, timed by hand. Dense work of n bytes a token
// takes n seconds a token; a hop of one token takes as many seconds as its tensor has bytes a token.
#include "sim/totals.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Ring;

constexpr StreamId compute = 0;
constexpr StreamId transfer = 1;

// A program of `ranks` ranks with blocks of one token, a compute and a transfer stream, and no operations.
Program program_of_ranks(std::int64_t ranks) {
  Program program = empty_ring_program(Ring{.ranks = ranks, .tokens = ranks}.spec());
  program.events = {"first", "second"};
  return program;
}

Machine machine_of_ranks(std::int64_t ranks, double second_factor = 1) {
  Machine machine = Ring{.ranks = ranks, .tokens = ranks, .pair_s = 1}.machine();
  Profile profile = machine.costs.profile();
  profile.memory_bandwidth = Calibrated<Bandwidth>{bytes_per_second(1)};
  machine.dense = DenseCosts(profile, Gpu{});
  const auto hops = [ranks](double factor) {
    const HopCost hop{{}, bytes_per_second(1 / factor), false, "link", true};
    return std::vector<HopCost>(static_cast<std::size_t>(ranks), hop);
  };
  machine.hops = hops(1);
  machine.second_hops = hops(second_factor);
  machine.sends = hops(1);
  return machine;
}

std::size_t add_dense(Program& program, double seconds_per_token) {
  program.dense.push_back({"dense", {Elementwise{"pass", {1, 0}, bytes(seconds_per_token), {}}}});
  return program.dense.size() - 1;
}

Operation repeat(Loop loop, std::int64_t count, std::vector<Operation> body) {
  return {Repeat{loop, 0, count, false, std::move(body)}};
}

TEST(RecurrenceOperations, DenseWorkTakesItsTimeOnEveryRankAndIsCompute) {
  // Layers of 3 s; the second rank is half as fast: 6 s. Two layers.
  Program program = program_of_ranks(2);
  program.mask_of_layer = {0, 0};
  program.body = {repeat(Loop::layer, 2, {{Dense{compute, Pass::forward, {add_dense(program, 3)}}}})};
  Machine machine = machine_of_ranks(2);
  machine.slowdown = {1, 2};
  TotalsObserver totals(program);
  const RunResult result = RecurrenceEngine(program, machine).run(&totals);
  EXPECT_EQ(result.end_s, (std::vector<double>{6, 12}));
  const std::vector<RankSummary> ranks = totals.summaries(result);
  EXPECT_EQ(ranks[0].dense_s, 6);
  EXPECT_EQ(ranks[0].compute_s, 6);
  EXPECT_EQ(ranks[0].bubble_end_s, 6);
  EXPECT_EQ(ranks[1].compute_s, 12);
}

TEST(RecurrenceOperations, DenseWorkHasAnAmountForEveryKindOfLayer) {
  // Layers of kinds 0, 1, 1: 3 + 5 + 5 s.
  Program program = program_of_ranks(2);
  program.masks = {Mask{false, {}}, Mask{false, {}}};
  program.mask_of_layer = {0, 1, 1};
  program.body = {
      repeat(Loop::layer, 3, {{Dense{compute, Pass::forward, {add_dense(program, 3), add_dense(program, 5)}}}})};
  EXPECT_EQ(RecurrenceEngine(program, machine_of_ranks(2)).run().makespan_s, 13);
}

TEST(RecurrenceOperations, ACollectiveOfTheRingStartsWithItsLastMember) {
  // Ranks reach it at 4 and 8 s; it costs nothing (the machine knows no group); then both compute for their 4 and 8 s. What the
  // first waits is late, not exposed: nothing is in flight before all have come.
  Program program = program_of_ranks(2);
  program.traffic = {{"gather", CollectiveKind::all_gather, Group::ring, bytes(1), {}}};
  const std::size_t work = add_dense(program, 4);
  program.body = {{Dense{compute, Pass::forward, {work}}},
                  {Collective{compute, Pass::forward, {0}}},
                  {Dense{compute, Pass::forward, {work}}}};
  Machine machine = machine_of_ranks(2);
  machine.slowdown = {1, 2};
  TotalsObserver totals(program);
  const RunResult result = RecurrenceEngine(program, machine).run(&totals);
  EXPECT_EQ(result.end_s, (std::vector<double>{12, 16}));
  EXPECT_EQ(totals.summaries(result)[0].bubble_late_s, 4);
  EXPECT_EQ(totals.summaries(result)[0].exposed_communication_s, 0);
}

// Two roles of two ranks; `sent` bytes a token go from the first to the second.
Program two_stages(double first_s, double second_s, double sent) {
  Program program = program_of_ranks(2);
  program.streams = {"compute stage 0", "send stage 0", "compute stage 1"};
  program.roles = {"stage 0", "stage 1"};
  program.role_of_stream = {0, 0, 1};
  program.computes = {true, false, true};
  program.body = {
      {Dense{0, Pass::forward, {add_dense(program, first_s)}}}, {Record{0, {0, 0, 1}}}, {Wait{1, {0, 0, 1}}},
      {Send{1, Pass::forward, "activations", 1, bytes(sent)}},  {Record{1, {1, 0, 1}}}, {Wait{2, {1, 0, 1}}},
      {Dense{2, Pass::forward, {add_dense(program, second_s)}}}};
  return program;
}

TEST(RecurrenceOperations, AStageStartsWhenWhatTheOneBeforeSentHasArrived) {
  // 3 s, a send of 2 s, 4 s. Stage 1 waits 5 s, of which the send is in flight for 2; stage 0 waits for the end for 6.
  const Program program = two_stages(3, 4, 2);
  TotalsObserver totals(program);
  const RunResult result = RecurrenceEngine(program, machine_of_ranks(2)).run(&totals);
  EXPECT_EQ(result.end_s, (std::vector<double>{3, 3, 9, 9}));
  const std::vector<RankSummary> ranks = totals.summaries(result);
  ASSERT_EQ(ranks.size(), 4u);
  EXPECT_EQ(ranks[2].stage, 1);
  EXPECT_EQ(ranks[2].exposed_communication_s, 2);
  EXPECT_EQ(ranks[2].bubble_late_s, 3);
  EXPECT_EQ(ranks[2].compute_s, 4);
  EXPECT_EQ(ranks[0].bubble_end_s, 6);
}

TEST(RecurrenceOperations, RanksStartWhereTheirRoleIsReady) {
  // Ranks of stage 1 are ready at 20 and 0: 20 + 4, and 5 + 4.
  const Program program = two_stages(3, 4, 2);
  Machine machine = machine_of_ranks(2);
  machine.start_s = {0, 0, 20, 0};
  EXPECT_EQ(RecurrenceEngine(program, machine).run().end_s, (std::vector<double>{3, 3, 24, 9}));
}

TEST(RecurrenceOperations, ARunNobodyLooksAtHasTheSameTimes) {
  const Program program = two_stages(3, 4, 2);
  const Machine machine = machine_of_ranks(2);
  TotalsObserver totals(program);
  EXPECT_EQ(RecurrenceEngine(program, machine).run().end_s, RecurrenceEngine(program, machine).run(&totals).end_s);
}

// A shift of the tensors, of so many bytes a token, that go the given ways, after which compute waits for it and works 1 s.
Program shift_of(std::int64_t ranks, const std::vector<std::pair<Way, double>>& items) {
  Program program = program_of_ranks(ranks);
  Shift shift{transfer, Pass::forward, {}};
  for (const auto& [way, size] : items) {
    program.tensors.push_back({"K/V", bytes(size)});
    shift.items.push_back({program.tensors.size() - 1, 0, {}, {}, way});
  }
  program.body = {{shift},
                  {Record{transfer, {0, 0, 1}}},
                  {Wait{compute, {0, 0, 1}}},
                  {Dense{compute, Pass::forward, {add_dense(program, 1)}}}};
  return program;
}

TEST(RecurrenceOperations, BothWaysAreOneOperationThatEndsWithItsLastHop) {
  // Up 2 s, down 3 s. Rank 0 of four is ready at 10 s only: hops 3 -> 0, 0 -> 1 up and 0 -> 3, 1 -> 0 down start at 10, so ranks 0, 1
  // and 3 have all of theirs at 13; rank 2's start at once and end at 3: but both of its neighbours' own hops are not its own.
  const Program program = shift_of(4, {{Way::up, 2}, {Way::down, 3}});
  Machine machine = machine_of_ranks(4);
  machine.start_s = {10, 0, 0, 0};
  EXPECT_EQ(RecurrenceEngine(program, machine).run().end_s, (std::vector<double>{14, 14, 4, 14}));
}

TEST(RecurrenceOperations, TheOtherWayRoundHasHopsOfItsOwn) {
  // Down alone, over links that take twice as long: 6 s, and 1 s of work.
  const Program program = shift_of(4, {{Way::down, 3}});
  EXPECT_EQ(RecurrenceEngine(program, machine_of_ranks(4, 2)).run().makespan_s, 7);
}

TEST(RecurrenceOperations, AnInnerRingKnowsNothingOfTheOther) {
  // Six ranks, inner rings of three: 0 1 2 and 3 4 5. Rank 0 is late by 10 s: the hops 2 -> 0 and 0 -> 1 start at 10.
  Program program = shift_of(6, {{Way::inner, 2}});
  program.inner = 3;
  Machine machine = machine_of_ranks(6);
  machine.start_s = {10, 0, 0, 0, 0, 0};
  EXPECT_EQ(RecurrenceEngine(program, machine).run().end_s, (std::vector<double>{13, 13, 13, 3, 3, 3}));
}

TEST(RecurrenceOperations, AnOuterRingLinksEqualPlacesOfTheInnerOnes) {
  // The same ranks: 0 <-> 3, 1 <-> 4, 2 <-> 5; links of the second set take twice as long.
  Program program = shift_of(6, {{Way::outer, 2}});
  program.inner = 3;
  Machine machine = machine_of_ranks(6, 2);
  machine.start_s = {10, 0, 0, 0, 0, 0};
  EXPECT_EQ(RecurrenceEngine(program, machine).run().end_s, (std::vector<double>{15, 5, 5, 15, 5, 5}));
}

TEST(RecurrenceOperations, WaysAreExposedWhileAnyHopOfTheRankIsInFlight) {
  // The first case without a late rank: 3 s exposed on every rank.
  const Program program = shift_of(4, {{Way::up, 2}, {Way::down, 3}});
  TotalsObserver totals(program);
  const RunResult result = RecurrenceEngine(program, machine_of_ranks(4)).run(&totals);
  for (const RankSummary& rank : totals.summaries(result)) {
    EXPECT_EQ(rank.exposed_communication_s, 3) << rank.rank;
    EXPECT_EQ(rank.in_flight_s, 3) << rank.rank;
  }
}

TEST(RecurrenceOperations, TwoTransferStreamsWaitForSmsOnTheirOwn) {
  // Under a contest, a kernel of 5 s runs from 0 s. Two hops of 2 s on streams of their own become ready at 1 s (after a pass of
  // 1 s on each stream): both wait for the kernel and start at 5 s, together.
  Program program = program_of_ranks(2);
  program.streams = {"compute", "transfer", "transfer between nodes"};
  program.tensors = {{"K/V", bytes(2)}};
  program.inner = 1;
  const std::size_t one = add_dense(program, 1);
  const std::size_t five = add_dense(program, 5);
  program.body = {{Dense{1, Pass::forward, {one}}},
                  {Dense{2, Pass::forward, {one}}},
                  {Shift{1, Pass::forward, {{0, 0, {}, {}, Way::up}}}},
                  {Record{1, {0, 0, 1}}},
                  {Shift{2, Pass::forward, {{0, 0, {}, {}, Way::outer}}}},
                  {Record{2, {1, 0, 1}}},
                  {Dense{compute, Pass::forward, {five}}},
                  {Wait{compute, {0, 0, 1}}},
                  {Wait{compute, {1, 0, 1}}},
                  {Dense{compute, Pass::forward, {one}}}};
  Machine machine = machine_of_ranks(2);
  machine.contest = true;
  EXPECT_EQ(RecurrenceEngine(program, machine).run().makespan_s, 8);
}

}  // namespace
}  // namespace ringsim::sim
