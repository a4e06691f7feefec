#include "sim/predict.hpp"

#include "models/ring_shape.hpp"
#include "models/step_times.hpp"
#include "sim/bottleneck.hpp"
#include "sim/closed_form/engine.hpp"
#include "sim/interval.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/summarize.hpp"
#include "sim/totals.hpp"
#include "sim/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  p.phase = name_of(s.workload.phase);
  p.ranks = s.parallel.product();
  p.idle_gpus = s.cluster.gpus() - p.ranks;
  p.ring_size = s.parallel.ring;
  p.layout = name_of(s.ring.layout);
  p.travels = name_of(s.ring.travels);
  p.backward_travels = name_of(s.ring.backward);
  p.transfer = name_of(s.ring.transfer);
  p.buffers = s.ring.buffers;
  const Shards shards(s.ring.layout, s.workload.tokens, s.parallel.ring);
  p.tokens_total = s.workload.tokens;
  p.tokens_per_rank = shards.largest_block();
  p.even = shards.even();
  p.layers = s.model.layers;
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

void run_recurrence(const Program& program, const Machine& machine, const PredictOptions& options, Prediction& p,
                    Timeline& timeline) {
  TotalsObserver totals(program.ring());
  TimelineObserver window(program, options.window);
  std::vector<Observer*> all = {&totals};
  if (options.collect_timeline) all.push_back(&window);
  Observers observers(all);
  RecurrenceEngine engine(program, machine);
  const RunResult result = engine.run(&observers);
  p.engine = "recurrence";
  p.engine_note = "exact for the program; no contention on links between rings";
  RunSummary run = summarize(totals, result);
  p.makespan_s = run.makespan_s;
  p.per_rank = std::move(run.per_rank);
  p.slowest_rank = run.slowest_rank;
  p.compute_s = run.compute_s;
  p.exposed_communication_s = run.exposed_communication_s;
  p.bubble_s = run.bubble_s;
  p.overlap = run.overlap;
  if (options.collect_timeline) timeline = window.take();
}

void run_closed_form(const RingSpec& spec, const Machine& machine, bool backward, Prediction& p) {
  const ClosedFormResult result = closed_form(spec, machine, backward);
  p.engine = "closed-form";
  p.engine_note = result.note + "; what is not compute is counted as exposed communication";
  p.makespan_is_bound = !result.exact;
  p.makespan_s = result.makespan_s;
  p.compute_s = result.compute_s;
  // The pacing rank never waits for a late peer: what is not compute is its own hop in flight.
  p.exposed_communication_s = result.makespan_s - result.compute_s;
  settle_rounding(p.compute_s, p.exposed_communication_s, p.bubble_s, p.makespan_s);
}

void rates(const Scenario& s, const Machine& machine, const Program& program, Prediction& p) {
  double ideal_s = 0;
  double computed = 0;
  double of_model = 0;
  const HeadShape& heads = program.shape.heads;
  const double model_share =
      2.0 * (attention_flop(heads, Pass::forward, 1.0) / attention_flop(heads, Pass::backward, 1.0));
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    const Flop work = useful_flop(program, pass);
    if (work <= Flop{}) continue;
    computed += in_flop(work);
    // Of the backward pass's five products one computes the scores again: model FLOP are twice the forward pass's.
    of_model += in_flop(work) * (pass == Pass::forward ? 1.0 : model_share);
    ideal_s += in_seconds(work / machine.costs.block_rate(pass, static_cast<double>(p.tokens_per_rank))) /
               static_cast<double>(p.ring_size);
  }
  const double peak_flop =
      static_cast<double>(p.ring_size) * in_flop_per_second(peak(s.cluster.gpu, s.workload.dtype)) * p.makespan_s;
  p.ring_efficiency = ideal_s / p.makespan_s;
  p.mfu = of_model / peak_flop;
  p.hfu = computed / peak_flop;
  p.tokens_per_s = static_cast<double>(s.workload.tokens * s.workload.batch) / p.makespan_s;
  p.gpu_hours = static_cast<double>(p.ranks) * p.makespan_s / 3600.0;
  if (s.price_per_gpu_hour) p.cost = p.gpu_hours * *s.price_per_gpu_hour;
}

void hops(const Machine& machine, const RingSpec& spec, Prediction& p) {
  for (const HopCost& hop : machine.hops) ++(hop.inter_node ? p.inter_hops : p.intra_hops);
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

void interval(const Scenario& s, const RingSpec& spec, bool backward, Prediction& p) {
  if (!s.profile.calibrated) return;
  MakespanInterval found = makespan_interval(s, spec, backward, p.makespan_s);
  p.makespan_low_s = found.low_s;
  p.makespan_high_s = found.high_s;
  p.uncertainty_parts = std::move(found.parts);
  p.uncertainty_note = std::move(found.note);
}

}  // namespace

PredictResult predict(const Scenario& scenario, const PredictOptions& options) {
  PredictResult result;
  Prediction& p = result.prediction;
  const bool backward = scenario.workload.phase == Phase::train;
  const RingSpec spec = ring_spec(scenario);
  const JobNetwork network = job_network(scenario.parallel, scenario.cluster, scenario.noise);
  const Machine machine = machine_of(scenario, network);
  const Program program = ring_program_of(spec, true, backward);

  describe(scenario, p);
  p.seed = options.seed;
  hops(machine, spec, p);
  if (options.engine == EngineChoice::closed_form) {
    if (options.collect_timeline) {
      throw Error("the closed form has no timeline", "--trace", "--engine recurrence");
    }
    run_closed_form(spec, machine, backward, p);
  } else {
    run_recurrence(program, machine, options, p, result.timeline);
    if (options.engine == EngineChoice::automatic) p.engine_note = "chosen because it is " + p.engine_note;
    interval(scenario, spec, backward, p);
  }
  if (!std::isfinite(p.makespan_s) || !(p.makespan_s > 0)) {
    throw Error(fmt::format("the costs of this scenario give a makespan of {} s", p.makespan_s), "profile",
                "values of a real machine: see ringsim show");
  }
  p.layer_makespan_s = p.makespan_s / static_cast<double>(p.layers);
  std::tie(p.step_compute_s, p.step_hop_s) = steady_costs(spec, machine, Pass::forward);
  if (backward)
    std::tie(p.backward_step_compute_s, p.backward_step_hop_s) = steady_costs(spec, machine, Pass::backward);
  rates(scenario, machine, program, p);

  BlockProbe probe{spec.shape, scenario.ring.layout, scenario.workload.causal, scenario.ring.buffers, Pass::forward};
  p.b_min_forward = block_minima(probe, machine, scenario, options.simulated_b_min);
  probe.pass = Pass::backward;
  p.b_min_backward = block_minima(probe, machine, scenario, options.simulated_b_min);
  p.b_min_note = block_minimum_note(scenario);
  p.memory = memory_of_rank(scenario);
  p.bottleneck = bottleneck_of(p, scenario, machine);
  p.warnings = warnings_of(p, scenario, machine, network);
  return result;
}

}  // namespace ringsim::sim
