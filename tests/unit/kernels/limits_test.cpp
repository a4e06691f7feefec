#include "kernels/host/limits.hpp"

#include "models/error.hpp"
#include "scenarios/reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringsim::host {
namespace {

Scenario read(const std::vector<std::string>& sets) {
  return scenarios::read_scenario(std::string(RINGSIM_SOURCE_DIR) + "/scenarios/studies/host-two-ranks-train.yaml",
                                  sets);
}

// The key that a refusal names; empty where the scenario can be executed.
std::string refused(const std::vector<std::string>& sets) {
  const Scenario scenario = read(sets);
  try {
    check_executable(scenario);
    return {};
  } catch (const Error& error) {
    return error.where();
  }
}

TEST(Limits, TheStudiesOfTheHostAndBothNumberFormatsRun) {
  EXPECT_EQ(refused({}), "");
  EXPECT_EQ(refused({"workload.dtype=fp64"}), "");  // its gradients become fp64 by themselves
}

// What would be executed otherwise than it is written is not executed: 16-bit formats, gradients that are narrower or
// wider than what they are added up in, other degrees than the ring's, noise.
TEST(Limits, WhatWouldNotRunAsWrittenIsRefusedByItsKey) {
  EXPECT_EQ(refused({"workload.dtype=bf16", "cluster=dgx-h100", "profile=datasheet"}), "workload.dtype");
  EXPECT_EQ(refused({"ring.gradient_dtype=bf16"}), "ring.gradient_dtype");
  EXPECT_EQ(refused({"ring.gradient_dtype=fp64"}), "ring.gradient_dtype");
  EXPECT_EQ(refused({"parallel.tensor=2", "cluster.gpus_per_node=4"}), "parallel.tensor");
  EXPECT_EQ(refused({"parallel.data=2", "workload.batch=2", "cluster.gpus_per_node=4"}), "parallel.data");
  EXPECT_EQ(refused({"noise={stragglers: [{rank: 1, slowdown: 2}]}"}), "noise.stragglers");
}

// A forward pass alone has no gradients whose format could matter.
TEST(Limits, GradientsMatterOnlyInTraining) {
  EXPECT_EQ(refused({"workload.phase=prefill", "ring.gradient_dtype=bf16"}), "");
}

}  // namespace
}  // namespace ringsim::host
