#include "sim/critical/what_if.hpp"

#include "sim/recurrence/engine.hpp"

#include <optional>

namespace ringsim::sim {

double makespan_with(const ExplainedRun& run, const Parameter& parameter, double factor) {
  const Scenario other = scaled(run.scenario, parameter, factor);
  // Latencies that the cluster itself states are known to the placement of its groups.
  std::optional<JobNetwork> again;
  if (other.cluster != run.scenario.cluster) {
    again = job_network(other.parallel, other.cluster, other.noise, other.ring);
  }
  const Machine machine = machine_of(other, (again ? *again : run.network).rings[run.ring]);
  double total_s = 0;
  RunResult result;
  for (std::size_t i = 0; i < run.phases.size(); ++i) {
    const PhaseProgram& phase = run.phases[i];
    const Machine ready = machine_of_phase(machine, phase, result);
    if (phase.continues) total_s -= result.makespan_s;
    result = RecurrenceEngine(phase.program, {run.lane_of(ready, i)}).run();
    total_s += phase.times * result.makespan_s;
  }
  return total_s;
}

}  // namespace ringsim::sim
