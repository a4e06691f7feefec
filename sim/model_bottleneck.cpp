#include "sim/model_bottleneck.hpp"

#include "sim/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ringsim::sim {
namespace {

constexpr double noticeable = 0.15;

// What blocks the ranks longest of all that they send.
const TrafficSummary* longest(const Prediction& p) {
  const auto found = std::max_element(p.traffic.begin(), p.traffic.end(),
                                      [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  return found == p.traffic.end() ? nullptr : &*found;
}

BottleneckStatement exposed(const Prediction& p, double share) {
  const TrafficSummary* most = longest(p);
  if (most == nullptr) return {"transfer", "transfers", share, "Transfers take most of what is not computation."};
  const std::string where =
      fmt::format("{} ({})", most->link_class, most->inter_node ? "between nodes" : "inside a node");
  return {
      "transfer", fmt::format("{} over {}", most->name, where), share,
      fmt::format("Ranks wait for transfers in {} of the time; most of it, {} of transfer, is {} over {}. {}",
                  phrases::percent(share), phrases::time(most->seconds), most->name, where,
                  most->inter_node ? "Degrees that keep it inside a node, or more bandwidth between nodes, shorten it."
                                   : "Smaller degrees, or a scheme that moves less, shorten it.")};
}

BottleneckStatement idle(const Prediction& p, const Scenario& s, const RankSummary& slowest, double share) {
  if (p.stages > 1) {
    // Narayanan et al., arXiv 2104.04473 §2.2: v pieces a stage divide the bubble by v.
    const std::int64_t work = p.micro_batches * s.training.interleave;
    const double ideal = static_cast<double>(p.stages - 1) / static_cast<double>(work + p.stages - 1);
    return {"imbalance", "pipeline bubble", share,
            fmt::format(
                "Stages stand still for {} of the time (filling and draining a pipeline of {} stages with {} "
                "micro-batches costs {} where all are alike). More micro-batches, or interleaved stages, shorten it.",
                phrases::percent(share), p.stages, p.micro_batches, phrases::percent(ideal))};
  }
  return {
      "imbalance", fmt::format("rank {} waits for others", slowest.rank), share,
      fmt::format("Ranks wait for each other in {} of the time: their work is not equal.", phrases::percent(share))};
}

}  // namespace

BottleneckStatement bottleneck_of_model(const Prediction& p, const Scenario& scenario) {
  // Of a pipeline the stage that computes longest: the end of the run says nothing of it.
  const RankSummary& busiest =
      *std::max_element(p.per_rank.begin(), p.per_rank.end(),
                        [](const RankSummary& a, const RankSummary& b) { return a.compute_s < b.compute_s; });
  const double transfer = busiest.exposed_communication_s / p.makespan_s;
  const double waiting = busiest.bubble_s / p.makespan_s;
  const double merging = busiest.merge_s / p.makespan_s;
  if (transfer >= noticeable && transfer >= waiting) return exposed(p, transfer);
  if (waiting >= noticeable) return idle(p, scenario, busiest, waiting);
  if (merging >= noticeable) {
    return {"overhead", "merging partial results", merging,
            fmt::format("Merging partial results takes {} of the time: larger blocks, or a kernel that merges in its "
                        "epilogue, would help.",
                        phrases::percent(merging))};
  }
  const bool attention = busiest.attention_s >= busiest.dense_s;
  const double share = (attention ? busiest.attention_s : busiest.dense_s) / p.makespan_s;
  return {
      "compute", attention ? "attention kernels" : "matrix products", share,
      fmt::format("{} take {} of the time; waiting for transfers takes {}, other waiting {}. Faster kernels or more "
                  "ranks shorten it.",
                  attention ? "Attention kernels" : "Matrix products and passes over memory", phrases::percent(share),
                  phrases::percent(transfer), phrases::percent(waiting))};
}

}  // namespace ringsim::sim
