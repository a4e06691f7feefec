#include "sim/stragglers.hpp"

#include "sim/machine.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/totals.hpp"

#include <cstddef>

namespace ringsim::sim {
namespace {

struct Outcome {
  double makespan_s = 0;
  double others_wait_s = 0;  // mean over the ranks but one
};

Outcome outcome_of(const Program& program, const Machine& machine, std::int64_t but) {
  TotalsObserver totals(program);
  const RunResult result = RecurrenceEngine(program, machine).run(&totals);
  Outcome outcome{result.makespan_s, 0};
  for (const RankSummary& rank : totals.summaries(result)) {
    if (rank.rank != but) outcome.others_wait_s += rank.exposed_communication_s + rank.bubble_s;
  }
  if (program.ring() > 1) outcome.others_wait_s /= static_cast<double>(program.ring() - 1);
  return outcome;
}

}  // namespace

std::vector<StragglerCost> straggler_costs(const Scenario& scenario, const PlacedRing& ring, const Program& program) {
  std::vector<StragglerCost> costs;
  if (scenario.noise.stragglers.empty()) return costs;
  const Machine with = machine_of(scenario, ring);
  for (std::size_t i = 0; i < scenario.noise.stragglers.size(); ++i) {
    const Straggler& straggler = scenario.noise.stragglers[i];
    Scenario other = scenario;
    other.noise.stragglers.erase(other.noise.stragglers.begin() + static_cast<std::ptrdiff_t>(i));
    const Outcome slow = outcome_of(program, with, straggler.rank);
    const Outcome fair = outcome_of(program, machine_of(other, ring), straggler.rank);
    costs.push_back({straggler.rank, straggler.slowdown, slow.makespan_s - fair.makespan_s,
                     slow.others_wait_s - fair.others_wait_s});
  }
  return costs;
}

}  // namespace ringsim::sim
