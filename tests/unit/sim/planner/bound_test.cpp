// Bounds of plans that were above their time once: random tests found them.
#include "sim/planner/bound.hpp"

#include "models/job_network.hpp"
#include "scenarios/reader.hpp"
#include "sim/planner/evaluate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string_view>

namespace ringsim::sim {
namespace {

struct BoundAndTime {
  double bound_s = 0;
  double time_s = 0;
};

BoundAndTime of(std::string_view workload, std::string_view rest) {
  const Scenario s = scenarios::read_scenario_text(
      fmt::format("name: any\n"
                  "model: {{name: m, layers: 6, hidden: 512, heads: 16, kv_heads: 4, head_dim: 64, feed_forward: "
                  "{{intermediate: 2048}}, vocabulary: 32000}}\n"
                  "workload: {{{}, batch: 4, scope: attention}}\n{}\n",
                  workload, rest),
      "any.yaml");
  const JobNetwork network = job_network(s.parallel, s.cluster, s.noise, s.ring);
  return {PlanBound(s).placed(s, machine_of(s, network)).time_s, evaluate(s, network, false, 0).time_s};
}

// Beside attention a hop has 17 % of its rate by this profile, beside a merge all of it. A bound that counts merges as attention makes
// the hop wait for them.
TEST(PlanBound, AMergeLeavesAHopItsOwnShare) {
  const BoundAndTime found = of("phase: prefill, tokens: 3584, cached: 4096, causal: false",
                                "cluster: {use: a800-node-200g, nodes: 4, gpus_per_node: 4}\n"
                                "profile: a800-sxm\n"
                                "parallel: {ring: 4}\n"
                                "ring: {layout: contiguous, buffers: 2}");
  EXPECT_LE(found.bound_s, found.time_s);
  EXPECT_GT(found.bound_s, 0.7 * found.time_s);
}

// Forward the last rank has most to do, backward, where queries travel, the first: nobody is the slowest in both.
TEST(PlanBound, TheSlowestRankOfOnePassNeedNotBeThatOfAnother) {
  const BoundAndTime found = of("phase: train, tokens: 3840, causal: true",
                                "cluster: {use: dgx-h100, nodes: 4, gpus_per_node: 4}\n"
                                "profile: datasheet\n"
                                "parallel: {tensor: 2, ulysses: 2, ring: 2, order: ring-tensor-ulysses-pipeline-data}\n"
                                "ring: {layout: contiguous, backward: q, buffers: 2}");
  EXPECT_LE(found.bound_s, found.time_s);
  EXPECT_GT(found.bound_s, 0.9 * found.time_s);
}

}  // namespace
}  // namespace ringsim::sim
