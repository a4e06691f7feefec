// Which engine runs what, and what is said about it.
#include "sim/engine_choice.hpp"

#include "models/error.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ringsim::sim {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

EngineDecision choose(const Scenario& s, EngineChoice asked = EngineChoice::automatic, bool flow = true) {
  const JobNetwork network = job_network(s.parallel, s.cluster, s.noise);
  return choose_engine(asked, s, network, machine_of(s, network), flow);
}

// Where the Error says that it belongs; empty where the engine runs.
std::string refused(const Scenario& s, EngineChoice asked, bool flow = true) {
  try {
    static_cast<void>(choose(s, asked, flow));
    return {};
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty());
    return error.where();
  }
}

// Tensor 2, ring 2 over two nodes of two GPUs: with two NICs a node nothing is shared, with one both rings meet on it.
Scenario two_rings(std::int64_t nics) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 8192, 2, Layout::zigzag);
  s.cluster = shapes::dgx_h100(2);
  s.cluster.gpus_per_node = 2;
  s.cluster.nics_per_node = nics;
  s.parallel.tensor = 2;
  return s;
}

TEST(EngineChoice, TakesTheRecurrenceWhereNoLinkIsShared) {
  const EngineDecision decision = choose(two_rings(2));
  EXPECT_EQ(decision.engine, EngineChoice::recurrence);
  EXPECT_THAT(decision.note, HasSubstr("exact here: no link has more flows than it can serve"));
  EXPECT_THAT(decision.warning, IsEmpty());
}

TEST(EngineChoice, TakesTheFlowEngineWhereRingsMeetAndSaysWhere) {
  const EngineDecision decision = choose(two_rings(1));
  EXPECT_EQ(decision.engine, EngineChoice::flow);
  // Two flows of 50 GB/s on a NIC of 50 GB/s, out of and in to both nodes: four links.
  EXPECT_THAT(decision.note, HasSubstr("2 flows meet on node0.nic0.out (3 more links are shared), with 2 times"));
}

TEST(EngineChoice, WithoutSimGridSharesAreFixedAndThatIsAWarning) {
  const EngineDecision decision = choose(two_rings(1), EngineChoice::automatic, false);
  EXPECT_EQ(decision.engine, EngineChoice::recurrence);
  EXPECT_THAT(decision.note, HasSubstr("not built in"));
  EXPECT_THAT(decision.warning, HasSubstr("an equal share of a link all the time"));
}

TEST(EngineChoice, WhatIsAskedForIsTakenAndJudged) {
  EXPECT_THAT(choose(two_rings(2), EngineChoice::recurrence).note, HasSubstr("exact here"));
  EXPECT_THAT(choose(two_rings(1), EngineChoice::recurrence).note, HasSubstr("though not exact: 2 flows meet"));
  EXPECT_EQ(choose(two_rings(2), EngineChoice::flow).engine, EngineChoice::flow);
  EXPECT_EQ(choose(two_rings(1), EngineChoice::closed_form).engine, EngineChoice::closed_form);
}

TEST(EngineChoice, WhatHappensAtATimeOfItsOwnIsTheFlowEnginesAlone) {
  Scenario s = two_rings(2);
  s.noise.failures.push_back({"node0.nic0.out", {}, seconds(1)});
  EXPECT_EQ(choose(s).engine, EngineChoice::flow);
  EXPECT_EQ(refused(s, EngineChoice::recurrence), "noise.failures");
  EXPECT_EQ(refused(s, EngineChoice::closed_form), "noise.failures");
  EXPECT_EQ(refused(s, EngineChoice::automatic, false), "noise.failures");
  s.noise.failures.clear();
  s.noise.slow_links.push_back({"node0.nic0.out", 0.5, seconds(1)});
  EXPECT_EQ(choose(s).engine, EngineChoice::flow);
  EXPECT_EQ(refused(s, EngineChoice::recurrence), "noise.slow_links");
  s.noise.slow_links[0].from = Duration{};
  EXPECT_EQ(choose(s).engine, EngineChoice::recurrence) << "slow all the time is a slow hop";
}

TEST(EngineChoice, InterferenceIsTheRecurrencesAlone) {
  Scenario s = two_rings(1);
  s.profile.sm_kernel = Interference{{0.5}, {0.6}};
  EXPECT_EQ(choose(s).engine, EngineChoice::recurrence);
  EXPECT_THAT(choose(s).note, HasSubstr("knows no interference"));
  EXPECT_EQ(refused(s, EngineChoice::flow), "profile.interference");
}

TEST(EngineChoice, AClosedFormHasNoRandomTimes) {
  Scenario s = two_rings(2);
  s.noise.compute = {Distribution::lognormal, 0.02, 3};
  EXPECT_EQ(refused(s, EngineChoice::closed_form), "noise.compute");
  EXPECT_EQ(choose(s).engine, EngineChoice::recurrence);
}

}  // namespace
}  // namespace ringsim::sim
