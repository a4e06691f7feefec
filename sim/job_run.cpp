#include "sim/job_run.hpp"

#include "sim/machine.hpp"
#include "sim/replicas.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

// With random times no two rings are alike: all of them run, then the one that ended last once more, observed.
JobRun run_with_noise(const Scenario& scenario, const JobNetwork& network, std::span<const PhaseProgram> phases,
                      const JobRunOptions& options) {
  const ReplicaOutcome outcome = run_replicas(scenario, network, phases, options.seed, 1, options.replica).front();
  const Machine machine = machine_of(scenario, network.rings[outcome.ring]);
  PhaseRun last =
      run_phases(phases, machine,
                 noisy_lanes(scenario.noise, options.seed, options.replica, static_cast<std::int64_t>(outcome.ring)),
                 {options.windows, options.hop_use, options.how});
  JobRun job;
  job.run = std::move(last.run);
  job.ring = outcome.ring;
  job.kind_ends_s.resize(network.kinds.size());
  job.kind_ends_s[network.kind_of_ring[job.ring]] = job.run.makespan_s;
  job.timelines = std::move(last.timelines);
  job.collectives = std::move(last.collectives);
  job.hops = std::move(last.hops);
  job.economy = std::move(last.economy);
  return job;
}

}  // namespace

JobRun run_by_recurrence(const Scenario& scenario, const JobNetwork& network, std::span<const PhaseProgram> phases,
                         const JobRunOptions& options) {
  if (scenario.noise.random()) return run_with_noise(scenario, network, phases, options);
  JobRun job;
  job.kind_ends_s.resize(network.kinds.size());
  // The kind that should be the slowest goes first and stays where others end with it.
  const std::size_t likely = network.kind_of_ring[network.slowest];
  std::vector<std::size_t> kinds = {likely};
  for (std::size_t kind = 0; kind < network.kinds.size(); ++kind) {
    if (kind != likely) kinds.push_back(kind);
  }
  for (const std::size_t kind : kinds) {
    const std::size_t ring = kind == likely ? network.slowest : network.kinds[kind];
    const Machine machine = machine_of(scenario, network.rings[ring]);
    PhaseRun one = run_phases(phases, machine, steady_lane, {options.windows, options.hop_use, options.how});
    job.kind_ends_s[kind] = one.run.makespan_s;
    if (kind != likely && one.run.makespan_s <= job.run.makespan_s) continue;
    job.run = std::move(one.run);
    job.timelines = std::move(one.timelines);
    job.collectives = std::move(one.collectives);
    job.hops = std::move(one.hops);
    job.economy = std::move(one.economy);
    job.ring = ring;
  }
  return job;
}

JobRun run_by_flow(const Scenario& scenario, const JobNetwork& network, const FlowRunner& runner,
                   const JobRunOptions& options) {
  FlowRequest request;
  request.scenario = &scenario;
  request.seed = options.seed;
  request.replica = options.replica;
  request.windows = options.windows;
  FlowOutcome outcome = runner(request);
  JobRun job;
  job.messages = outcome.messages;
  job.timelines = std::move(outcome.timelines);
  job.kind_ends_s.resize(network.kinds.size());
  job.ring = network.slowest;
  for (std::size_t ring = 0; ring < outcome.rings.size(); ++ring) {
    const double end_s = outcome.rings[ring].result.makespan_s;
    double& kind_s = job.kind_ends_s[network.kind_of_ring[ring]];
    kind_s = std::max(kind_s, end_s);
    if (end_s > outcome.rings[job.ring].result.makespan_s) job.ring = ring;
  }
  FlowRingOutcome& slowest = outcome.rings[job.ring];
  job.run = summarize(std::move(slowest.per_rank), slowest.result.makespan_s);
  if (options.hop_use) job.hops = std::move(slowest.hops);
  return job;
}

}  // namespace ringsim::sim
