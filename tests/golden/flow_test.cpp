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

// Hops pace all of these rings: a layer takes the hop and then the kernel of the last step, so that what hops take longer is
// what layers do. K and V of 512 tokens, 16 heads of 128 in bf16: 4.2 MB.
constexpr double block_bytes = 2.0 * 512 * 16 * 128 * 2;

double layer_s(const nlohmann::json& answer) {
  return answer["makespan_s"].get<double>() / answer["layers"].get<double>();
}

TEST(Flow, ATwoToOneOversubscribedSpineHalvesTheHopsThatCrossIt) {
  // Four nodes of one GPU, two below each leaf, one spine. Rings 0-2 and 1-3 cross it. A leaf has 20 GB/s to its nodes; at 1:1
  // as much to the spine, so that both flows of 10 GB/s fit; at 2:1 it has 10 GB/s for both.
  const auto spine = [](const char* oversubscription) {
    return two_rings({"cluster.nodes=4", "cluster.gpus_per_node=1",
                      std::string("cluster.fabric={kind: fat-tree, nodes_per_leaf: 2, spines: 1, oversubscription: ") +
                          oversubscription + "}",
                      "workload.batch=2", "parallel={ring: 2, data: 2, order: data-tensor-ulysses-ring-pipeline}"});
  };
  const auto fair = answer(spine("1"));
  const auto narrow = answer(spine("2"));
  EXPECT_EQ(fair["engine"], "recurrence");
  EXPECT_EQ(narrow["engine"], "flow");
  EXPECT_EQ(narrow["rings"]["kinds"][0]["hops"]["spine"], 2);
  EXPECT_NEAR(layer_s(narrow) - layer_s(fair), block_bytes / 10e9, 1e-12);
}

TEST(Flow, APcieBoxSharesUplinksAndTheLinkBetweenSockets) {
  // Eight GPUs in pairs below switches, two switches a socket: ports and uplinks 25 GB/s, 20 GB/s between the sockets.
  const auto box = [](const std::string& parallel, const std::string& batch, const std::string& more = "") {
    return two_rings({"cluster.nodes=1", "cluster.gpus_per_node=8", "cluster.intra_node.bandwidth=25 GB/s",
                      "cluster.node={kind: pcie, gpus_per_switch: 2, switches_per_socket: 2, uplink: 25 GB/s, "
                      "socket_link: 20 GB/s" +
                          more + "}",
                      "workload.batch=" + batch, "parallel=" + parallel});
  };
  const auto pair = answer(box("{ring: 2}", "1"));
  EXPECT_EQ(pair["engine"], "recurrence");
  EXPECT_EQ(pair["rings"]["kinds"][0]["hops"]["pix"], 2);
  const double kernel_s = layer_s(pair) - block_bytes / 25e9;
  // A pair beside a ring between the sockets: 25 and 20 GB/s, each undisturbed; the job ends with the slower one.
  const auto beside = answer(box("{ring: 2, data: 2, placement: {gpus: [0, 1, 2, 6]}}", "2"));
  EXPECT_EQ(beside["engine"], "recurrence");
  EXPECT_EQ(beside["rings"]["kinds"].size(), 2U);
  EXPECT_NEAR(layer_s(beside), block_bytes / 20e9 + kernel_s, 1e-12);
  // Four rings between the sockets: a quarter of 20 GB/s each.
  const auto four = answer(box("{ring: 2, data: 4, placement: {gpus: [0, 4, 1, 5, 2, 6, 3, 7]}}", "4"));
  EXPECT_EQ(four["engine"], "flow");
  EXPECT_NEAR(layer_s(four), block_bytes / 5e9 + kernel_s, 1e-12);
  // Without peer-to-peer both directions of a pair climb the one uplink of their switch: half each.
  const auto by_host = answer(box("{ring: 2}", "1", ", peer_to_peer: false"));
  EXPECT_EQ(by_host["engine"], "flow");
  EXPECT_NEAR(layer_s(by_host), block_bytes / 12.5e9 + kernel_s, 1e-12);
}

TEST(Flow, ATorusIsFastForNeighboursAndSharesLinksOtherwise) {
  // Four GPUs in a circle at 100 GB/s. Neighbours: a link a hop. In the order 0, 2, 1, 3 the hops 0 -> 2 and 1 -> 3 go two
  // links upwards (ties do) and share the one from 1 to 2; every rank has one of them, so each of three steps takes twice a hop.
  const auto torus = [](const std::string& more) {
    return two_rings({"cluster.nodes=1", "cluster.gpus_per_node=4", "cluster.fabric={kind: torus, dimensions: [4]}",
                      "workload.tokens=1024", "cluster.intra_node.bandwidth=1 GB/s", "parallel={ring: 4" + more + "}"});
  };
  const double hop_s = block_bytes / 2 / 1e9;  // of 256 tokens
  const auto near = answer(torus(""));
  EXPECT_EQ(near["engine"], "recurrence");
  EXPECT_EQ(near["rings"]["kinds"][0]["hops"]["torus"], 4);
  const double kernel_s = layer_s(near) - 3 * hop_s;
  const auto crossed = answer(torus(", placement: {gpus: [0, 2, 1, 3]}"));
  EXPECT_EQ(crossed["engine"], "flow");
  EXPECT_THAT(crossed["engine_note"].get<std::string>(), HasSubstr("2 flows meet on gpu1.x+"));
  EXPECT_NEAR(layer_s(crossed), 3 * 2 * hop_s + kernel_s, 1e-12);
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
  // Two rings of four over four nodes. GPU 0's hop to GPU 2 leaves node 0 over its NIC, and so does GPU 1's to GPU 3: both are
  // lost. Ranks 2 and 3 get their own hops of that step, then wait for their neighbours.
  const Outcome outcome = run(two_rings({"cluster.nodes=4", "parallel.ring=4", "workload.tokens=2048",
                                         "noise.failures=[{link: node0.nic0.out, at: 1 us}]"}));
  EXPECT_EQ(outcome.status, 7) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("link node0.nic0.out failed at 1 us"), HasSubstr("rank 0 to rank 1"),
                                 HasSubstr("1 more hop is lost on it"), HasSubstr("(rank 2) waits for GPU")));
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
      {two_rings({"cluster.inter_node.bandwidth=1e300 GB/s"}), "outside the range"},
      {two_rings({"cluster.inter_node.bandwidth=0 GB/s"}), "is zero"},
  };
  for (const auto& [arguments, what] : wrong) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(what));
  }
}

// The program without its workers beside it, which it finds by where it lies.
Outcome run_alone(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  Surroundings where;
  const std::string copy = (folder.path() / "ringsim").string();
  where.through = {"/bin/sh", "-c", "cp \"$0\" '" + copy + "' && exec '" + copy + "' \"$@\""};
  return run(arguments, where);
}

TEST(Flow, WithoutTheWorkerFixedSharesStandInWithAWarning) {
  const Outcome outcome = run_alone(two_rings({}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto alone = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_EQ(alone["engine"], "recurrence");
  EXPECT_THAT(alone["engine_note"].get<std::string>(), HasSubstr("SimGrid"));
  // Two rings in step share a NIC evenly all the time: here fixed shares come to the same.
  EXPECT_NEAR(alone["makespan_s"].get<double>(), answer(two_rings({}))["makespan_s"].get<double>(), 1e-12);
  bool warned = false;
  for (const auto& warning : alone["warnings"])
    warned = warned || warning.get<std::string>().find("equal share") != std::string::npos;
  EXPECT_TRUE(warned);
}

// Where nothing meets on a link, both engines run the same program and must say the same of it: schemes with hops both ways, on two
// transfer streams or with collectives, a whole forward pass, and a training step whose pipeline stages are roles.
TEST(Flow, EveryProgramIsTheSameRunAsByTheRecurrence) {
  const std::vector<std::vector<std::string>> programs = {
      {"ring.exchange=both-ways", "workload.phase=train"},
      {"ring.exchange=two-level", "parallel.ring=16", "workload.phase=train"},
      {"ring.travels=q"},
      {"parallel.ulysses=2"},
      {"workload.scope=model"},
      {"workload.scope=model", "workload.phase=train", "workload.batch=4", "parallel.pipeline=2"}};
  for (const std::vector<std::string>& sets : programs) {
    std::vector<std::string> arguments = {"run", "tests/golden/every-program.yaml", "--format", "json"};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    std::vector<std::string> by_flow = arguments;
    arguments.insert(arguments.end(), {"--engine", "recurrence"});
    by_flow.insert(by_flow.end(), {"--engine", "flow"});
    const auto a = answer(arguments);
    const auto b = answer(by_flow);
    ASSERT_EQ(b["engine"], "flow") << sets.front();
    const double makespan_s = a["makespan_s"];
    for (const char* figure : {"makespan_s", "compute_s", "exposed_communication_s", "bubble_s"}) {
      EXPECT_NEAR(a[figure].get<double>(), b[figure].get<double>(), 1e-9 * makespan_s) << sets.front() << " " << figure;
    }
  }
}

TEST(Flow, WithoutTheWorkerWhatOnlyItCanDoIsRefused) {
  const Outcome asked = run_alone(two_rings({}, {"--engine", "flow"}));
  EXPECT_EQ(asked.status, 5);
  EXPECT_THAT(asked.err, HasSubstr("libsimgrid-dev"));
  const Outcome needed = run_alone(two_rings({"noise.failures=[{gpu: 1, at: 1 us}]"}));
  EXPECT_EQ(needed.status, 3);
  EXPECT_THAT(needed.err, HasSubstr("libsimgrid-dev"));
}

TEST(Flow, APlatformWithoutARouteIsBadInput) {
  const Outcome outcome = run({"run", "tests/golden/bad/no-network.yaml"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("no link between nodes"));
}

}  // namespace
}  // namespace ringsim::golden
