#pragma once
// The figures of a point of a sweep: a prediction without what is only for reading, and without working out again what did not
// change since the point before.
//
//   kept while these parts of the scenario stay      what
//   cluster, parallel, ring, noise                   the job's network
//   the same, model, profile                         the machine; and of workload what decides bytes a token (RingShape)
//
// Every figure equals sim/predict.hpp's to the bit. Not given: B_min, intervals, stragglers' costs, traffic, texts.

#include "models/scenario.hpp"
#include "models/scenario_parts.hpp"
#include "sim/engine_choice.hpp"
#include "sim/prediction.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace ringsim::sim {

/// Names and units are those of Prediction.
struct Figures {
  EngineChoice engine = EngineChoice::recurrence;
  bool shared_links = false;  // some links have more flows than they can serve, and each is given a fixed equal share
  std::int64_t ranks = 0, idle_gpus = 0, tokens_per_rank = 0;
  double makespan_s = 0;
  bool makespan_is_bound = false;
  /// Of the slowest rank; absent where the makespan alone was asked for.
  std::optional<double> compute_s, exposed_communication_s, bubble_s, overlap;
  double ring_efficiency = 0, mfu = 0, hfu = 0;
  double tokens_per_s = 0, gpu_hours = 0;
  std::optional<double> cost, ttft_s, tpot_s, step_time_s;
  double memory_total_bytes = 0, memory_capacity_bytes = 0;
  std::optional<bool> memory_fits;  // absent: the scenario does not tell all terms
};

struct FiguresOptions {
  EngineChoice engine = EngineChoice::automatic;  // not flow
  std::uint64_t seed = 0;
  bool shares_of_time = true;  // false: the makespan alone, by the recurrence in less than half of the time
};

/// Predicts one scenario after the other. Not for several threads.
class FiguresOf {
 public:
  /// Throws Error for the flow engine, which runs a process for every point.
  explicit FiguresOf(const FiguresOptions& options);
  FiguresOf(const FiguresOf&) = delete;
  FiguresOf& operator=(const FiguresOf&) = delete;
  FiguresOf(FiguresOf&&) noexcept;
  FiguresOf& operator=(FiguresOf&&) noexcept;
  ~FiguresOf();

  /// `changed`: the parts in which the scenario may differ from the one before. Throws Error where it cannot be run; the next
  /// scenario may then still say what changed since this one.
  [[nodiscard]] Figures operator()(const Scenario& scenario, ScenarioParts changed);

 private:
  struct Kept;
  FiguresOptions options_;
  std::unique_ptr<Kept> kept_;
};

/// Of one scenario.
[[nodiscard]] Figures figures_of(const Scenario& scenario, const FiguresOptions& options);

}  // namespace ringsim::sim
