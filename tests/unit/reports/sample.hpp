#pragma once
// A prediction made by hand, with numbers that are easy to follow through a report: two layers of 10 s each on four
// ranks; the slowest, rank 3, computes 16 s, waits 3 s for transfers and stands still for 1 s.

#include "models/scenario.hpp"
#include "sim/prediction.hpp"

#include <cstdint>

namespace ringsim::reports::sample {

inline Scenario scenario() {
  Scenario s;
  s.name = "four-ranks";
  s.model.name = "tiny";
  s.model.layers = 2;
  s.model.heads = 32;
  s.model.kv_heads = 8;
  s.model.head_dim = 128;
  s.workload.tokens = 16384;
  s.cluster.name = "box";
  s.cluster.gpu.name = "gpu-x";
  s.cluster.gpu.bf16 = teraflop_per_second(989);
  s.cluster.gpus_per_node = 8;
  s.cluster.intra_node = {"nvlink4", gigabytes_per_second(450), {}};
  s.parallel.ring = 4;
  s.profile.name = "gpu-x";
  s.profile.calibrated = true;
  s.price_per_gpu_hour = 2.5;
  s.resolved = {{"name", "four-ranks", "four.yaml:1:7"},
                {"model.layers", "2", "four.yaml:2:10"},
                {"model.layer_types", "[full, sliding]", "four.yaml:2:20"},
                {"noise.stragglers.0.rank", "3", "--set noise.stragglers"},
                {"noise.stragglers.0.slowdown", "1.2", "--set noise.stragglers"},
                {"noise.stragglers.1.rank", "2", "four.yaml:9:3"},
                {"cluster.intra_node.bandwidth", "450 GB/s", "library/clusters/box.yaml:3:1"}};
  return s;
}

inline sim::RankSummary rank(std::int64_t number, double compute, double exposed, double bubble) {
  sim::RankSummary r;
  r.rank = number;
  r.compute_s = compute;
  r.attention_s = compute - 1.0;
  r.merge_s = 1.0;
  r.exposed_communication_s = exposed;
  r.bubble_s = bubble;
  r.bubble_late_s = bubble;
  r.end_s = compute + exposed + bubble;
  r.in_flight_s = 6.0;
  return r;
}

inline sim::Prediction prediction() {
  sim::Prediction p;
  p.scenario_name = "four-ranks";
  p.scenario_hash = "0123456789abcdef";
  p.engine = "recurrence";
  p.engine_note = "exact";
  p.seed = 7;
  p.profile_name = "gpu-x";
  p.profile_calibrated = true;
  p.scope = "attention";
  p.phase = "prefill";
  p.ranks = 4;
  p.idle_gpus = 4;
  p.ring_size = 4;
  p.layout = "zigzag";
  p.travels = p.backward_travels = "kv";
  p.transfer = "sm-kernel";
  p.buffers = 2;
  p.tokens_total = 16384;
  p.tokens_per_rank = 4096;
  p.layers = 2;
  p.intra_hops = 4;
  p.ring_kinds = {{1, 0, 0, {{Reach::nvlink, 4}}, 20.0}};
  p.makespan_s = 20.0;
  p.layer_makespan_s = 10.0;
  p.compute_s = 16.0;
  p.exposed_communication_s = 3.0;
  p.bubble_s = 1.0;
  p.overlap = 0.5;
  p.ring_efficiency = 0.75;
  p.mfu = 0.6;
  p.tokens_per_s = 16384.0 / 20.0;
  p.gpu_hours = 4 * 20.0 / 3600.0;
  p.cost = p.gpu_hours * 2.5;
  p.step_compute_s = 2e-3;
  p.step_hop_s = 1e-3;
  p.b_min_forward.datasheet_tokens = 989e12 / 450e9;  // 2197.777…
  p.b_min_forward.calibrated_tokens = 2500.25;
  p.b_min_backward.datasheet_tokens = 1318.6;
  p.b_min_backward.calibrated_reason = "the hop's latency outlasts every block";
  p.deciding_hop = sim::DecidingHop{3, 0, false, "nvlink4", 400e9, 450e9, 5e-6};
  p.memory.terms = {{"kv_cache", "keys and values; / ring", gigabytes(30), "ring"},
                    {"weights", "/ tensor", gigabytes(10), "tensor"}};
  p.memory.total = gigabytes(40);
  p.memory.capacity = gigabytes(80);
  p.per_rank = {rank(0, 16, 2, 2), rank(1, 16, 2.5, 1.5), rank(2, 15, 2, 3), rank(3, 16, 3, 1)};
  p.per_rank[2].end_s = 19.0;
  p.slowest_rank = 3;
  p.bottleneck = {"compute", "attention kernels", 0.8, "Attention kernels take 80 % of the time."};
  p.warnings = {"first warning", "second, with a comma"};
  p.makespan_low_s = 18.0;
  p.makespan_high_s = 23.0;
  return p;
}

}  // namespace ringsim::reports::sample
