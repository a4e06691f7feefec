#include "reports/csv_run.hpp"

#include "reports/beyond_ring.hpp"
#include "reports/csv.hpp"
#include "reports/csv_model.hpp"
#include "reports/replica_parts.hpp"
#include "reports/verdicts.hpp"
#include "version.hpp"

#include <optional>

namespace ringsim::reports {
namespace {

// All columns are empty where B_min does not apply.
void add_minima(CsvRow& row, const std::string& pass, const sim::BlockMinima& minima, bool apply) {
  row.add("b_min_" + pass + "_datasheet_tokens", apply ? std::optional(minima.datasheet_tokens) : std::nullopt);
  row.add("b_min_" + pass + "_calibrated_tokens", minima.calibrated_tokens);
  row.add("b_min_" + pass + "_simulated_tokens", minima.simulated_tokens);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + text;
  return all;
}

}  // namespace

std::string render_csv(const sim::Prediction& p, const Scenario& scenario) {
  CsvRow row;
  row.add("scenario_name", p.scenario_name);
  row.add("scenario_hash", p.scenario_hash);
  row.add("ringsim_version", version);
  row.add("engine", p.engine);
  row.add("seed", p.seed);
  row.add("profile_name", p.profile_name);
  row.add("profile_calibrated", p.profile_calibrated);
  row.add("scope", p.scope);
  row.add("phase", p.phase);
  row.add("ranks", p.ranks);
  row.add("idle_gpus", p.idle_gpus);
  row.add("ring_size", p.ring_size);
  row.add("ring_layout", p.layout);
  row.add("ring_travels", p.travels);
  row.add("ring_backward", p.backward_travels);
  row.add("ring_buffers", p.buffers);
  row.add("ring_transfer", p.transfer);
  row.add("ring_hops_intra_node", p.intra_hops);
  row.add("ring_hops_inter_node", p.inter_hops);
  row.add("tokens_total", p.tokens_total);
  row.add("tokens_per_rank", p.tokens_per_rank);
  row.add("layers", p.layers);
  row.add("makespan_s", p.makespan_s);
  row.add("makespan_is_bound", p.makespan_is_bound);
  row.add("compute_s", p.compute_s);
  row.add("exposed_communication_s", p.exposed_communication_s);
  row.add("bubble_s", p.bubble_s);
  row.add("slowest_rank", p.slowest_rank);
  row.add("layer_makespan_s", p.layer_makespan_s);
  const bool steps = p.no_b_min.empty();
  row.add("steady_step_forward_compute_s", steps ? std::optional(p.step_compute_s) : std::nullopt);
  row.add("steady_step_forward_hop_s", steps ? std::optional(p.step_hop_s) : std::nullopt);
  row.add("steady_step_backward_compute_s", p.backward_step_compute_s);
  row.add("steady_step_backward_hop_s", p.backward_step_hop_s);
  row.add("overlap", p.overlap);
  row.add("ring_efficiency", p.ring_efficiency);
  row.add("mfu", p.mfu);
  row.add("hfu", p.hfu);
  row.add("tokens_per_s", p.tokens_per_s);
  row.add("gpu_hours", p.gpu_hours);
  row.add("cost", p.cost);
  row.add("ttft_s", p.ttft_s);
  row.add("tpot_s", p.tpot_s);
  row.add("step_time_s", p.step_time_s);
  if (beyond_ring(p, scenario)) add_model(row, p, scenario);
  add_minima(row, "forward", p.b_min_forward, steps);
  add_minima(row, "backward", p.b_min_backward, steps);
  row.add("memory_total_bytes", in_bytes(p.memory.total));
  row.add("memory_capacity_bytes", in_bytes(p.memory.capacity));
  row.add("memory_fits", fits(p.memory));
  row.add("bottleneck_kind", p.bottleneck.kind);
  row.add("bottleneck_name", p.bottleneck.name);
  row.add("bottleneck_share", p.bottleneck.share);
  row.add("makespan_low_s", p.makespan_low_s);
  row.add("makespan_high_s", p.makespan_high_s);
  add_replicas(row, p);
  row.add("warnings", joined(p.warnings));
  return row.text();
}

}  // namespace ringsim::reports
