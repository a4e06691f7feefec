#include "kernels/gpu/limits.hpp"
#include "models/error.hpp"
#include "scenarios/reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringsim::cuda {
namespace {

// The key that a refusal names; empty where the scenario can be executed.
std::string refused(std::vector<std::string> sets) {
  sets.insert(sets.begin(), {"workload.scope=attention", "parallel={ring: 8}", "profile=datasheet"});
  const Scenario scenario =
      scenarios::read_scenario(std::string(RINGSIM_SOURCE_DIR) + "/scenarios/studies/llama3-70b-1m-h100.yaml", sets);
  try {
    check_executable(scenario);
    return {};
  } catch (const Error& error) {
    return error.where();
  }
}

TEST(GpuLimits, RingsOfBf16RunForwardAndBackwardInAllLayouts) {
  EXPECT_EQ(refused({}), "");
  EXPECT_EQ(refused({"workload.phase=train"}), "");
  EXPECT_EQ(refused({"workload.phase=train", "ring.gradient_dtype=bf16"}), "");
  EXPECT_EQ(refused({"ring.layout=striped", "ring.buffers=3", "ring.transfer=copy-engine"}), "");
}

// What would be executed otherwise than it is written is not executed.
TEST(GpuLimits, WhatWouldNotRunAsWrittenIsRefusedByItsKey) {
  EXPECT_EQ(refused({"workload.dtype=fp16"}), "workload.dtype");
  EXPECT_EQ(refused({"workload.phase=train", "ring.gradient_dtype=fp64"}), "ring.gradient_dtype");
  EXPECT_EQ(refused({"workload.phase=train", "ring.backward=q"}), "ring.backward");
  EXPECT_EQ(refused({"ring.travels=q"}), "ring.travels");
  EXPECT_EQ(refused({"ring.exchange=both-ways"}), "ring.exchange");
  EXPECT_EQ(refused({"workload.phase=backward"}), "workload.phase");
  EXPECT_EQ(refused({"parallel.tensor=2"}), "parallel.tensor");
  EXPECT_EQ(refused({"noise={stragglers: [{rank: 1, slowdown: 2}]}"}), "noise.stragglers");
  // 16-byte vectors hold 8 numbers of bf16.
  EXPECT_EQ(refused({"model={name: odd, layers: 1, hidden: 400, heads: 4, kv_heads: 4, head_dim: 100}"}),
            "model.head_dim");
}

}  // namespace
}  // namespace ringsim::cuda
