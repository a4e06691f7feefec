#include "sim/stragglers.hpp"

#include "sim/machine.hpp"

#include <cstddef>

namespace ringsim::sim {
namespace {

struct Outcome {
  double makespan_s = 0;
  double others_wait_s = 0;  // mean over the ranks but one
};

Outcome outcome_of(std::span<const PhaseProgram> phases, const Machine& machine, std::int64_t but) {
  const RunSummary run = run_phases(phases, machine, steady_lane).run;
  Outcome outcome{run.makespan_s, 0};
  // A straggler is slow in every stage.
  const std::int64_t ring = phases.front().program.ring();
  double others = 0;
  for (const RankSummary& rank : run.per_rank) {
    if (rank.rank % ring == but) continue;
    outcome.others_wait_s += rank.exposed_communication_s + rank.bubble_s;
    ++others;
  }
  if (others > 0) outcome.others_wait_s /= others;
  return outcome;
}

}  // namespace

std::vector<StragglerCost> straggler_costs(const Scenario& scenario, const PlacedRing& ring,
                                           std::span<const PhaseProgram> phases) {
  std::vector<StragglerCost> costs;
  if (scenario.noise.stragglers.empty()) return costs;
  const Machine with = machine_of(scenario, ring);
  for (std::size_t i = 0; i < scenario.noise.stragglers.size(); ++i) {
    const Straggler& straggler = scenario.noise.stragglers[i];
    Scenario other = scenario;
    other.noise.stragglers.erase(other.noise.stragglers.begin() + static_cast<std::ptrdiff_t>(i));
    const Outcome slow = outcome_of(phases, with, straggler.rank);
    const Outcome fair = outcome_of(phases, machine_of(other, ring), straggler.rank);
    costs.push_back({straggler.rank, straggler.slowdown, slow.makespan_s - fair.makespan_s,
                     slow.others_wait_s - fair.others_wait_s});
  }
  return costs;
}

}  // namespace ringsim::sim
