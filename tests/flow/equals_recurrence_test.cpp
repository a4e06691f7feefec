// Where no link is shared, the flow engine and the recurrence are two ways to one result: makespan, every rank's end, and all of
// every rank's figures. Times have no common measure, so that nothing is simultaneous by chance.
#include "scenarios/reader.hpp"
#include "sim/flow/job.hpp"
#include "sim/hop_use.hpp"
#include "tests/flow/forked.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace ringsim::sim::flow_test {
namespace {

using rings::Passes;
using rings::program_of;
using rings::Ring;

constexpr double same = 1e-12;  // of the makespan; the agreement between engines asks for 1e-9

// Compute-bound, or bound by hops; kernels, launches, merges and α all count.
Ring ring_of(std::int64_t ranks, bool transfer_bound) {
  Ring ring;
  ring.ranks = ranks;
  ring.tokens = 4 * ranks;
  ring.layers = 2;
  ring.pair_s = 1.0371093;
  ring.token_s = transfer_bound ? 3.0719913 : 0.0517311;
  ring.latency_s = 0.69171;
  ring.launch_s = 0.101337;
  ring.merge_bytes_per_s = 29.3719;
  return ring;
}

// A slow rank, a late one, and hops of three speeds with α in proportion.
void disturb(Ring& ring) {
  const auto n = static_cast<std::size_t>(ring.ranks);
  ring.slowdown.assign(n, 1.0);
  ring.slowdown[n / 2] = 1.3719;
  ring.start_s.assign(n, 0.0);
  ring.start_s[0] = 2.31773;
  ring.hop_factor.assign(n, 1.0);
  ring.hop_factor[n - 1] = 1.917731;
  if (n > 2) ring.hop_factor[1] = 0.71193;
}

void expect_same(const Ring& ring, Passes passes, const std::string& name) {
  const Program program = program_of(ring, passes);
  const Machine machine = ring.machine();
  const Pair pair = both(program, machine, 1e9);
  ASSERT_EQ(pair.flow.kind, "fine") << name << ": " << pair.flow.what;
  EXPECT_LT(difference(pair.recurrence, pair.flow), same) << name;
}

class Grid : public testing::TestWithParam<std::tuple<std::int64_t, Layout, std::int64_t, bool>> {};

TEST_P(Grid, AllFiguresOfAllRanks) {
  const auto [ranks, layout, buffers, contest] = GetParam();
  int number = 0;
  for (const bool causal : {false, true}) {
    for (const bool transfer_bound : {false, true}) {
      for (const auto& [passes, travels] :
           {std::pair(Passes::forward, Rotation::kv), std::pair(Passes::both, Rotation::kv),
            std::pair(Passes::both, Rotation::q)}) {
        Ring ring = ring_of(ranks, transfer_bound);
        ring.layout = layout;
        ring.causal = causal;
        ring.buffers = buffers;
        ring.backward_travels = travels;
        ring.contest = contest;
        ring.event_latency_s = contest ? 0.29317 : 0.0;
        if (number % 2 == 1) disturb(ring);
        if (number % 3 == 2) ring.issue_s = 0.73317;
        if (number % 3 == 1 && layout != Layout::zigzag) ring.tokens += ranks / 2;  // uneven shards
        expect_same(ring, passes, "case " + std::to_string(number));
        ++number;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Small, Grid,
                         testing::Combine(testing::Values(1, 2, 3, 4, 8),
                                          testing::Values(Layout::contiguous, Layout::striped, Layout::zigzag),
                                          testing::Values(2, 3), testing::Bool()));
INSTANTIATE_TEST_SUITE_P(Large, Grid,
                         testing::Combine(testing::Values(16, 64), testing::Values(Layout::contiguous, Layout::zigzag),
                                          testing::Values(2, 3), testing::Values(true)));

TEST(FlowEqualsRecurrence, InARingOf256) {
  for (const bool transfer_bound : {false, true}) {
    Ring ring = ring_of(256, transfer_bound);
    ring.causal = true;
    ring.layers = 1;
    disturb(ring);
    expect_same(ring, Passes::forward, transfer_bound ? "transfer-bound" : "compute-bound");
  }
}

TEST(FlowEqualsRecurrence, WithJitterOnKernelsAndHops) {
  // The same draws for the same operations, in whatever order the engines come to them.
  Ring ring = ring_of(16, false);
  ring.causal = true;
  ring.token_s = 1.31;
  const Jitter spread{Distribution::lognormal, 0.3};
  const JitterStream compute(spread, 7, compute_stream, 0, 0);
  const JitterStream links(spread, 7, link_stream, 0, 0);
  const Program program = program_of(ring, Passes::both);
  const Machine machine = ring.machine();
  const Pair pair = both(program, machine, 1e9, compute, links);
  ASSERT_EQ(pair.flow.kind, "fine") << pair.flow.what;
  EXPECT_LT(difference(pair.recurrence, pair.flow), same);
  // And they do make a difference.
  const Pair still = both(program, machine, 1e9);
  EXPECT_GT(std::abs(pair.flow.rings[0].makespan_s / still.flow.rings[0].makespan_s - 1.0), 1e-4);
}

TEST(FlowEqualsRecurrence, UnderSlidingWindowsThatLeaveRanksWithDifferentWork) {
  Ring ring = ring_of(32, false);
  RingSpec spec = ring.spec();
  spec.masks = {Mask{true, 19}, Mask{true, std::nullopt}};
  spec.mask_of_layer = {0, 1};
  const Program program = ring_program_of(spec, true, true);
  const Machine machine = ring.machine();
  const Pair pair = both(program, machine, 1e9);
  ASSERT_EQ(pair.flow.kind, "fine") << pair.flow.what;
  EXPECT_LT(difference(pair.recurrence, pair.flow), same);
}

TEST(FlowEqualsRecurrence, InEveryEventAndInItsOrder) {
  for (const bool contest : {false, true}) {
    Ring ring = ring_of(5, false);
    ring.causal = true;
    ring.contest = contest;
    ring.event_latency_s = contest ? 0.29317 : 0.0;
    disturb(ring);
    const Program program = program_of(ring, Passes::both);
    const Machine machine = ring.machine();
    const Json found = in_child([&]() -> Json {
      rings::Recorder expected;
      RecurrenceEngine(program, machine).run(&expected);
      rings::Recorder seen;
      OwnLinks own;
      FlowSetup setup;
      setup.program = &program;
      setup.rings.push_back({&machine, own.add(5, 1e9), {}, {}, {}, &seen});
      setup.links = own.links;
      (void)run_flow(setup);
      double most = 0;
      const auto compare = [&](const std::vector<double>& a, const std::vector<double>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
      };
      bool in_order =
          expected.computes.size() == seen.computes.size() && expected.transfers.size() == seen.transfers.size();
      for (std::size_t i = 0; in_order && i < seen.computes.size(); ++i) {
        const auto& a = expected.computes[i];
        const auto& b = seen.computes[i];
        in_order = a.attention == b.attention && a.accumulator == b.accumulator && a.pass == b.pass &&
                   a.layer == b.layer && a.step == b.step;
        compare(a.start, b.start);
        compare(a.end, b.end);
      }
      for (std::size_t i = 0; in_order && i < seen.transfers.size(); ++i) {
        const auto& a = expected.transfers[i];
        const auto& b = seen.transfers[i];
        in_order = a.pass == b.pass && a.layer == b.layer && a.step == b.step;
        compare(a.posted, b.posted);
        compare(a.hop_start, b.hop_start);
        compare(a.hop_end, b.hop_end);
        compare(a.done, b.done);
      }
      return {{"in_order", in_order}, {"most", most}, {"transfers", seen.transfers.size()}};
    });
    ASSERT_TRUE(found.contains("most")) << found;
    EXPECT_TRUE(found.at("in_order"));
    EXPECT_EQ(found.at("transfers"), 2 * (4 + 6));  // of two layers: N - 1 forward, N + 1 backward
    EXPECT_LT(found.at("most"), 1e-10);             // of a few hundred seconds
  }
}

TEST(FlowEqualsRecurrence, OnScenariosOfTheLibrary) {
  for (const std::string profile : {"datasheet", "h100-sxm"}) {
    for (const std::string phase : {"prefill", "train"}) {
      // One ring of eight ranks inside a node: no link has two hops.
      const Scenario scenario =
          scenarios::read_scenario_text("name: small\nmodel: llama3-8b\nworkload: {tokens: 64Ki, phase: " + phase +
                                            "}\ncluster: dgx-h100\nparallel: {ring: 8}\n"
                                            "profile: {use: " +
                                            profile + "}\n",
                                        "test.yaml");
      const Json found = in_child([&]() -> Json {
        const Program program = ring_program_of(scenario);
        const Machine machine = machine_of(scenario);
        TotalsObserver totals(8);
        HopUseObserver hops(program);
        Observers both({&totals, &hops});
        const RunResult result = RecurrenceEngine(program, machine).run(&both);
        const std::vector<RankSummary> expected = totals.summaries(result);
        const FlowOutcome outcome = run_flow_job({.scenario = &scenario});
        double most = std::abs(outcome.rings[0].result.makespan_s - result.makespan_s);
        for (std::size_t r = 0; r < 8; ++r) {
          const Json a = json_of(expected[r]);
          const Json b = json_of(outcome.rings[0].per_rank[r]);
          for (std::size_t i = 0; i < a.size(); ++i)
            most = std::max(most, std::abs(a[i].get<double>() - b[i].get<double>()));
        }
        bool same_bytes = true;
        const std::vector<HopTotals> used = hops.usage().first;
        for (std::size_t r = 0; r < 8; ++r) {
          const HopTotals& by_flow = outcome.rings[0].hops.first.at(r);
          same_bytes = same_bytes && used[r].bytes > 0 && by_flow.bytes == used[r].bytes;
          most = std::max(most, std::abs(by_flow.in_flight_s - used[r].in_flight_s));
        }
        return {{"off", most / result.makespan_s}, {"messages", outcome.messages}, {"same_bytes", same_bytes}};
      });
      ASSERT_TRUE(found.contains("off")) << found;
      EXPECT_LT(found.at("off"), 1e-12) << profile << " " << phase;
      EXPECT_TRUE(found.at("same_bytes"));
      // 8 hops in each of 7 shifts of 32 layers. Backward there are 9: K/V make 7 hops, dK/dV 8, and are a step apart.
      EXPECT_EQ(found.at("messages"), 32 * 8 * (phase == "train" ? 7 + 9 : 7));
    }
  }
}

}  // namespace
}  // namespace ringsim::sim::flow_test
