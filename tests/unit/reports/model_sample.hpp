#pragma once
// A training step of a whole model, made by hand: two pipeline stages of a ring of two, tensor parallelism of two, so eight
// GPUs. It takes 10 s; the slowest rank, 3 of stage 1, computes 6 s, waits 2.5 s for communication (2 s of it in blocking
// collectives) and stands still for 1.5 s.

#include "tests/unit/reports/sample.hpp"

namespace ringsim::reports::sample {

inline Scenario training_scenario() {
  Scenario s = scenario();
  s.name = "two-stages";
  s.workload.phase = Phase::train;
  s.workload.scope = Scope::model;
  s.workload.tokens = 8192;
  s.workload.batch = 8;
  s.parallel.ring = 2;
  s.parallel.tensor = 2;
  s.parallel.pipeline = 2;
  s.training.recompute = Recompute::selective;
  s.training.micro_batch = 2;
  s.price_per_kilowatt_hour = 0.25;
  return s;
}

inline sim::RankSummary staged_rank(std::int64_t number, double dense, double blocking, double beside, double bubble) {
  sim::RankSummary r;
  r.rank = number;
  r.stage = number / 2;
  r.attention_s = 1.5;
  r.merge_s = 0.5;
  r.dense_s = dense;
  r.compute_s = 2.0 + dense;
  r.collective_s = blocking;
  r.exposed_communication_s = blocking + beside;
  r.bubble_s = r.bubble_late_s = bubble;
  r.end_s = r.compute_s + r.exposed_communication_s + bubble;
  r.in_flight_s = 5.0;
  return r;
}

inline sim::Prediction training() {
  sim::Prediction p = prediction();
  p.scenario_name = "two-stages";
  p.scope = "model";
  p.phase = "train";
  p.ranks = 8;
  p.idle_gpus = 0;
  p.ring_size = 2;
  p.tokens_total = 8192;
  p.tokens_per_rank = 4096;
  p.makespan_s = 10.0;
  p.step_time_s = 10.0;
  p.compute_s = 6.0;
  p.exposed_communication_s = 2.5;
  p.bubble_s = 1.5;
  p.makespan_low_s.reset();
  p.makespan_high_s.reset();
  p.per_rank = {staged_rank(0, 5.0, 1.5, 0.5, 1.0), staged_rank(1, 5.5, 1.0, 0.5, 1.0),
                staged_rank(2, 3.5, 2.0, 0.5, 2.0), staged_rank(3, 4.0, 2.0, 0.5, 1.5)};
  p.per_rank[2].end_s = 9.0;
  p.slowest_rank = 3;
  p.mfu = 0.4;
  p.hfu = 0.45;
  p.tokens_per_s = 8.0 * 8192.0 / 10.0;  // 6,553.6
  p.gpu_hours = 8 * 10.0 / 3600.0;       // 0.0222...
  p.cost = p.gpu_hours * 2.5;            // 0.0556
  p.energy_joules = 8 * 500.0 * 10.0;    // 8 GPUs of 500 W for 10 s: 11.11 Wh
  p.energy_source = "TDP of gpu-x while busy";
  p.energy_cost = 8 * 500.0 * 10.0 / 3.6e6 * 0.25;
  p.stages = 2;
  p.micro_batches = 4;
  p.parameters = 70.55e9;
  p.traffic = {{"shift K/V", "hop", "", "nvlink4", false, 64, 3e9, 0.5},
               {"all-reduce after attention", "all-reduce", "tensor", "nvlink4", false, 256, 40e9, 1.25},
               {"reduce-scatter of gradients", "reduce-scatter", "gradient", "ib-ndr", true, 8, 12e9, 0.3},
               {"activations", "send", "", "ib-ndr", true, 8, 1e9, 0.02}};
  p.no_b_min = "it is of attention alone";
  p.warnings.clear();
  return p;
}

/// A decode step of 64 sequences on two GPUs: 25 ms a token, 40 tokens, so 1 s in all.
inline Scenario decode_scenario() {
  Scenario s = scenario();
  s.name = "decode";
  s.workload.phase = Phase::decode;
  s.workload.scope = Scope::model;
  s.workload.batch = 64;
  s.workload.output_tokens = 40;
  s.parallel.ring = 1;
  s.parallel.tensor = 2;
  s.parallel.decode_context = 2;
  return s;
}

inline sim::Prediction decode() {
  sim::Prediction p = prediction();
  p.scenario_name = "decode";
  p.scope = "model";
  p.phase = "decode";
  p.ranks = 2;
  p.ring_size = 1;
  p.tokens_total = p.tokens_per_rank = 16384;
  p.makespan_s = 1.0;
  p.tpot_s = 0.025;
  p.compute_s = 0.75;
  p.exposed_communication_s = 0.25;
  p.bubble_s = 0.0;
  p.overlap.reset();
  p.ring_efficiency = 0.0;
  p.makespan_low_s.reset();
  p.makespan_high_s.reset();
  sim::RankSummary only = rank(0, 0.75, 0.25, 0.0);
  only.merge_s = 0.0;
  only.attention_s = 0.25;
  only.dense_s = 0.5;
  only.collective_s = 0.25;
  p.per_rank = {only};
  p.slowest_rank = 0;
  p.tokens_per_s = 64 / 0.025;  // 2,560
  p.gpu_hours = 2.0 / 3600.0;
  p.cost = p.gpu_hours * 2.5;
  p.traffic = {{"all-reduce after attention", "all-reduce", "tensor", "nvlink4", false, 3200, 1e9, 0.25}};
  p.no_b_min = "one query";
  p.serving = sim::ServingSummary{40960, 2.5e6, 8e9, 30e9, 64 * 16384.0, 671088.64, 64, 40, true};
  p.largest_context_tokens = 98304.0;
  p.warnings.clear();
  return p;
}

}  // namespace ringsim::reports::sample
