// The phase `backward`: the second half of `train` by itself.
#include "models/error.hpp"
#include "scenarios/reader.hpp"
#include "sim/predict.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ringsim::sim {
namespace {

Scenario ring_of_eight(const std::string& phase, const std::string& engine_profile = "datasheet") {
  return scenarios::read_scenario_text(
      "name: ring-of-eight\n"
      "model: {layers: 2, hidden: 4096, heads: 32, kv_heads: 8, head_dim: 128}\n"
      "workload: {tokens: 64Ki, causal: false, phase: " +
          phase +
          "}\n"
          "cluster: dgx-h100\n"
          "parallel: {ring: 8}\n"
          "profile: " +
          engine_profile + "\n",
      "test.yaml");
}

// Without a mask all ranks do the same and end a pass at the same time, so a training step is the forward pass and then the
// backward pass, each as if it were alone.
TEST(BackwardPhase, IsWhatATrainingStepHasBeyondTheForwardPass) {
  const auto makespan = [](const char* phase, EngineChoice engine) {
    PredictOptions how;
    how.engine = engine;
    return predict(ring_of_eight(phase), how).prediction.makespan_s;
  };
  for (const EngineChoice engine : {EngineChoice::recurrence, EngineChoice::closed_form}) {
    const double both = makespan("train", engine);
    EXPECT_NEAR(makespan("prefill", engine) + makespan("backward", engine), both, 1e-9 * both);
  }
}

// Five products instead of two: 2.5 times the FLOP that the hardware computes, of which the model needs four fifths.
TEST(BackwardPhase, CountsItsOwnWork) {
  const Prediction backward = predict(ring_of_eight("backward"), {}).prediction;
  EXPECT_NEAR(backward.mfu / backward.hfu, 0.8, 1e-9);
  EXPECT_TRUE(backward.backward_step_compute_s);
  const Prediction train = predict(ring_of_eight("train"), {}).prediction;
  EXPECT_EQ(in_bytes(backward.memory.total), in_bytes(train.memory.total));
}

TEST(BackwardPhase, IsOfAttentionAlone) {
  try {
    (void)scenarios::read_scenario_text(
        "name: whole-model\n"
        "model: llama3-8b\n"
        "workload: {tokens: 64Ki, phase: backward, scope: model}\n"
        "cluster: dgx-h100\n"
        "parallel: {ring: 8}\n",
        "test.yaml");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("backward"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace ringsim::sim
