// What spans several parts of a scenario: each mistake is refused with its key and a way out.
#include "models/error.hpp"
#include "models/scenario.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

Scenario good() { return shapes::scenario(shapes::llama3_8b(), 8192, 8, Layout::zigzag); }

template <class Change>
std::string refused(Change change) {
  Scenario s = good();
  change(s);
  try {
    check(s);
  } catch (const Error& e) {
    EXPECT_FALSE(e.message().empty());
    EXPECT_FALSE(e.hint().empty()) << e.message();
    return e.where();
  }
  return "";
}

TEST(ScenarioCheck, AcceptsAGoodOne) {
  EXPECT_EQ(refused([](Scenario&) {}), "");
}

TEST(ScenarioCheck, RefusesDegreesThatDoNotFit) {
  EXPECT_EQ(refused([](Scenario& s) { s.parallel.ring = 0; }), "parallel.ring");
  EXPECT_EQ(refused([](Scenario& s) { s.parallel.data = -1; }), "parallel.data");
  EXPECT_EQ(refused([](Scenario& s) { s.parallel.ulysses = 3; }), "parallel.ulysses") << "3 does not divide 32 heads";
  EXPECT_EQ(refused([](Scenario& s) { s.parallel.pipeline = 2; }), "parallel.pipeline") << "of attention alone";
  EXPECT_EQ(refused([](Scenario& s) { s.parallel.tensor = 5; }), "parallel.tensor") << "5 does not divide 32 heads";
  EXPECT_EQ(refused([](Scenario& s) { s.parallel.tensor = 2; }), "parallel") << "16 GPUs, the cluster has 8";
  EXPECT_EQ(refused([](Scenario& s) {
              s.cluster = shapes::dgx_h100(3);
              s.parallel.data = 3;
            }),
            "parallel.data")
      << "a batch of 1 over 3";
}

TEST(ScenarioCheck, AcceptsTensorDegreesThatShareOrReplicateKeyHeads) {
  // 32 query and 8 key/value heads: up to 8 the ranks share them, 16 and 32 replicate them.
  for (const std::int64_t tensor : {1, 2, 4, 8, 16, 32}) {
    EXPECT_EQ(refused([&](Scenario& s) {
                s.parallel.tensor = tensor;
                s.cluster = shapes::dgx_h100(tensor);
              }),
              "")
        << tensor;
  }
  EXPECT_EQ(refused([](Scenario& s) {
              s.model.heads = 48;
              s.model.kv_heads = 8;
              s.parallel.tensor = 12;
              s.cluster = shapes::dgx_h100(12);
            }),
            "parallel.tensor")
      << "12 neither divides 8 nor is a multiple of it";
}

TEST(ScenarioCheck, RefusesAWorkloadThatTheRingCannotHold) {
  EXPECT_EQ(refused([](Scenario& s) { s.workload.batch = 0; }), "workload.batch");
  EXPECT_EQ(refused([](Scenario& s) { s.workload.tokens = 8200; }), "workload.tokens") << "no multiple of 16";
  EXPECT_EQ(refused([](Scenario& s) {
              s.ring.layout = Layout::striped;
              s.workload.tokens = 8200;
            }),
            "");
}

TEST(ScenarioCheck, RefusesWhatHasNoScheduleOrNoNumbers) {
  EXPECT_EQ(refused([](Scenario& s) { s.ring.buffers = 1; }), "ring.buffers");
  EXPECT_EQ(refused([](Scenario& s) { s.ring.buffers = 4; }), "ring.buffers");
  EXPECT_EQ(refused([](Scenario& s) {
              s.workload.dtype = Dtype::fp8;
              s.profile.calibrated = true;
            }),
            "workload.dtype");
}

TEST(ScenarioCheck, RefusesARingThatLeavesANodeWithoutALink) {
  EXPECT_EQ(refused([](Scenario& s) {
              s.cluster = shapes::dgx_h100(2);
              s.cluster.inter_node.reset();
              s.parallel.ring = 16;
            }),
            "cluster.inter_node");
  EXPECT_EQ(refused([](Scenario& s) { s.cluster.inter_node.reset(); }), "") << "a ring inside the node needs none";
}

TEST(ScenarioCheck, RefusesStragglersThatDoNotExist) {
  EXPECT_EQ(refused([](Scenario& s) { s.noise.stragglers = {{8, 1.2}}; }), "noise.stragglers");
  EXPECT_EQ(refused([](Scenario& s) { s.noise.stragglers = {{-1, 1.2}}; }), "noise.stragglers");
  EXPECT_EQ(refused([](Scenario& s) { s.noise.stragglers = {{0, 0.0}}; }), "noise.stragglers");
  EXPECT_EQ(refused([](Scenario& s) { s.noise.stragglers = {{7, 1.2}}; }), "");
}

}  // namespace
}  // namespace ringsim
