#pragma once
// What a plan comes to, as far as a search compares plans by it: the engine's makespan and what follows from it.
//
//   time     TTFT of a prefill, step time of training, time of a token of a decode step (the makespan divided by the output
//            tokens); under scope attention the makespan of the attention
//   cost     GPU-hours of the used GPUs · price an hour;  energy: models/spending.hpp
//
// By the recurrence: exact where no link has more flows than it can serve; elsewhere each flow has an equal share of it
// (`shares_links`).

#include "models/job_network.hpp"
#include "models/scenario.hpp"
#include "sim/machine.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ringsim::sim {

/// What a search makes small.
enum class Objective { time, gpus, cost, energy };
[[nodiscard]] std::string_view name_of(Objective objective);

/// What the time of a scenario is called: "TTFT", "step time", "TPOT", "attention time".
[[nodiscard]] std::string time_name(const Scenario& scenario);
/// The time of a makespan.
[[nodiscard]] double time_of(const Scenario& scenario, double makespan_s);
[[nodiscard]] double makespan_of(const Scenario& scenario, double time_s);

struct PlanTime {
  double time_s = 0;
  std::optional<double> energy_joules;  // where it was asked for
};

/// The makespan of all rings of the job, by the recurrence. `energy`: also what the GPUs take, from a run that is observed.
[[nodiscard]] PlanTime evaluate(const Scenario& scenario, const JobNetwork& network, bool energy, std::uint64_t seed);

/// Value of an objective; infinite where it is not known.
[[nodiscard]] double value_of(Objective objective, const Scenario& scenario, std::int64_t gpus, double time_s,
                              const std::optional<double>& energy_joules);

/// A value that no plan of so many GPUs with at least this time and computation is below.
[[nodiscard]] double least_value(Objective objective, const Scenario& scenario, std::int64_t gpus, double time_s,
                                 double compute_s);

/// Throws Error where the objective cannot be known: no price, no power, attention alone.
void check_objective(Objective objective, const Scenario& scenario);

}  // namespace ringsim::sim
