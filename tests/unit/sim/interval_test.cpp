// The interval of a makespan: each value of the profile alone, combined as independent errors are.
#include "sim/interval.hpp"

#include "models/profile_parameters.hpp"
#include "sim/predict.hpp"
#include "sim/recurrence/engine.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ringsim::sim {
namespace {

using testing::HasSubstr;
using testing::Not;

// 100 TFLOP/s and a launch of 1 ms; nothing is uncertain yet, merging is free.
Scenario calibrated(std::int64_t ring) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 8192, ring, Layout::zigzag);
  s.workload.causal = false;
  s.profile = Profile{};
  s.profile.name = "mine";
  s.profile.calibrated = true;
  s.profile.forward.saturated.value = s.profile.backward.saturated.value = teraflop_per_second(100);
  s.profile.launch.value = seconds(1e-3);
  s.profile.links["nvlink4"] = {{microseconds(10)}, {1.0}, {}, {}};
  return s;
}

MakespanInterval interval_of(const Scenario& s, double budget = interval_budget_rank_steps) {
  const bool backward = s.workload.phase == Phase::train;
  const Machine machine = machine_of(s);
  const Program program = ring_program_of(s);
  const JobNetwork network = job_network(s.parallel, s.cluster);
  return makespan_interval(s, network.rings[network.slowest], ring_spec(s), backward,
                           RecurrenceEngine(program, machine).run().makespan_s, budget);
}

TEST(Interval, CombinesIndependentErrorsAsTheRootOfTheSumOfSquares) {
  // One rank, 32 layers: 32 launches of 1 ms and 32 kernels at the rate. A rate that is 10 % off moves the kernels by a
  // tenth, a launch that is 50 % off moves the launches by half.
  Scenario s = calibrated(1);
  s.profile.forward.saturated.relative_uncertainty = 0.1;
  s.profile.launch.relative_uncertainty = 0.5;
  const Prediction p = predict(s, {}).prediction;
  const double launches = 32e-3;
  const double kernels = p.makespan_s - launches;
  const double off = std::hypot(0.1 * kernels, 0.5 * launches);
  EXPECT_NEAR(p.makespan_low_s.value(), p.makespan_s - off, 1e-12);
  EXPECT_NEAR(p.makespan_high_s.value(), p.makespan_s + off, 1e-12);
  ASSERT_EQ(p.uncertainty_parts.size(), 2U);
  EXPECT_EQ(p.uncertainty_parts[0].name, 0.1 * kernels > 0.5 * launches ? "forward.saturated" : "launch");
  EXPECT_THAT(p.uncertainty_note, HasSubstr("2 independent errors"));
}

TEST(Interval, LeavesOutWhatDoesNotRun) {
  // One rank: nothing travels or merges. Prefill: no backward pass. No contest: no event.
  Scenario s = calibrated(1);
  s.profile.backward.saturated.relative_uncertainty = 0.2;
  s.profile.merge_traffic = {1.0, 0.5, Origin::assumed, ""};
  s.profile.merge_bandwidth = {gigabytes_per_second(1000), 0.5, Origin::assumed, ""};
  s.profile.event_latency = {microseconds(5), 0.5, Origin::assumed, ""};
  s.profile.links["nvlink4"].latency.relative_uncertainty = 0.5;
  s.profile.copy_engine = Interference{{0.5, 0.1, Origin::assumed, ""}, {0.5, 0.1, Origin::assumed, ""}};
  const MakespanInterval i = interval_of(s);
  EXPECT_EQ(i.low_s, i.high_s);
  EXPECT_TRUE(i.parts.empty());
}

TEST(Interval, AHopThatHidesAddsNothingUntilItsErrorShowsIt) {
  // Four ranks, blocks of 2,048: a kernel takes 1 ms and 4·2048²·32·128 FLOP / 100 TFLOP/s = 0.687 ms, a hop 33.6 MB at
  // 450 GB/s, 75 µs. 50 % more stay hidden, twenty times as much would not.
  Scenario s = calibrated(4);
  s.profile.links["nvlink4"].efficiency.relative_uncertainty = 0.5;
  EXPECT_TRUE(interval_of(s).parts.empty());
  s.profile.links["nvlink4"].efficiency = {0.02, 0.5, Origin::assumed, ""};  // 3.7 ms: exposed now
  const MakespanInterval i = interval_of(s);
  ASSERT_EQ(i.parts.size(), 1U);
  EXPECT_EQ(i.parts[0].name, "links.nvlink4.efficiency");
  EXPECT_GT(i.parts[0].rise_s, 0.0);
  EXPECT_GT(i.parts[0].fall_s, 0.0);
}

TEST(Interval, ALatencyGivenByTheScenarioIsNotTheProfiles) {
  Scenario s = calibrated(4);
  s.profile.links["nvlink4"].latency = {seconds(1), 0.5, Origin::assumed, ""};
  EXPECT_EQ(interval_of(s).parts.size(), 1U);
  s.cluster.intra_node.latency = seconds(1);
  EXPECT_TRUE(interval_of(s).parts.empty());
}

TEST(Interval, OneLayerOfEachMaskStandsForAllWhereRunsAreLong) {
  Scenario s = calibrated(4);
  s.workload.phase = Phase::train;
  s.profile.forward.saturated.relative_uncertainty = 0.1;
  s.profile.backward.saturated.relative_uncertainty = 0.05;
  s.profile.launch.relative_uncertainty = 0.5;
  const auto expect_close = [&](double share_of_width) {
    const MakespanInterval all = interval_of(s);
    const MakespanInterval reduced = interval_of(s, 0.0);
    EXPECT_THAT(all.note, Not(HasSubstr("one layer")));
    EXPECT_THAT(reduced.note, HasSubstr("one layer of each mask"));
    const double width = all.high_s - all.low_s;
    EXPECT_GT(width, 0.01 * all.low_s);
    EXPECT_NEAR(reduced.low_s, all.low_s, share_of_width * width);
    EXPECT_NEAR(reduced.high_s, all.high_s, share_of_width * width);
  };
  // Ranks that all do the same start every layer together: one moves as much in proportion as all of them.
  expect_close(1e-9);
  // A window leaves the ranks of a causal ring different ends, so that layers overlap a little.
  s.workload.causal = true;
  s.model.sliding_window = 1024;
  s.model.sliding_layer.assign(32, false);
  for (std::size_t layer = 0; layer < 32; layer += 3) s.model.sliding_layer[layer] = true;
  expect_close(0.02);
}

// Under a contest for SMs steps of kernel and hop alternate between their sum and their maximum as long as the hop is the
// shorter of the two. Where it is so by a little only, a slower hop ends that and shortens the run, and a faster one is
// faster: the value then counts once, with the larger of the two.
TEST(Interval, AValueWhoseMovesGoTheSameWayCountsItsLargerThere) {
  int same_side = 0;
  for (int i = 0; i < 60; ++i) {
    Scenario s = calibrated(4);
    s.ring.transfer = TransferEngine::sm_kernel;
    s.profile.contest_for_multiprocessors = true;
    s.profile.event_latency.value = microseconds(5);
    s.profile.launch.value = microseconds(5 + i);
    s.profile.links["nvlink4"].efficiency = {0.105 + 0.0005 * i, 0.1, Origin::assumed, ""};
    const double nominal = predict(s, {}).prediction.makespan_s;
    const ProfileParameter efficiency = uncertain_parameters(s.profile).at(0);
    const auto change = [&](int direction) {
      Scenario other = s;
      other.profile = moved(s.profile, efficiency, direction);
      return predict(other, {}).prediction.makespan_s - nominal;
    };
    const double slower = change(+1);
    const double faster = change(-1);
    const MakespanInterval found = interval_of(s);
    EXPECT_NEAR(found.high_s, nominal + std::max({0.0, slower, faster}), 1e-12 * nominal);
    EXPECT_NEAR(found.low_s, nominal + std::min({0.0, slower, faster}), 1e-12 * nominal);
    same_side += slower * faster > 0 ? 1 : 0;
  }
  EXPECT_GT(same_side, 0) << "so that the case is met";
}

TEST(Interval, IsNotBelowZero) {
  // Traffic and rate of a merge that dominates may each be off by 90 %: together that would be more than all of it.
  Scenario s = calibrated(2);
  s.profile.launch.value = {};
  s.profile.merge_traffic = {1000.0, 0.9, Origin::assumed, ""};
  s.profile.merge_bandwidth = {gigabytes_per_second(1), 0.9, Origin::assumed, ""};
  const MakespanInterval i = interval_of(s);
  EXPECT_EQ(i.low_s, 0.0);
}

}  // namespace
}  // namespace ringsim::sim
