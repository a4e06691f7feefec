// Runs that cannot end: what failed, when, what it took along, and who waits for whom. Never a hang: a child that takes over a
// minute is ended, and then its kind is "signal".
//
// Rings of four ranks on GPUs 100 to 103, hop r over link r; kernels of 0.001 s, hops of 10 s: step k's hops run from 10 k to
// 10 (k + 1) s.
#include "tests/flow/forked.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace ringsim::sim::flow_test {
namespace {

using rings::Ring;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct OneRing {
  explicit OneRing(double latency_s = 0) {
    Ring ring;
    ring.ranks = ring.tokens = 4;
    ring.pair_s = 0.001;
    ring.token_s = 10 - latency_s;
    ring.latency_s = latency_s;
    program = rings::program_of(ring, rings::Passes::forward);
    machine = ring.machine();
    setup.program = &program;
    OwnLinks own;
    setup.rings.push_back({&machine, own.add(4, 1e9), {100, 101, 102, 103}, {}, {}, nullptr});
    setup.links = own.links;
  }
  Program program{rings::program_of(Ring{}, rings::Passes::forward)};
  Machine machine{Ring{}.machine()};
  FlowSetup setup;
};

TEST(BrokeOff, ALinkThatFailsLosesTheHopThatItCarries) {
  // Link 0 fails at 4 s under the hop of step 0 from rank 0 to rank 1. The other three hops of step 0 arrive; ranks 2 and 3 post
  // step 1 at 10 s and wait: rank 2 for rank 1, rank 3 for rank 0, which are still at step 0.
  OneRing ring;
  ring.setup.changes.push_back({0, 4, 0});
  const Outcome outcome = run_forked(ring.setup);
  ASSERT_EQ(outcome.kind, "broke off") << outcome.what;
  EXPECT_THAT(
      outcome.what,
      AllOf(HasSubstr("link link0 failed at 4 s"),
            HasSubstr("the hop from GPU 100 to GPU 101 (rank 0 to rank 1; shift K/V, forward, layer 0, step 0) was in "
                      "flight since 0 us and is lost"),
            HasSubstr("GPU 102 (rank 2) waits for GPU 101 (rank 1) since 10 s: shift K/V, forward, layer 0, step 1"),
            HasSubstr("GPU 103 (rank 3) waits for GPU 100 (rank 0) since 10 s: shift K/V, forward, layer 0, step 1")));
}

TEST(BrokeOff, AHopWhoseLinkHasFailedBeforeCannotStart) {
  // The hop is posted at 0 s and would enter the link after α = 1 s; the link fails at 0.5 s.
  OneRing ring(1.0);
  ring.setup.changes.push_back({0, 0.5, 0});
  const Outcome outcome = run_forked(ring.setup);
  ASSERT_EQ(outcome.kind, "broke off") << outcome.what;
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("link link0 failed at 500 ms"), HasSubstr("could not start at 1 s"),
                                  Not(HasSubstr("is lost"))));
}

TEST(BrokeOff, AGpuThatFailsLeavesItsNeighboursWaiting) {
  // At 15 s, in step 1, rank 2 sends to rank 3 and receives from rank 1. Rank 0's hops of step 1, from 3 and to 1, arrive at
  // 20 s; in step 2 it waits for its neighbours, which wait for rank 2.
  OneRing ring;
  ring.setup.failures.push_back({102, 15});
  const Outcome outcome = run_forked(ring.setup);
  ASSERT_EQ(outcome.kind, "broke off") << outcome.what;
  EXPECT_THAT(
      outcome.what,
      AllOf(HasSubstr("GPU 102 failed at 15 s (rank 2) with its hops in flight: shift K/V, forward, layer 0, step 1"),
            HasSubstr("GPU 101 (rank 1) waits for GPU 102 (rank 2) since 10 s"),
            HasSubstr("GPU 103 (rank 3) waits for GPU 102 (rank 2) since 10 s"),
            HasSubstr("GPU 100 (rank 0) waits for GPU 101 (rank 1) since 20 s: shift K/V, forward, layer 0, step 2")));
}

TEST(BrokeOff, AGpuThatFailsWhileItComputesNeverPosts) {
  // Rank 1 starts 7 s late; its GPU is gone at 3 s. Ranks 0 and 2 posted step 0 at 0 s, the hop between 2 and 3 arrives.
  OneRing ring;
  ring.machine.start_s = {0, 7, 0, 0};
  ring.setup.failures.push_back({101, 3});
  const Outcome outcome = run_forked(ring.setup);
  ASSERT_EQ(outcome.kind, "broke off") << outcome.what;
  EXPECT_THAT(
      outcome.what,
      AllOf(HasSubstr("GPU 101 failed at 3 s (rank 1) before it posted shift K/V, forward, layer 0, step 0"),
            HasSubstr("GPU 100 (rank 0) waits for GPU 101 (rank 1) since 0 us: shift K/V, forward, layer 0, step 0"),
            HasSubstr("GPU 102 (rank 2) waits for GPU 101 (rank 1) since 0 us: shift K/V, forward, layer 0, step 0")));
}

TEST(BrokeOff, AFailureAfterTheLastUseIsNone) {
  // The last hops arrive at 30 s, the last kernel ends at 30.001 s.
  OneRing ring;
  ring.setup.changes.push_back({0, 30.0005, 0});
  ring.setup.failures.push_back({100, 30.002});
  ring.setup.failures.push_back({7, 1});  // not of this job
  const Outcome outcome = run_forked(ring.setup);
  EXPECT_EQ(outcome.kind, "fine") << outcome.what;
}

TEST(BrokeOff, EndlessTrafficDoesNotHideADeadlock) {
  OneRing ring;
  ring.setup.traffic.push_back({{3}, std::nullopt, 0, std::nullopt});
  ring.setup.changes.push_back({0, 4, 0});
  const Outcome outcome = run_forked(ring.setup);
  ASSERT_EQ(outcome.kind, "broke off") << outcome.what;
  EXPECT_THAT(outcome.what, HasSubstr("link link0 failed at 4 s"));
}

TEST(BrokeOff, ALongChainIsCut) {
  Ring ring;
  ring.ranks = ring.tokens = 64;
  ring.pair_s = 0.001;
  ring.token_s = 10;
  const Program program = rings::program_of(ring, rings::Passes::forward);
  const Machine machine = ring.machine();
  OwnLinks own;
  FlowSetup setup;
  setup.program = &program;
  setup.rings.push_back({&machine, own.add(64, 1e9), {}, {}, {}, nullptr});
  setup.links = own.links;
  setup.changes.push_back({10, 4, 0});
  const Outcome outcome = run_forked(setup);
  ASSERT_EQ(outcome.kind, "broke off") << outcome.what;
  // Ranks 10 and 11 lost their hop; of the 62 others six are named.
  EXPECT_THAT(outcome.what, HasSubstr("and 56 more ranks wait for these"));
  EXPECT_LT(outcome.what.size(), 1500U);
}

TEST(WrongNumbers, AreErrorsThatSayWhat) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bandwidth : {0.0, -1.0, inf, std::numeric_limits<double>::quiet_NaN()}) {
    OneRing ring;
    ring.setup.links[2].bandwidth = bytes_per_second(bandwidth);
    const Outcome outcome = run_forked(ring.setup);
    EXPECT_EQ(outcome.kind, "error") << bandwidth << ": " << outcome.what;
    EXPECT_EQ(outcome.where, "cluster");
    EXPECT_THAT(outcome.what, HasSubstr("link link2"));
  }
  for (const LinkChange& change :
       {LinkChange{0, inf, 0.5}, LinkChange{0, -1, 0.5}, LinkChange{0, 1, -0.5}, LinkChange{0, 1, inf}}) {
    OneRing ring;
    ring.setup.changes.push_back(change);
    EXPECT_EQ(run_forked(ring.setup).kind, "error");
  }
  OneRing late;
  late.machine.start_s = {0, inf, 0, 0};
  EXPECT_EQ(run_forked(late.setup).kind, "error");
  OneRing slow;  // a hop of 4 B at 1e-320 B/s takes longer than a double can say
  std::vector<HopCost> hops = slow.machine.hops.of_ranks();
  hops[1].bandwidth = bytes_per_second(1e-320);
  slow.machine.hops = hops;
  EXPECT_EQ(run_forked(slow.setup).kind, "error");
}

TEST(WrongNumbers, ThatAreMerelyExtremeStillRun) {
  // 1e-300 B/s on the link of one hop: it alone decides, and its time is 4 / 1e-300 s · 3 shifts.
  OneRing ring;
  std::vector<HopCost> hops = ring.machine.hops.of_ranks();
  hops[1].bandwidth = bytes_per_second(1e-300);
  ring.machine.hops = hops;
  ring.setup.links[1].bandwidth = bytes_per_second(1e-300);
  const Outcome outcome = run_forked(ring.setup);
  if (outcome.kind == "fine") {
    EXPECT_NEAR(outcome.rings[0].makespan_s / 12e300, 1.0, 1e-9);
  } else {
    EXPECT_EQ(outcome.kind, "error") << outcome.what;  // out of proportion to the other links
  }
  // A run of years and one of picoseconds.
  for (const double scale : {1e9, 1e-15}) {
    Ring scaled;
    scaled.pair_s = scale;
    scaled.token_s = 3 * scale;
    const Program program = rings::program_of(scaled, rings::Passes::both);
    const Machine machine = scaled.machine();
    const Pair pair = both(program, machine, 1e9);
    ASSERT_EQ(pair.flow.kind, "fine") << pair.flow.what;
    EXPECT_LT(difference(pair.recurrence, pair.flow), 1e-12);
  }
}

TEST(Interference, IsRefusedWithTheKeyThatAsksForIt) {
  OneRing ring;
  ring.machine.sharing = KernelShares{{0.9, 0.8}, {0.9, 0.8}, {0.9, 0.8}};
  const Outcome outcome = run_forked(ring.setup);
  EXPECT_EQ(outcome.kind, "error");
  EXPECT_EQ(outcome.where, "profile.interference");
}

TEST(FlowEngine, RunsOnceAProcess) {
  const OneRing ring;
  const Json found = in_child([&]() -> Json {
    const Json first = run_here(ring.setup);
    return {{"first", first.at("kind")}, {"second", run_here(ring.setup).at("kind")}};
  });
  EXPECT_EQ(found.at("first"), "fine");
  EXPECT_EQ(found.at("second"), "exception");
}

TEST(FlowEngine, RunsAProgramWithoutTransfers) {
  // A kernel on its own block for every rank: one pair, 0.001 s.
  OneRing ring;
  Program program = empty_ring_program(Ring{}.spec());
  program.body.push_back({Attend{0, Pass::forward, Block::resident, Block::travelling, {}}});
  ring.setup.program = &program;
  const Outcome outcome = run_forked(ring.setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  EXPECT_NEAR(outcome.rings[0].makespan_s, 0.001, 1e-15);
  EXPECT_EQ(outcome.messages, 0);
}

}  // namespace
}  // namespace ringsim::sim::flow_test
