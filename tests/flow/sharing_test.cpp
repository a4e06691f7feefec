// Links that several flows use: every time is worked out by hand.
//
// Rings of tests/unit/sim/rings.hpp: kernels of 0.001 s, hops of α + 10 s alone. A hop moves 10 s times its link's bandwidth.
#include "tests/flow/forked.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim::flow_test {
namespace {

using rings::Ring;

constexpr double kernel_s = 0.001;
constexpr double tolerance = 1e-9;

Ring ring_of(std::int64_t ranks) {
  Ring ring;
  ring.ranks = ring.tokens = ranks;
  ring.pair_s = kernel_s;
  ring.token_s = 10;
  return ring;
}

/// Rings of two ranks, hop 0 of all of them over one link, hop 1 over links of their own.
struct Shared {
  explicit Shared(std::vector<Ring> of)
      : rings(std::move(of)), program(rings::program_of(rings.front(), rings::Passes::forward)) {
    setup.program = &program;
    setup.links = {{"shared", bytes_per_second(5e8)}};
    for (const Ring& ring : rings) machines.push_back(ring.machine());
    for (std::size_t i = 0; i < rings.size(); ++i) {
      setup.links.push_back({"own", bytes_per_second(5e8)});
      FlowRing ring;
      ring.machine = &machines[i];
      ring.routes = {{0}, {i + 1}};
      setup.rings.push_back(ring);
    }
  }
  std::vector<Ring> rings;
  Program program;
  std::vector<Machine> machines;
  FlowSetup setup;
};

TEST(Sharing, TwoRingsThroughOneNicTakeHalfEach) {
  // Four ranks, three shifts, each bound by its hop. All hops of both rings start together; where both rings leave the node they
  // share the NIC, so every such hop takes 20 s instead of 10, and so does every step. Alone: 3 · 10 s and the last kernel.
  const Ring ring = ring_of(4);
  const Program program = rings::program_of(ring, rings::Passes::forward);
  const Machine machine = ring.machine();
  const Pair alone = both(program, machine, 5e8);
  ASSERT_EQ(alone.flow.kind, "fine") << alone.flow.what;
  EXPECT_NEAR(alone.flow.rings[0].makespan_s, 3 * 10 + kernel_s, tolerance);

  OwnLinks own;
  FlowSetup setup;
  setup.program = &program;
  for (int i = 0; i < 2; ++i) {
    FlowRing one;
    one.machine = &machine;
    one.routes = own.add(4, 5e8);
    setup.rings.push_back(one);
  }
  setup.links = own.links;
  setup.rings[1].routes[2] = setup.rings[0].routes[2];  // hop 2 of both over one link
  const Outcome outcome = run_forked(setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  // The ranks at the shared hop pace all others, who come to wait for them: rank 0 is two ranks away and ends the
  // first step after 10 s, but the third shift of the ranks 2 and 3 starts after two shared hops, 40 s, and takes 20 more.
  EXPECT_NEAR(outcome.rings[0].makespan_s, 3 * 20 + kernel_s, tolerance);
  EXPECT_NEAR(outcome.rings[1].makespan_s, 3 * 20 + kernel_s, tolerance);
  // All 3 · 4 hops of both.
  EXPECT_EQ(outcome.messages, 24);
  // Rank 2 computes 4 kernels and sees its hops all the rest of the time.
  EXPECT_NEAR(outcome.ranks[0][2].exposed_communication_s, 3 * (20 - kernel_s), tolerance);
}

TEST(Sharing, EightTensorRanksWithANicEachRunAsAlone) {
  const Ring ring = ring_of(4);
  const Program program = rings::program_of(ring, rings::Passes::both);
  const Machine machine = ring.machine();
  OwnLinks own;
  FlowSetup setup;
  setup.program = &program;
  for (int i = 0; i < 8; ++i) {
    FlowRing one;
    one.machine = &machine;
    one.routes = own.add(4, 5e8);
    setup.rings.push_back(one);
  }
  setup.links = own.links;
  const Outcome outcome = run_forked(setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  const double alone_s = RecurrenceEngine(program, machine).run().makespan_s;
  ASSERT_EQ(outcome.rings.size(), 8U);
  for (const RunResult& one : outcome.rings) EXPECT_NEAR(one.makespan_s, alone_s, 1e-12 * alone_s);
}

TEST(Sharing, ALinkKnowsNothingOfTheLatenciesOfItsRoutes) {
  // α of 0.1 s and of 1 s. The first flow has the link alone from 0.1 s to 1 s and moves 0.9 of its 10 link-seconds; then both have
  // half. Its other 9.1 take 18.2 s: it ends at 19.2 s. The second has 0.9 left, alone: 20.1 s. In inverse proportion to α
  // (10 : 1) the first would end at 1 + 9.1 · 11/10 = 11.01 s.
  Ring fast = ring_of(2);
  fast.latency_s = 0.1;
  Ring slow = ring_of(2);
  slow.latency_s = 1;
  const Shared shared({fast, slow});
  const Outcome outcome = run_forked(shared.setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  EXPECT_NEAR(outcome.rings[0].makespan_s, 19.2 + kernel_s, tolerance);
  EXPECT_NEAR(outcome.rings[1].makespan_s, 20.1 + kernel_s, tolerance);
}

TEST(Sharing, SharesAreMaxMinFair) {
  // Three flows on a link of 3 units, one of which passes another link of half a unit. It has 1/2 and takes its 10 s, as alone;
  // the others have 5/4 each, and 3/2 once it has ended.
  const Ring ring = ring_of(2);
  Shared shared({ring, ring, ring});
  shared.setup.links[0].bandwidth = bytes_per_second(3e8);
  shared.setup.links.push_back({"narrow", bytes_per_second(0.5e8)});
  shared.setup.rings[2].routes[0] = {0, shared.setup.links.size() - 1};
  const Outcome outcome = run_forked(shared.setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  EXPECT_NEAR(outcome.rings[2].makespan_s, 10 + kernel_s, tolerance);
  // Until 10 s they move 12.5 of their 30 unit-seconds; then 3/2 units each: 17.5 / 1.5 s more.
  EXPECT_NEAR(outcome.rings[0].makespan_s, 10 + 17.5 / 1.5 + kernel_s, tolerance);
  EXPECT_NEAR(outcome.rings[1].makespan_s, 10 + 17.5 / 1.5 + kernel_s, tolerance);
}

TEST(Traffic, HalvesAHopAndEndsWithTheJob) {
  Shared shared({ring_of(2)});
  shared.setup.traffic.push_back({{0}, std::nullopt, 0, std::nullopt});
  const Outcome outcome = run_forked(shared.setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  EXPECT_NEAR(outcome.rings[0].makespan_s, 20 + kernel_s, tolerance);
}

TEST(Traffic, AtARateLeavesTheRest) {
  // A quarter of the link is taken: 10 / (3/4) s.
  Shared shared({ring_of(2)});
  shared.setup.traffic.push_back({{0}, 5e8 / 4, 0, std::nullopt});
  const Outcome outcome = run_forked(shared.setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  EXPECT_NEAR(outcome.rings[0].makespan_s, 10 / 0.75 + kernel_s, tolerance);
}

TEST(Traffic, HasAStartAndAnEnd) {
  // 2 s alone, 4 s at half, the other 6 link-seconds alone: 12 s.
  Shared shared({ring_of(2)});
  shared.setup.traffic.push_back({{0}, std::nullopt, 2, 6.0});
  const Outcome outcome = run_forked(shared.setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  EXPECT_NEAR(outcome.rings[0].makespan_s, 12 + kernel_s, tolerance);
}

TEST(LinkChange, HalvesTheBandwidthFromAMomentOn) {
  // 4 of 10 link-seconds until 4 s; the other 6 take 12 s at half: 16 s.
  Shared shared({ring_of(2)});
  shared.setup.changes.push_back({0, 4, 0.5});
  const Outcome outcome = run_forked(shared.setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  EXPECT_NEAR(outcome.rings[0].makespan_s, 16 + kernel_s, tolerance);
}

TEST(LinkChange, IsOfTheNominalBandwidthEachTime) {
  // 4 link-seconds until 4 s; a fifth until 14 s: 2 more; whole again: the other 4: 18 s.
  Shared shared({ring_of(2)});
  shared.setup.changes = {{0, 14, 1.0}, {0, 4, 0.2}};
  const Outcome outcome = run_forked(shared.setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  EXPECT_NEAR(outcome.rings[0].makespan_s, 18 + kernel_s, tolerance);
}

}  // namespace
}  // namespace ringsim::sim::flow_test
