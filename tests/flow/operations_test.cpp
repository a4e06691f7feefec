// Programs with hops of several ways, several streams of transfers, dense work, collectives and roles: where no link is shared,
// the flow engine and the recurrence come to the same, in all figures of all ranks. Times have no common measure.
#include "sim/schedules/ring.hpp"
#include "tests/flow/forked.hpp"
#include "tests/unit/models/shapes.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ringsim::sim::flow_test {
namespace {

using rings::Ring;

constexpr double same = 1e-12;  // of the makespan; the agreement between engines asks for 1e-9

Ring ring_of(std::int64_t ranks, double token_s) {
  Ring ring;
  ring.ranks = ranks;
  ring.tokens = 4 * ranks;
  ring.layers = 2;
  ring.causal = true;
  ring.layout = Layout::zigzag;
  ring.pair_s = 1.0371093;
  ring.token_s = token_s;
  ring.latency_s = 0.69171;
  ring.launch_s = 0.101337;
  ring.merge_bytes_per_s = 29.3719;
  ring.slowdown.assign(static_cast<std::size_t>(ranks), 1.0);
  ring.slowdown[1] = 1.3719;
  ring.hop_factor.assign(static_cast<std::size_t>(ranks), 1.0);
  ring.hop_factor[static_cast<std::size_t>(ranks) - 1] = 1.917731;
  return ring;
}

// Two heads, so that each can go another way.
RingSpec two_heads(const Ring& ring) {
  RingSpec spec = ring.spec();
  spec.shape.heads.query_heads = spec.shape.heads.kv_heads = 2;
  return spec;
}

// Hops of the second set take 2.3 times as long.
Machine machine_of_ring(const Ring& ring) {
  const Machine one_head = ring.machine();
  Machine machine = one_head;
  machine.costs = CostModel(one_head.costs.profile(), two_heads(ring).shape);
  std::vector<HopCost> second = machine.hops.of_ranks();
  for (HopCost& hop : second) hop.bandwidth = hop.bandwidth / 2.3117;
  machine.second_hops = second;
  Profile profile = machine.costs.profile();
  profile.memory_bandwidth = Calibrated<Bandwidth>{bytes_per_second(1.0371)};
  machine.dense = DenseCosts(profile, Gpu{});
  machine.sends = machine.hops.of_ranks();
  return machine;
}

/// Both engines' results; every hop over a link of its own.
Pair both_ways_of(const Program& program, const Machine& machine) {
  Pair pair;
  TotalsObserver totals(program);
  pair.recurrence.rings.push_back(RecurrenceEngine(program, machine).run(&totals));
  pair.recurrence.ranks.push_back(totals.summaries(pair.recurrence.rings.front()));
  OwnLinks own;
  FlowSetup setup;
  setup.program = &program;
  FlowRing ring;
  ring.machine = &machine;
  ring.routes = own.add(program.ring(), 1e9);
  ring.second_routes = own.add(program.ring(), 3e8);
  for (std::size_t role = 1; role < program.roles.size(); ++role) {
    ring.other_roles.push_back({own.add(program.ring(), 1e9), own.add(program.ring(), 1e9), {}});
  }
  setup.rings.push_back(ring);
  setup.links = own.links;
  pair.flow = run_forked(setup);
  return pair;
}

void expect_same(const Program& program, const Machine& machine, const std::string& name) {
  const Pair pair = both_ways_of(program, machine);
  ASSERT_EQ(pair.flow.kind, "fine") << name << ": " << pair.flow.what;
  EXPECT_LT(difference(pair.recurrence, pair.flow), same) << name;
}

TEST(FlowOperations, EveryExchangeIsTheSameRun) {
  for (const double token_s : {0.0517311, 3.0719913}) {
    for (const Exchange exchange :
         {Exchange::one_way, Exchange::both_ways, Exchange::two_level, Exchange::all_gather}) {
      for (const bool train : {false, true}) {
        const Ring ring = ring_of(6, token_s);
        RingSpec spec = two_heads(ring);
        spec.exchange = exchange;
        spec.inner = exchange == Exchange::two_level ? 3 : 1;
        expect_same(ring_program_of(spec, true, train), machine_of_ring(ring),
                    std::string(name_of(exchange)) + (train ? ", training" : ""));
      }
    }
  }
}

TEST(FlowOperations, PassQReturnsItsPartials) {
  const Ring ring = ring_of(4, 3.0719913);
  RingSpec spec = two_heads(ring);
  spec.shape.travels = Rotation::q;
  expect_same(ring_program_of(spec, true, false), machine_of_ring(ring), "pass-Q");
}

TEST(FlowOperations, TwoLevelsUnderAContestForSms) {
  // Two streams of transfers, each a kernel that a running attention kernel keeps from the SMs.
  Ring ring = ring_of(6, 1.3371);
  ring.contest = true;
  ring.event_latency_s = 0.29317;
  RingSpec spec = two_heads(ring);
  spec.exchange = Exchange::two_level;
  spec.inner = 3;
  expect_same(ring_program_of(spec, true, false), machine_of_ring(ring), "contest");
}

// Dense work, a collective at which the ring's ranks meet, and one of the tensor ranks, which a rank's block decides.
TEST(FlowOperations, DenseWorkAndCollectives) {
  Ring ring = ring_of(4, 0.7);
  ring.layout = Layout::contiguous;
  ring.tokens = 18;  // blocks of 5, 5, 4, 4
  ring.start_s = {3.1, 0, 0.7, 0};
  Program program = empty_ring_program(ring.spec());
  program.events = {"first"};
  program.dense = {{"dense", {Elementwise{"pass", {1, 0}, bytes(1.7), {}}}}};
  program.traffic = {{"gather", CollectiveKind::all_gather, Group::ring, bytes(2e10), {}},
                     {"reduce", CollectiveKind::all_reduce, Group::tensor, bytes(3e10), {}}};
  program.body = {{Repeat{Loop::layer,
                          0,
                          2,
                          false,
                          {{Dense{0, Pass::forward, {0}}},
                           {Collective{1, Pass::forward, {0}}},
                           {Record{1, {0, 0, 1}}},
                           {Collective{0, Pass::forward, {1}}},
                           {Wait{0, {0, 0, 1}}},
                           {Dense{0, Pass::forward, {0}}}}}}};
  Machine machine = machine_of_ring(ring);
  Parallel parallel;
  parallel.tensor = 2;
  parallel.ring = 4;
  machine.collectives = CollectiveCosts(parallel, shapes::dgx_h100(1), datasheet_profile(shapes::h100(), Dtype::bf16));
  expect_same(program, machine, "collectives");
}

// Two stages with a ring each, activations on a stream of their own and gradients back.
TEST(FlowOperations, StagesWaitForEachOther) {
  const Ring ring = ring_of(4, 1.3371);
  Program program = empty_ring_program(ring.spec());
  program.streams = {"compute 0", "transfer 0", "send 0", "compute 1", "transfer 1", "send 1"};
  program.roles = {"stage 0", "stage 1"};
  program.role_of_stream = {0, 0, 0, 1, 1, 1};
  program.computes = {true, false, false, true, false, false};
  program.events = {"done 0", "arrived 0", "sent 0", "done 1", "arrived 1", "sent 1"};
  program.tensors = {{"K/V", bytes(3.3)}};
  program.dense = {{"dense", {Elementwise{"pass", {1, 0}, bytes(1.7), {}}}}};
  const auto work = [&](StreamId compute, StreamId transfer, std::size_t done, std::size_t arrived) {
    return std::vector<Operation>{
        {Dense{compute, Pass::forward, {0}}}, {Record{compute, {done, 0, 1}}},
        {Wait{transfer, {done, 0, 1}}},       {Shift{transfer, Pass::forward, {{0, 0, {}, {}, Way::up}}}},
        {Record{transfer, {arrived, 0, 1}}},  {Wait{compute, {arrived, 0, 1}}},
        {Dense{compute, Pass::forward, {0}}}, {Record{compute, {done, 0, 1}}}};
  };
  const auto append = [&](const std::vector<Operation>& all) {
    for (const Operation& one : all) program.body.push_back(one);
  };
  // Two micro-batches of the first stage, then the second stage's, which start as the activations arrive; its gradients come back.
  for (int batch = 0; batch < 2; ++batch) {
    append(work(0, 1, 0, 1));
    append({{Wait{2, {0, 0, 1}}}, {Send{2, Pass::forward, "activations", 1, bytes(2.1)}}, {Record{2, {2, 0, 1}}}});
    append({{Wait{3, {2, 0, 1}}}});
    append(work(3, 4, 3, 4));
    append({{Wait{5, {3, 0, 1}}}, {Send{5, Pass::backward, "gradients", 0, bytes(1.1)}}, {Record{5, {5, 0, 1}}}});
  }
  append({{Wait{0, {5, 0, 1}}}, {Dense{0, Pass::backward, {0}}}});
  expect_same(program, machine_of_ring(ring), "stages");
}

TEST(FlowOperations, BothWaysShareAPortThatHasRoomForOne) {
  // Two hops of 10 s leave each rank through one link and enter its neighbours over links of their own: 20 s instead of 10. Four
  // ranks, one token each: a step's halves go both ways three times, kernels take 1 ms: 3 · 20 s and the last kernel.
  Ring ring;
  ring.ranks = ring.tokens = 4;
  ring.pair_s = 0.001;
  ring.token_s = 20;  // of a whole block; of each half 10
  RingSpec spec = two_heads(ring);
  spec.exchange = Exchange::both_ways;
  const Program program = ring_program_of(spec, true, false);
  Machine machine{CostModel(ring.machine().costs.profile(), spec.shape), ring.machine().hops, {}, {}, false, {}};
  std::vector<HopCost> hops = machine.hops.of_ranks();
  for (HopCost& hop : hops) hop.bandwidth = hop.bandwidth * 2.0;  // two heads
  machine.hops = hops;
  machine.second_hops = machine.hops;
  const double alone_s = RecurrenceEngine(program, machine).run().makespan_s;
  OwnLinks own;
  FlowSetup setup;
  setup.program = &program;
  FlowRing one;
  one.machine = &machine;
  one.routes = own.add(4, 5e8);
  one.second_routes = one.routes;
  setup.rings.push_back(one);
  setup.links = own.links;
  const Outcome outcome = run_forked(setup);
  ASSERT_EQ(outcome.kind, "fine") << outcome.what;
  EXPECT_NEAR(alone_s, 3 * 10, 0.1);
  EXPECT_NEAR(outcome.rings[0].makespan_s, 3 * 20, 0.1);
  EXPECT_EQ(outcome.messages, 2 * 3 * 4);
}

}  // namespace
}  // namespace ringsim::sim::flow_test
