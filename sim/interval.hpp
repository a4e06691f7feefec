#pragma once
// Between which makespans the profile's uncertainty leaves a prediction: first-order propagation of independent errors.
//
//   ΔM_i = M(value i moved by its uncertainty) - M          each value alone, slower and faster; all others as they are
//   high = M + sqrt(Σ ΔM_i²)  over the rises,    low = M - sqrt(Σ ΔM_i²)  over the falls, not below 0
//
// A value whose both moves lead to the same side (a contest for SMs is not monotone) counts there once, with its larger ΔM.
// (The delta method: JCGM 100:2008, "GUM", §5.1.2, with differences for derivatives as in note 2 of its §5.1.3.)
//
// Not covered: that errors of values fitted together go together (a rate and its half_depth, a latency and its efficiency);
// that the cost model itself has the wrong shape; what the engine leaves out, such as contention on wires; the scatter of
// runs; and effects of two values at once.
//
// Every ΔM is a run of the engine. Where the runs would be long, they are made with one layer of each mask and the changes
// counted by the number of its layers; the note says so.

#include "models/job_network.hpp"
#include "models/scenario.hpp"
#include "sim/phase_program.hpp"
#include "sim/prediction.hpp"
#include "sim/schedules/ring.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ringsim::sim {

struct MakespanInterval {
  double low_s = 0;
  double high_s = 0;
  std::vector<UncertaintyPart> parts;  // largest first; values that change nothing are left out
  std::string note;                    // how it was found
};

/// Rank-steps of all runs together from which on one layer of each mask stands for the others.
inline constexpr double interval_budget_rank_steps = 268435456.0;  // 2^28: about half a second

/// `makespan_s`: of the scenario as it is, by whichever engine; relative changes are the recurrence's, of the given ring under
/// fixed shares and without random times.
[[nodiscard]] MakespanInterval makespan_interval(const Scenario& scenario, const PlacedRing& ring, const RingSpec& spec,
                                                 bool backward, double makespan_s,
                                                 double budget = interval_budget_rank_steps,
                                                 const RunOptions& how = {});
/// Of a run in phases, all of which run once for every move; absent where that would take too long.
[[nodiscard]] std::optional<MakespanInterval> makespan_interval(const Scenario& scenario, const PlacedRing& ring,
                                                                std::span<const PhaseProgram> phases, double makespan_s,
                                                                double budget = interval_budget_rank_steps,
                                                                const RunOptions& how = {});

}  // namespace ringsim::sim
