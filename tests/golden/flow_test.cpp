// The flow engine as a user meets it: which engine runs, what shared links do, and how failures end.

#include "tests/golden/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/types.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Tensor 2, ring 2 over two nodes of two GPUs, blocks so small that hops pace the ring: 1,024 tokens of an ideal 100 TFLOP/s.
std::vector<std::string> two_rings(const std::vector<std::string>& sets, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"run", "tests/golden/two-rings.yaml", "--format", "json"};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

nlohmann::json answer(const std::vector<std::string>& arguments) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out, nullptr, false);
}

TEST(Flow, RingsThatMeetOnANicTakeHalfEach) {
  // A ring of two makes one hop a layer, 2 · 512 · 8 · 128 · 2 B = 2.1 MB a tensor rank at 10 GB/s; with one NIC a node both
  // rings share it, in both directions. Compute is 0.04 of that: the hop's time doubles and nothing else.
  const auto apart = answer(two_rings({"cluster.nics_per_node=2"}));
  const auto shared = answer(two_rings({"cluster.nics_per_node=1"}));
  EXPECT_EQ(apart["engine"], "recurrence");
  EXPECT_EQ(shared["engine"], "flow");
  const double hop_s = apart["steady_step"]["forward"]["hop_s"];
  const double layers = apart["layers"];
  EXPECT_NEAR(shared["makespan_s"].get<double>() - apart["makespan_s"].get<double>(), layers * hop_s,
              1e-9 * layers * hop_s);
  EXPECT_THAT(shared["engine_note"].get<std::string>(), HasSubstr("2 flows meet on node0.nic0.out"));
  ASSERT_EQ(shared["shared_links"].size(), 4U);
  EXPECT_EQ(shared["rings"]["count"], 2);
}

TEST(Flow, AgreesWithTheRecurrenceWhereNothingIsShared) {
  const auto a = answer(two_rings({"cluster.nics_per_node=2", "workload.phase=train"}, {"--engine", "recurrence"}));
  const auto b = answer(two_rings({"cluster.nics_per_node=2", "workload.phase=train"}, {"--engine", "flow"}));
  for (const char* key : {"makespan_s", "compute_s", "exposed_communication_s", "bubble_s"}) {
    EXPECT_NEAR(a[key].get<double>(), b[key].get<double>(), 1e-9 * a["makespan_s"].get<double>()) << key;
  }
  EXPECT_EQ(a["per_rank"].size(), b["per_rank"].size());
}

TEST(Flow, RandomTimesAreTheSameInBothEngines) {
  const std::vector<std::string> noise = {"cluster.nics_per_node=2",
                                          "noise={compute: {lognormal: 20%}, links: {pareto: 10%}}"};
  const auto a = answer(two_rings(noise, {"--seed", "7", "--engine", "recurrence"}));
  const auto b = answer(two_rings(noise, {"--seed", "7", "--engine", "flow"}));
  EXPECT_NEAR(a["makespan_s"].get<double>(), b["makespan_s"].get<double>(), 1e-9 * a["makespan_s"].get<double>());
  const auto other = answer(two_rings(noise, {"--seed", "8"}));
  EXPECT_NE(other["makespan_s"], a["makespan_s"]);
}

TEST(Flow, ReplicasGiveMediansAndTailsInBothEngines) {
  const std::vector<std::string> noise = {"cluster.nics_per_node=2", "noise.compute={lognormal: 20%}"};
  const auto a = answer(two_rings(noise, {"--replicas", "5"}));
  const auto b = answer(two_rings(noise, {"--replicas", "5", "--engine", "flow"}));
  ASSERT_EQ(a["replicas"]["count"], 5);
  EXPECT_EQ(a["replicas"]["shown"], b["replicas"]["shown"]);
  const auto makespan = a["replicas"]["figures"]["makespan_s"];
  EXPECT_EQ(makespan["median"], a["makespan_s"]) << "of an odd number the median is one of them, and shown";
  EXPECT_LE(makespan["median"].get<double>(), makespan["p95"].get<double>());
  EXPECT_LE(makespan["p95"].get<double>(), makespan["p99"].get<double>());
  EXPECT_GE(a["replicas"]["figures"]["tokens_per_s"]["median"].get<double>(),
            a["replicas"]["figures"]["tokens_per_s"]["p5"].get<double>());
  EXPECT_NEAR(makespan["p99"].get<double>(), b["replicas"]["figures"]["makespan_s"]["p99"].get<double>(), 1e-9);
  const Outcome pointless = run(two_rings({}, {"--replicas", "5"}));
  EXPECT_EQ(pointless.status, 3);
  EXPECT_THAT(pointless.err, HasSubstr("without random times"));
}

TEST(Flow, AFailedLinkEndsTheRunWith7AndSaysWhoWaits) {
  const Outcome outcome = run(two_rings({"noise.failures=[{link: node0.nic0.out, at: 1 us}]"}));
  EXPECT_EQ(outcome.status, 7) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("node0.nic0.out"), HasSubstr("failed"), HasSubstr("wait")));
}

TEST(Flow, AFailedGpuEndsTheRunWith7) {
  const Outcome outcome = run(two_rings({"noise.failures=[{gpu: 1, at: 1 us}]"}));
  EXPECT_EQ(outcome.status, 7) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("GPU 1"));
}

TEST(Flow, WhatTheEngineCannotRunIsBadInput) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> wrong = {
      {two_rings({"noise.failures=[{link: node0.nic0.out, at: 1 us}]"}, {"--engine", "recurrence"}), "noise.failures"},
      {two_rings({"noise.slow_links=[{link: node9.nic0.out, bandwidth: 50%}]"}), "node9.nic0.out"},
      {two_rings({"cluster.inter_node.bandwidth=1e300 GB/s"}), "too large"},
      {two_rings({"cluster.inter_node.bandwidth=0 GB/s"}), "too small"},
  };
  for (const auto& [arguments, what] : wrong) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(what));
  }
}

TEST(Flow, APlatformWithoutARouteIsBadInput) {
  const Outcome outcome = run({"run", "tests/golden/bad/no-network.yaml"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("no link between nodes"));
}

}  // namespace
}  // namespace ringsim::golden
