// The section that says what was predicted.

#include "reports/humanise.hpp"
#include "reports/run_parts.hpp"

#include <fmt/format.h>

namespace ringsim::reports {
namespace {

std::string model_text(const Transformer& model) {
  return fmt::format("{}{} layers, {} query and {} key/value heads of {} ({})",
                     model.name.empty() ? "" : model.name + ": ", human_count(model.layers), human_count(model.heads),
                     human_count(model.kv_heads), human_count(model.head_dim), model.attention_kind());
}

std::string workload_text(const Workload& workload) {
  return fmt::format("{}, {} mask, {}, batch {}", name_of(workload.phase), workload.causal ? "causal" : "no",
                     name_of(workload.dtype), human_count(workload.batch));
}

std::string tokens_text(const sim::Prediction& p) {
  return fmt::format("{} in the whole sequence; {} a rank{}", human_count(p.tokens_total),
                     human_count(p.tokens_per_rank), p.even ? "" : " (some ranks hold one less)");
}

std::string cluster_text(const Cluster& cluster) {
  std::string text = fmt::format("{}{} of {} × {}", cluster.name.empty() ? "" : cluster.name + ": ",
                                 cluster.nodes == 1 ? "one node" : human_count(cluster.nodes) + " nodes",
                                 human_count(cluster.gpus_per_node), cluster.gpu.name);
  if (cluster.gpus_per_node > 1) {
    text +=
        fmt::format("; in a node {} {}", cluster.intra_node.link_class, human_bandwidth(cluster.intra_node.bandwidth));
  }
  if (cluster.inter_node && cluster.nodes > 1) {
    text += fmt::format("; between nodes {} × {} {} a node", human_count(cluster.nics_per_node),
                        cluster.inter_node->link_class, human_bandwidth(cluster.inter_node->bandwidth));
  }
  return text + " (one way)";
}

std::string plan_text(const sim::Prediction& p, const Parallel& parallel) {
  std::string degrees;
  int above_one = 0;
  for (const Axis axis : parallel.order) {
    if (parallel.degree(axis) == 1) continue;
    ++above_one;
    degrees += fmt::format("{}{} {}", degrees.empty() ? "" : " × ", name_of(axis), human_count(parallel.degree(axis)));
  }
  if (degrees.empty()) degrees = "all degrees 1";
  return fmt::format("{}{}; {} GPU{} used, {} idle", degrees, above_one > 1 ? " (innermost first)" : "",
                     human_count(p.ranks), p.ranks == 1 ? "" : "s", human_count(p.idle_gpus));
}

std::string travels_text(const std::string& rotation, bool backward) {
  if (rotation == "kv") return backward ? "K/V and dK/dV travel" : "K/V travel";
  return backward ? "Q, dO and dQ travel" : "Q travels";
}

}  // namespace

std::string ring_text(const RingWords& r) {
  if (r.size <= 1) return "one rank: nothing travels";
  const std::string backward =
      r.backward_travels.empty() ? "" : fmt::format(" (backward: {})", travels_text(r.backward_travels, true));
  return fmt::format("{} ranks, {}, {}{}, {} buffers, {}", human_count(r.size), r.layout,
                     travels_text(r.travels, false), backward, r.buffers, r.transfer);
}

Fields setup_fields(const sim::Prediction& p, const Scenario& scenario) {
  const bool training = scenario.workload.phase == Phase::train;
  Fields fields = {
      {"model", model_text(scenario.model)},
      {"workload", workload_text(scenario.workload)},
      {"tokens", tokens_text(p)},
      {"cluster", cluster_text(scenario.cluster)},
      {"plan", plan_text(p, scenario.parallel)},
      {"ring",
       ring_text({p.ring_size, p.layout, p.travels, training ? p.backward_travels : "", p.buffers, p.transfer})},
  };
  if (p.ring_size > 1) {
    fields.emplace_back(
        "hops", fmt::format("{} inside nodes, {} between nodes", human_count(p.intra_hops), human_count(p.inter_hops)));
  }
  for (const Straggler& straggler : scenario.noise.stragglers) {
    fields.emplace_back("straggler", fmt::format("ring rank {} computes {} × as long", human_count(straggler.rank),
                                                 human_number(straggler.slowdown)));
  }
  fields.emplace_back("profile", p.profile_calibrated
                                     ? p.profile_name + " (calibrated)"
                                     : p.profile_name + " (UNCALIBRATED: data-sheet peaks, no overheads)");
  fields.emplace_back(
      "scope",
      fmt::format("{}{}; phase {}", p.scope,
                  p.scope == "attention" ? " (the ring of all layers' attention, nothing else)" : "", p.phase));
  fields.emplace_back("engine", p.engine_note.empty() ? p.engine : fmt::format("{} ({})", p.engine, p.engine_note));
  return fields;
}

}  // namespace ringsim::reports
