#pragma once
// From a scenario to a prediction: choose the engine, run the program, summarise.

#include "sim/bmin.hpp"
#include "sim/prediction.hpp"
#include "sim/spans.hpp"
#include "sim/timeline.hpp"

namespace ringsim::sim {

enum class EngineChoice { automatic, closed_form, recurrence };

struct PredictOptions {
  EngineChoice engine = EngineChoice::automatic;
  bool simulated_b_min = false;
  std::uint64_t seed = 0;
  bool collect_timeline = false;  // recurrence only
  TimelineWindow window;
};

struct PredictResult {
  Prediction prediction;
  Timeline timeline;
};

/// Throws Error where the scenario cannot be run.
[[nodiscard]] PredictResult predict(const Scenario& scenario, const PredictOptions& options);

}  // namespace ringsim::sim
