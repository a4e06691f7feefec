#include "sim/predict.hpp"

#include "models/ring_shape.hpp"
#include "models/step_times.hpp"
#include "sim/bottleneck.hpp"
#include "sim/engine_choice.hpp"
#include "sim/hop_use.hpp"
#include "sim/interval.hpp"
#include "sim/job_run.hpp"
#include "sim/model_bottleneck.hpp"
#include "sim/model_rates.hpp"
#include "sim/outcome.hpp"
#include "sim/planning.hpp"
#include "sim/replica_summary.hpp"
#include "sim/replicas.hpp"
#include "sim/schedules/model_program.hpp"
#include "sim/stragglers.hpp"
#include "sim/totals.hpp"
#include "sim/traffic.hpp"
#include "sim/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace ringsim::sim {
namespace {

void describe(const Scenario& s, Prediction& p) {
  p.scenario_name = s.name;
  p.scenario_hash = s.hash;
  p.profile_name = s.profile.name;
  p.profile_calibrated = s.profile.calibrated;
  p.scope = name_of(s.workload.scope);
  p.no_b_min = why_no_b_min(s);
  p.phase = name_of(s.workload.phase);
  count_ranks(s, p);
  p.layout = name_of(s.ring.layout);
  p.travels = name_of(s.ring.travels);
  p.backward_travels = name_of(s.ring.backward);
  p.transfer = name_of(s.ring.transfer);
  p.buffers = s.ring.buffers;
}

// The largest compute of a steady step over ranks, and the slowest hop of a steady shift.
std::pair<double, double> steady_costs(const RingSpec& spec, const Machine& machine, Pass pass) {
  const bool queries_travel = pass == Pass::backward && spec.shape.backward == Rotation::q;
  const std::int64_t step = std::min<std::int64_t>(1, spec.shards.ring() - 1);
  // Full layers where there are any: they are what a ring is for.
  const auto full = std::find_if(spec.masks.begin(), spec.masks.end(), [](const Mask& m) { return !m.window; });
  const Mask& mask = full != spec.masks.end() ? *full : spec.masks.front();
  Duration compute;
  for (const WorkSegment& s : spec.shards.step_work(step, queries_travel, mask)) {
    compute = std::max(compute, step_times(machine.costs, pass, shape_of(s.work), step == 0).all());
  }
  if (machine.hops.empty()) return {in_seconds(compute), 0.0};
  const Bytes size = steady_bytes_per_token(spec.shape, pass) * static_cast<double>(spec.shards.largest_block());
  return {in_seconds(compute), in_seconds(CostModel::hop(machine.hops[slowest_hop(machine.hops, size)], size))};
}

void take(JobRun&& job, const JobNetwork& network, Prediction& p) {
  take_times(job.run, p);
  p.per_rank = std::move(job.run.per_rank);
  p.messages = job.messages;
  for (std::size_t kind = 0; kind < network.kinds.size(); ++kind) p.ring_kinds[kind].makespan_s = job.kind_ends_s[kind];
}

// What engines that follow every hop say of them.
void hop_use(const JobRun& job, std::span<const PhaseProgram> phases, const Machine& machine, Prediction& p) {
  p.hop_use = hop_use_of(job.hops, phases.front().program, machine, job.run.makespan_s);
  if (p.hop_use.empty()) p.no_hop_use = "nothing goes from rank to rank";
}

void describe(const JobNetwork& network, Prediction& p) {
  p.rings = static_cast<std::int64_t>(network.rings.size());
  for (const std::size_t first : network.kinds) {
    const PlacedRing& ring = network.rings[first];
    p.ring_kinds.push_back({0, ring.tensor, ring.data, hops_by_reach(ring), 0.0});
  }
  for (const std::size_t kind : network.kind_of_ring) ++p.ring_kinds[kind].rings;
  for (const ContendedLink& link : network.contended) {
    const NetworkLink wire = network.links[link.link];
    p.shared_links.push_back(
        {wire.name, link.flows, in_bytes_per_second(wire.bandwidth), in_bytes_per_second(link.demand)});
  }
  std::stable_sort(p.shared_links.begin(), p.shared_links.end(), [](const SharedLinkUse& a, const SharedLinkUse& b) {
    return a.demand_bytes_per_s / a.bandwidth_bytes_per_s > b.demand_bytes_per_s / b.bandwidth_bytes_per_s;
  });
}

void hops(const Machine& machine, const RingSpec& spec, Prediction& p) {
  for (const std::uint32_t kind : machine.hops.kind_of()) {
    ++(machine.hops.kinds()[kind].inter_node ? p.inter_hops : p.intra_hops);
  }
  if (machine.hops.empty()) return;
  const Bytes size = spec.shape.kv_per_token() * static_cast<double>(p.tokens_per_rank);
  const std::size_t slowest = slowest_hop(machine.hops, size);
  const HopCost& hop = machine.hops[slowest];
  const auto from = static_cast<std::int64_t>(slowest);
  p.deciding_hop = DecidingHop{from,
                               (from + 1) % p.ring_size,
                               hop.inter_node,
                               hop.link_class,
                               in_bytes_per_second(CostModel::reached_bandwidth(hop, size)),
                               in_bytes_per_second(hop.nominal),
                               in_seconds(hop.latency)};
}

void interval(const Scenario& s, const PlacedRing& ring, const RingSpec& spec, std::span<const PhaseProgram> phases,
              Prediction& p) {
  if (!s.profile.calibrated) return;
  std::optional<MakespanInterval> found;
  if (p.no_b_min.empty() && runs_forward(s.workload.phase)) {
    found = makespan_interval(s, ring, spec, runs_backward(s.workload.phase), p.makespan_s);
  } else {
    found = makespan_interval(s, ring, phases, p.makespan_s);
  }
  if (!found) return;
  p.makespan_low_s = found->low_s;
  p.makespan_high_s = found->high_s;
  p.uncertainty_parts = std::move(found->parts);
  p.uncertainty_note = std::move(found->note);
}

// Steps of a ring and B_min, where there are any.
void ring_answers(const Scenario& s, const RingSpec& spec, const Machine& machine, bool simulated, Prediction& p) {
  if (!p.no_b_min.empty()) return;
  std::tie(p.step_compute_s, p.step_hop_s) = steady_costs(spec, machine, Pass::forward);
  if (runs_backward(s.workload.phase)) {
    std::tie(p.backward_step_compute_s, p.backward_step_hop_s) = steady_costs(spec, machine, Pass::backward);
  }
  BlockProbe probe{spec.shape, s.ring.layout, s.workload.causal, s.ring.buffers, Pass::forward};
  p.b_min_forward = block_minima(probe, machine, s, simulated);
  probe.pass = Pass::backward;
  p.b_min_backward = block_minima(probe, machine, s, simulated);
  p.b_min_note = block_minimum_note(s);
}

// The flow engine's worker runs one program: its library simulates once a process.
bool flow_can_run(std::span<const PhaseProgram> phases) { return phases.size() == 1 && phases.front().times == 1; }

// What the closed form and the flow engine know: one program of a ring.
void check_engine(EngineChoice engine, std::span<const PhaseProgram> phases, const Prediction& p) {
  if (engine == EngineChoice::closed_form) check_closed_form(p);
  if (engine == EngineChoice::flow && !flow_can_run(phases)) {
    throw Error("the flow engine runs one pass, not several", "--engine",
                "recurrence, or auto; or a workload without chunks");
  }
}

void check_windows(const std::vector<TimelineWindow>& windows, std::span<const PhaseProgram> phases) {
  for (const TimelineWindow& window : windows) {
    if (window.phase < 0 || window.phase >= std::ssize(phases)) {
      throw Error(fmt::format("a timeline of phase {} of a run that has {}", window.phase, phases.size()), "--trace",
                  "phases are numbered from 0");
    }
  }
}

void name_links(const Machine& machine, bool collected, PredictResult& result) {
  const auto name = [&](Timeline& timeline) {
    for (std::size_t r = 0; r < machine.hops.size(); ++r) timeline.link_classes.push_back(machine.hops[r].link_class);
    for (std::size_t r = 0; r < machine.second_hops.size(); ++r) {
      timeline.second_link_classes.push_back(machine.second_hops[r].link_class);
    }
  };
  for (Timeline& timeline : result.timelines) name(timeline);
  if (collected) name(result.timeline);
}

// Adds the slowest rank where it is wanted; whether it was missing.
bool with_slowest(std::vector<TimelineWindow>& windows, std::int64_t slowest, std::int64_t ring) {
  bool missing = false;
  for (TimelineWindow& window : windows) {
    const std::vector<std::int64_t> shown = window.ranks_of(ring);
    if (!window.slowest || std::binary_search(shown.begin(), shown.end(), slowest % ring)) continue;
    window.also.push_back(slowest % ring);
    missing = true;
  }
  return missing;
}

}  // namespace

PredictResult predict(const Scenario& scenario, const PredictOptions& options) {
  PredictResult result;
  Prediction& p = result.prediction;
  const RingSpec spec = ring_spec(scenario);
  const JobNetwork network = job_network(scenario.parallel, scenario.cluster, scenario.noise, scenario.ring);
  Machine machine = machine_of(scenario, network);
  const std::vector<PhaseProgram> phases = programs_of(scenario);
  describe(scenario, p);
  const EngineDecision decision = choose_engine(options.engine, scenario, network, machine,
                                                static_cast<bool>(options.flow) && flow_can_run(phases));
  check_engine(decision.engine, phases, p);
  p.stages = static_cast<std::int64_t>(phases.front().program.roles.size());
  if (scenario.workload.phase == Phase::train) {
    p.micro_batches = batch_of_rank(scenario) / scenario.training.micro_batch;
  } else if (p.stages > 1) {
    p.micro_batches = batch_of_rank(scenario);
  }

  describe(network, p);
  p.seed = options.seed;
  p.engine = name_of(decision.engine);
  p.engine_note = decision.note;
  std::size_t ring = network.slowest;
  std::vector<ReplicaOutcome> replicas;
  if (decision.engine == EngineChoice::closed_form) {
    if (options.collect_timeline || !options.windows.empty()) {
      throw Error("the closed form has no timeline", "--trace", "--engine recurrence");
    }
    run_closed_form(spec, machine, scenario.workload.phase, p);
    p.no_hop_use = "the closed form does not follow single hops";
  } else {
    const auto run = [&](const JobRunOptions& how) {
      return decision.engine == EngineChoice::flow ? run_by_flow(scenario, network, options.flow, how)
                                                   : run_by_recurrence(scenario, network, phases, how);
    };
    JobRunOptions how{options.seed, 0, {}, false};
    if (options.replicas > 1) {
      if (!scenario.noise.random()) {
        throw Error(fmt::format("{} replicas of a run without random times are {} times the same", options.replicas,
                                options.replicas),
                    "noise", "noise: {compute: {lognormal: 2%}}, or no --replicas");
      }
      if (decision.engine == EngineChoice::flow) {
        for (; how.replica < options.replicas; ++how.replica) replicas.push_back(outcome_of(run(how)));
      } else {
        replicas = run_replicas(scenario, network, phases, options.seed, options.replicas);
      }
      how.replica = median_replica(replicas);
    }
    how.windows = options.windows;
    if (options.collect_timeline) how.windows.insert(how.windows.begin(), options.window);
    check_windows(how.windows, phases);
    how.hop_use = options.hop_use;
    JobRun job = run(how);
    // Which rank is the slowest is known now: where a window wants it and has not got it the same run is watched again.
    if (with_slowest(how.windows, job.run.slowest_rank, phases.front().program.ring())) job = run(how);
    ring = job.ring;
    machine = machine_of(scenario, network.rings[ring]);
    if (options.collect_timeline) {
      result.timeline = std::move(job.timelines.front());
      job.timelines.erase(job.timelines.begin());
    }
    result.timelines = std::move(job.timelines);
    name_links(machine, options.collect_timeline, result);
    if (options.hop_use) hop_use(job, phases, machine, p);
    const std::vector<TotalsObserver::Spent> collectives = std::move(job.collectives);
    take(std::move(job), network, p);
    if (options.interval) interval(scenario, network.rings[ring], spec, phases, p);
    p.stragglers = straggler_costs(scenario, network.rings[ring], phases);
    p.traffic = traffic_of(phases, machine, collectives);
  }
  hops(machine, spec, p);
  check_makespan(p);
  p.layer_makespan_s = p.makespan_s / static_cast<double>(p.layers);
  ring_rates(scenario, machine,
             p.no_b_min.empty() ? attention_work(spec, scenario.workload.phase) : attention_work(phases), p);
  model_rates(scenario, p);
  if (!replicas.empty()) p.replicas = summary_of(replicas, p);
  ring_answers(scenario, spec, machine, options.simulated_b_min, p);
  p.memory = memory_of_rank(scenario);
  planning_answers(scenario, p);
  p.bottleneck =
      p.no_b_min.empty() || p.per_rank.empty() ? bottleneck_of(p, scenario, machine) : bottleneck_of_model(p, scenario);
  p.warnings = warnings_of(p, scenario, machine, network);
  if (!decision.warning.empty()) p.warnings.push_back(decision.warning);
  return result;
}

Prediction predict_by_recurrence(const Scenario& scenario, std::uint64_t seed) {
  PredictOptions how;
  how.engine = EngineChoice::recurrence;
  how.seed = seed;
  how.interval = false;
  return predict(scenario, how).prediction;
}

}  // namespace ringsim::sim
