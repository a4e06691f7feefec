#pragma once
// From a scenario to a prediction: choose the engine, run the program, summarise.

#include "sim/bmin.hpp"
#include "sim/engine_choice.hpp"
#include "sim/flow/request.hpp"
#include "sim/prediction.hpp"
#include "sim/spans.hpp"
#include "sim/timeline.hpp"

namespace ringsim::sim {

struct PredictOptions {
  EngineChoice engine = EngineChoice::automatic;
  bool simulated_b_min = false;
  std::uint64_t seed = 0;
  std::int64_t replicas = 1;      // of random times; above 1 only where the scenario has some
  std::size_t threads = 1;        // that run replicas, and long rings of the interval; 0: one a core
  bool collect_timeline = false;  // not by the closed form
  TimelineWindow window;
  std::vector<TimelineWindow> windows;  // further ones, of the same run
  bool interval = true;                 // from the profile's uncertainty: many runs
  bool hop_use = false;                 // what every hop carries: some percent of a run
  bool in_full = false;                 // by the recurrence: every rank and every step, for comparison
  FlowRunner flow;                      // empty: the flow engine is not there
};

struct PredictResult {
  Prediction prediction;
  Timeline timeline;                // of PredictOptions::window
  std::vector<Timeline> timelines;  // a window of PredictOptions::windows
};

/// By the recurrence and without the interval: for those who predict many scenarios, or compare them. Throws as predict().
[[nodiscard]] Prediction predict_by_recurrence(const Scenario& scenario, std::uint64_t seed);

/// Throws Error where the scenario cannot be run.
[[nodiscard]] PredictResult predict(const Scenario& scenario, const PredictOptions& options);

}  // namespace ringsim::sim
