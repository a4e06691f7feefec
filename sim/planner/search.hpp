#pragma once
// The search over plans: every plan of the space (space.hpp) is refused by a rule, too large for memory, shown to be of no use by
// a lower bound of its time (bound.hpp), equal to another one in its costs (placement_key.hpp), or predicted by the engine.
//
// Best: the plan with the least value of the objective; of equals the one with the least time, then the fewest GPUs, then
// the simplest (Simplicity). The list has one plan, the best, of each set of degrees.
// Front: plans within the limits than which none is both faster and smaller in GPUs. None of them is beaten in time and cost
// unless marked so, since cost = GPUs · time · price.
// A plan is left out by its bound only if it would miss the limit, or would neither enter the list nor the front.
//
// Plans are predicted in rounds of a fixed size, so that nothing depends on the number of threads.

#include "models/memory.hpp"
#include "sim/planner/evaluate.hpp"
#include "sim/planner/plan.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {

struct SearchOptions {
  Objective objective = Objective::time;
  std::optional<double> most_time_s;
  std::int64_t most_gpus = 0;  // 0: those of the cluster
  std::size_t top = 5;
  std::size_t threads = 0;  // 0: all cores
  std::uint64_t seed = 0;
  std::function<void(double done, const std::string& what)> progress;
};

/// A plan with what was predicted of it.
struct PlanFigures {
  Plan plan;
  double time_s = 0;
  double value = 0;                                                 // of the objective
  double compute_s = 0, exposed_communication_s = 0, bubble_s = 0;  // of the slowest rank
  double tokens_per_s = 0, mfu = 0, gpu_hours = 0;
  std::optional<double> cost, energy_joules;
  Memory memory;
  std::int64_t tokens_per_rank = 0;
  bool shares_links = false;    // flows share links, in fixed shares
  bool beaten_in_cost = false;  // of the front: another plan is faster and cheaper
  std::vector<std::string> settings;
};

struct SearchCounts {
  std::int64_t degree_sets = 0;          // of five degrees, and of expert degrees
  std::int64_t illegal_degree_sets = 0;  // of them; their plans are not counted below
  std::int64_t plans = 0;                // = illegal + too large + left out by bounds + placed alike + predicted
  std::int64_t illegal = 0;
  std::int64_t too_large = 0;
  std::int64_t bounded = 0;
  std::int64_t alike = 0;
  std::int64_t predicted = 0;
};

struct SearchResult {
  std::vector<std::int64_t> gpu_counts;
  SearchCounts counts;
  std::vector<PlanFigures> best;   // in order; empty: nothing is feasible
  std::vector<PlanFigures> front;  // by GPUs
  /// Where nothing fits in memory: the plan that lacks least. Where no plan fits and meets the limit: the fastest that fits.
  std::optional<PlanFigures> least_memory;
  std::optional<PlanFigures> fastest;
  std::optional<PlanFigures> own;  // the scenario's own plan; absent: it cannot be run
  std::optional<double>
      floor_gpus;  // that the work of the fastest plan would fill within the limit, at the rate of its kernels
};

/// Throws Error where the scenario leaves no plan to look at, or an objective cannot be known.
[[nodiscard]] SearchResult search(const Scenario& scenario, const SearchOptions& options);

/// Figures of one plan, by sim/predict.hpp. Throws Error where the plan is not legal.
[[nodiscard]] PlanFigures figures_of(const Scenario& scenario, const Plan& plan, Objective objective,
                                     std::uint64_t seed);

/// The scenario of a plan.
[[nodiscard]] Scenario with(const Plan& plan, const Scenario& scenario);

}  // namespace ringsim::sim
