#pragma once
// A run in phases: programs one after the other, such as the chunks of a prefill, or steps of a decode that stand for many.
//
// A phase that continues starts on every rank where the one before ended there, so that ranks that are behind stay behind. What
// does not continue starts at once on all ranks. A phase may stand for several (`times`): all its times count so often.
//
//   makespan    of phases that continue each other: the last end of the last of them; of others the sum of times · makespan
//
// Every rank's compute, exposed communication and bubble are sums over the phases, and add up to the makespan.

#include "sim/hop_use.hpp"
#include "sim/machine.hpp"
#include "sim/phase_program.hpp"
#include "sim/recurrence/lanes.hpp"
#include "sim/summarize.hpp"
#include "sim/timeline.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ringsim::sim {

struct PhaseRun {
  RunSummary run;
  std::vector<TotalsObserver::Spent> collectives;  // over all phases
  std::vector<Timeline> timelines;                 // a window
  HopUsage hops;                                   // over all phases, where asked for
  RunEconomy economy;                              // over all phases
};

/// What is looked at beside the totals.
struct PhaseWatch {
  std::span<const TimelineWindow> windows{};
  bool hop_use = false;
  RunOptions how{};
};

/// Random times of a phase's lane: phases draw from streams of their own.
using LaneOf = std::function<Lane(const Machine& machine, std::size_t phase)>;
/// A lane without random times.
[[nodiscard]] inline Lane steady_lane(const Machine& machine, std::size_t) { return {&machine}; }

/// Those of ring `ring` of a job in a replica.
[[nodiscard]] LaneOf noisy_lanes(const Noise& noise, std::uint64_t seed, std::int64_t replica, std::int64_t ring);

/// The machine of one phase: with the costs of its shape, and ranks that are ready where it has them start, `before` being the result of
/// the phase before.
[[nodiscard]] Machine machine_of_phase(const Machine& machine, const PhaseProgram& phase, const RunResult& before);

/// Runs the phases of one ring by the recurrence. All programs must have the same ranks and roles.
[[nodiscard]] PhaseRun run_phases(std::span<const PhaseProgram> phases, const Machine& machine, const LaneOf& lane_of,
                                  const PhaseWatch& watch = {});
/// The makespan alone [s].
[[nodiscard]] double makespan_of_phases(std::span<const PhaseProgram> phases, const Machine& machine,
                                        const RunOptions& how = {});

}  // namespace ringsim::sim
