// Why a run takes as long as it does, over all scenarios that ship: schemes, whole models, training, chunks, decode, slow ranks.
#include "sim/critical/explain.hpp"

#include "models/job_network.hpp"
#include "sim/critical/cycle_ratio.hpp"
#include "sim/critical/what_if.hpp"
#include "sim/job_run.hpp"
#include "sim/schedules/model_program.hpp"
#include "tests/unit/studies/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace ringsim::sim {
namespace {

using studies::study;
using testing::HasSubstr;

// Small enough to be explained many times; the one that is left out has a hundred thousand operations a stage.
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(RINGSIM_SOURCE_DIR) / "scenarios/studies")) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() == ".yaml" && name != "llama3-405b-16k-gpus") all.push_back(name);
  }
  std::sort(all.begin(), all.end());
  return all;
}

double seconds_of(const Explanation& e, TimePart part) {
  double sum = 0;
  for (const TimeShare& s : e.shares) sum += s.part == part ? s.seconds : 0.0;
  return sum;
}

const Sensitivity& of(const Explanation& e, ParameterKind kind, bool inter_node = false) {
  const auto found = std::find_if(e.sensitivities.begin(), e.sensitivities.end(), [&](const Sensitivity& s) {
    return s.parameter.kind == kind && s.parameter.inter_node == inter_node;
  });
  if (found == e.sensitivities.end()) throw std::out_of_range("no such parameter");
  return *found;
}

class EveryStudy : public testing::TestWithParam<std::string> {};

// The makespan is that of `run`; the parts of the time add up to it, and so do the stretches of the path.
TEST_P(EveryStudy, IsExplainedToTheLastSecond) {
  const Scenario scenario = study(GetParam());
  const Explanation e = explain(scenario, {0, false});
  EXPECT_DOUBLE_EQ(e.makespan_s, e.prediction.makespan_s);
  double shares = 0;
  for (const TimeShare& s : e.shares) shares += s.seconds;
  EXPECT_NEAR(shares, e.makespan_s, 1e-9 * e.makespan_s);
  if (e.no_path.empty()) {
    EXPECT_NEAR(e.path.back().until_s, e.makespan_s, 1e-9 * e.makespan_s);
    for (std::size_t i = 1; i < e.path.size(); ++i) EXPECT_EQ(e.path[i].from_s, e.path[i - 1].until_s);
  }
  // Durations are sums of what the parameters decide: so are the derivatives of the path taken, between the one-sided ones.
  double slower = 0;
  double faster = 0;
  for (const Sensitivity& s : e.sensitivities) {
    if (!is_part_of_time(s.parameter)) continue;
    slower += s.slower;
    faster += s.faster;
    EXPECT_GE(s.slower, s.faster - 1e-9) << s.parameter.name;
  }
  EXPECT_GE(slower, 1 - 1e-6);
  EXPECT_LE(faster, 1 + 1e-6);
}

// Against runs with every parameter's cost one millionth larger and smaller. A contest for SMs is left out: there a little can change who
// is first.
TEST_P(EveryStudy, HasTheDerivativesOfItsRuns) {
  Scenario scenario = study(GetParam());
  scenario.profile.contest_for_multiprocessors = false;
  const Explanation e = explain(scenario, {0, false});
  const JobNetwork network = job_network(scenario.parallel, scenario.cluster, scenario.noise, scenario.ring);
  const std::vector<PhaseProgram> phases = programs_of(scenario);
  const JobRun job = run_by_recurrence(scenario, network, phases, {});
  const LaneOf lane_of = scenario.noise.random()
                             ? noisy_lanes(scenario.noise, 0, 0, static_cast<std::int64_t>(job.ring))
                             : LaneOf(steady_lane);
  const ExplainedRun run{scenario, network, job.ring, machine_of(scenario, network.rings[job.ring]), phases, lane_of};
  constexpr double little = 1e-6;
  for (const Sensitivity& s : e.sensitivities) {
    if (s.parameter.kind == ParameterKind::block) continue;
    const double above = (makespan_with(run, s.parameter, 1 + little) / e.makespan_s - 1) / little;
    const double below = (1 - makespan_with(run, s.parameter, 1 - little) / e.makespan_s) / little;
    EXPECT_NEAR(above, s.slower, 2e-5) << s.parameter.name;
    EXPECT_NEAR(below, s.faster, 2e-5) << s.parameter.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Studies, EveryStudy, testing::ValuesIn(names()), [](const auto& one) {
  std::string name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Two nodes of equal ranks without a mask, every rank as busy as every other: a little slower rank is the longest chain at once, a
// little faster one leaves all the others.
TEST(Explain, OneOfManyEqualRanksCostsWhenSlowerAndSavesNothingWhenFaster) {
  const Explanation e = explain(study("seed-h100-nvlink"), {0, false});
  const Sensitivity& rank = of(e, ParameterKind::rank);
  EXPECT_NEAR(rank.slower, seconds_of(e, TimePart::attention) / e.makespan_s, 0.02);
  EXPECT_EQ(rank.faster, 0.0);
}

// 16 ranks on two nodes, 8,192 tokens a rank, one layer without overheads (nccl issue 595): a step computes 1.692 ms and its hop of
// 33.55 MB takes 2.684 ms at 12.5 GB/s. 15 hops and the last computation are the path: 40.27 ms + 1.692 ms.
TEST(Explain, AShortBlockWaitsForTheNetwork) {
  const Explanation e = explain(study("cost-of-crossing-nodes"));
  EXPECT_NEAR(seconds_of(e, TimePart::transfer), 40.27e-3, 0.05e-3);
  EXPECT_NEAR(seconds_of(e, TimePart::attention), 1.692e-3, 0.01e-3);
  const Sensitivity& nic = of(e, ParameterKind::bandwidth, true);
  EXPECT_NEAR(nic.slower, 40.27 / 41.96, 0.001);
  // Twice the bandwidth takes 1.342 ms a hop: now the 16 computations are the path, 27.07 ms.
  EXPECT_NEAR(*nic.saved_by_double, 1 - 27.07 / 41.96, 0.001);
  EXPECT_THAT(e.advice, HasSubstr("bandwidth of ib-ndr decides 96.0 % of the time"));
}

// One rank of 8 is 1.2 times slower; 1 - 1/1.2 = 16.7 % of its kernels' time are its slowness, and computation is nearly all there is.
TEST(Explain, ASlowRankIsNamed) {
  const Explanation e = explain(study("llama3-70b-1m-h100", {"noise.stragglers=[{rank: 5, slowdown: 1.2}]"}));
  EXPECT_NEAR(seconds_of(e, TimePart::slow_ranks) / e.makespan_s, 1 - 1 / 1.2, 0.01);
  EXPECT_EQ(e.ranks.front().rank, 5);
  EXPECT_THAT(e.advice, HasSubstr("rank 5 alone costs"));
}

// Contiguous blocks under a causal mask: the last of 8 ranks computes 8 blocks less half of one, the mean rank half of that.
TEST(Explain, UnequalWorkIsNamed) {
  const Explanation e = explain(study("llama3-70b-1m-h100", {"ring.layout=contiguous"}), {0, false});
  EXPECT_NEAR(seconds_of(e, TimePart::imbalance) / e.makespan_s, 7.0 / 15.0, 0.02);
  EXPECT_THAT(e.advice, HasSubstr("ring.layout zigzag or striped"));
}

// By hand: two cycles that share a node. 0 -> 1 -> 0 has weights 3 + 4 over one token, 0 -> 2 -> 0 has 10 + 2 over two: 7 > 6.
TEST(CycleRatio, IsTheLargestMean) {
  const auto found = maximum_cycle_ratio(4, {{0, 1, 3, 0}, {1, 0, 4, 1}, {0, 2, 10, 1}, {2, 0, 2, 1}, {0, 3, 100, 0}});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->ratio, 7);
  EXPECT_THAT(found->arcs, testing::UnorderedElementsAre(0, 1));
}

TEST(CycleRatio, IsNothingWithoutACycleAndAMistakeWithoutTokens) {
  EXPECT_FALSE(maximum_cycle_ratio(3, {{0, 1, 3, 0}, {1, 2, 4, 1}}));
  EXPECT_THROW((void)maximum_cycle_ratio(2, {{0, 1, 3, 0}, {1, 0, 4, 0}}), std::logic_error);
}

}  // namespace
}  // namespace ringsim::sim
