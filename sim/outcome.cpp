#include "sim/outcome.hpp"

#include "models/error.hpp"
#include "sim/closed_form/engine.hpp"
#include "sim/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::sim {

std::vector<AttentionWork> attention_work(std::span<const PhaseProgram> phases) {
  std::vector<AttentionWork> all;
  for (const PhaseProgram& phase : phases) {
    all.push_back({phase.program.shape, useful_flop(phase.program, Pass::forward),
                   useful_flop(phase.program, Pass::backward), phase.times});
  }
  return all;
}

std::vector<AttentionWork> attention_work(const RingSpec& spec, Phase phase) {
  // One kernel over the whole sequence sees every pair that the kernels of the ring divide among themselves.
  const Shards sequence(Layout::contiguous, spec.shards.tokens(), 1);
  double pairs = 0;
  for (std::size_t mask = 0; mask < spec.masks.size(); ++mask) {
    const auto layers = std::count(spec.mask_of_layer.begin(), spec.mask_of_layer.end(), mask);
    pairs += static_cast<double>(sequence.work(0, 0, spec.masks[mask]).entries) * static_cast<double>(layers);
  }
  AttentionWork work{spec.shape, {}, {}};
  if (runs_forward(phase)) work.forward = attention_flop(spec.shape.heads, Pass::forward, pairs);
  if (runs_backward(phase)) work.backward = attention_flop(spec.shape.heads, Pass::backward, pairs);
  return {work};
}

void count_ranks(const Scenario& s, Prediction& p) {
  p.ranks = s.parallel.product();
  p.idle_gpus = s.cluster.gpus() - p.ranks;
  p.ring_size = s.parallel.ring;
  const Shards shards(s.ring.layout, s.workload.tokens, s.parallel.ring);
  p.tokens_total = s.workload.tokens;
  p.tokens_per_rank = shards.largest_block();
  p.even = shards.even();
  p.layers = s.model.layers;
}

void run_closed_form(const RingSpec& spec, const Machine& machine, Phase phase, Prediction& p) {
  const ClosedFormResult result = closed_form(spec, machine, runs_backward(phase), runs_forward(phase));
  p.engine_note = result.note + "; what is not compute is counted as exposed communication" +
                  (p.engine_note.empty() ? "" : "; " + p.engine_note);
  p.makespan_is_bound = !result.exact;
  p.makespan_s = result.makespan_s;
  p.compute_s = result.compute_s;
  // The pacing rank never waits for a late peer: what is not compute is its own hop in flight.
  p.exposed_communication_s = result.makespan_s - result.compute_s;
  settle_rounding(p.compute_s, p.exposed_communication_s, p.bubble_s, p.makespan_s);
}

void take_times(const RunSummary& run, Prediction& p) {
  p.makespan_s = run.makespan_s;
  p.slowest_rank = run.slowest_rank;
  p.compute_s = run.compute_s;
  p.exposed_communication_s = run.exposed_communication_s;
  p.bubble_s = run.bubble_s;
  p.overlap = run.overlap;
}

// Of the attention of all layers, and of a whole model's attention: its useful work against what kernels of whole blocks need.
void ring_rates(const Scenario& s, const Machine& machine, std::span<const AttentionWork> work, Prediction& p) {
  double ideal_s = 0;
  double computed = 0;
  double of_model = 0;
  for (const AttentionWork& one : work) {
    const CostModel costs = machine.costs.with_shape(one.shape);
    const HeadShape& heads = one.shape.heads;
    const double model_share =
        2.0 * (attention_flop(heads, Pass::forward, 1.0) / attention_flop(heads, Pass::backward, 1.0));
    for (const Pass pass : {Pass::forward, Pass::backward}) {
      const Flop useful = (pass == Pass::forward ? one.forward : one.backward) * one.times;
      if (useful <= Flop{}) continue;
      computed += in_flop(useful);
      // Of the backward pass's five products one computes the scores again: model FLOP are twice the forward pass's.
      of_model += in_flop(useful) * (pass == Pass::forward ? 1.0 : model_share);
      ideal_s += in_seconds(useful / costs.block_rate(pass, static_cast<double>(p.tokens_per_rank))) /
                 static_cast<double>(p.ring_size);
    }
  }
  p.ring_efficiency = ideal_s / (p.makespan_s * static_cast<double>(p.stages));
  if (s.workload.scope == Scope::model) return;
  const double peak_flop =
      static_cast<double>(p.ring_size) * in_flop_per_second(peak(s.cluster.gpu, s.workload.dtype)) * p.makespan_s;
  p.mfu = of_model / peak_flop;
  p.hfu = computed / peak_flop;
}

void check_closed_form(const Prediction& p) {
  if (p.no_b_min.empty()) return;
  throw Error(fmt::format("there is no closed form of this run: {}", p.no_b_min), "--engine", "recurrence, or auto");
}

void check_makespan(const Prediction& p) {
  if (std::isfinite(p.makespan_s) && p.makespan_s > 0) return;
  throw Error(fmt::format("the costs of this scenario give a makespan of {} s", p.makespan_s), "profile",
              "values of a real machine: see ringsim show");
}

}  // namespace ringsim::sim
