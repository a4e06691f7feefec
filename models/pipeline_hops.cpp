#include "models/pipeline_hops.hpp"

#include "models/error.hpp"
#include "models/topology/neighbourhood.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <variant>

namespace ringsim {
namespace {

struct StagedHop {
  std::int64_t stage = 0;
  RingHop hop;
};

// Sends of all stages: those of all ranks, or of a large job those from the parts of the cluster in which a stage's first rank is.
std::vector<StagedHop> all_sends(const Parallel& p, const Cluster& cluster) {
  const std::int64_t part = gpus_of_a_part(cluster);
  std::unordered_set<std::int64_t> parts;
  if (p.product() > flows_in_full) {
    for (std::int64_t s = 0; s < p.pipeline; ++s) parts.insert(gpu_of(p, 0, 0, 0, s, 0) / part);
  }
  std::vector<StagedHop> sends;
  for (std::int64_t d = 0; d < p.data; ++d) {
    for (std::int64_t s = 0; s < p.pipeline; ++s) {
      for (std::int64_t r = 0; r < p.ring; ++r) {
        for (std::int64_t u = 0; u < p.ulysses; ++u) {
          for (std::int64_t t = 0; t < p.tensor; ++t) {
            const std::int64_t from = gpu_of(p, t, u, r, s, d);
            if (!parts.empty() && !parts.contains(from / part)) continue;
            RingHop hop;
            hop.from_gpu = from;
            hop.to_gpu = gpu_of(p, t, u, r, (s + 1) % p.pipeline, d);
            sends.push_back({s, std::move(hop)});
          }
        }
      }
    }
  }
  return sends;
}

}  // namespace

std::vector<RingHop> pipeline_hops(const Parallel& p, const Cluster& cluster) {
  if (p.pipeline < 2) return {};
  Network network(cluster);
  std::vector<StagedHop> sends = all_sends(p, cluster);
  for (auto& [stage, hop] : sends) {
    const bool leaves = hop.from_gpu / cluster.gpus_per_node != hop.to_gpu / cluster.gpus_per_node;
    if (leaves && !cluster.inter_node && !std::holds_alternative<Torus>(cluster.fabric)) {
      throw Error("stages of the pipeline are on different nodes, but the cluster has no link between nodes",
                  "cluster.inter_node", "its class and bandwidth, such as {class: ib-ndr, bandwidth: 400 Gb/s}");
    }
    hop.route = network.route(hop.from_gpu, hop.to_gpu);
    hop.inter_node = hop.route.inter_node;
    hop.alone = network.bandwidth(hop.route);
  }
  std::vector<std::int64_t> flows(network.links().size());
  std::vector<Bandwidth> demand(network.links().size());
  for (const auto& [stage, hop] : sends) {
    for (const LinkIndex link : hop.route.links) {
      ++flows[link];
      demand[link] += hop.alone;
    }
  }
  std::vector<RingHop> slowest(static_cast<std::size_t>(p.pipeline));
  const auto speed = [](const RingHop& hop) { return std::tuple(!hop.inter_node, hop.shared); };
  for (auto& [stage, hop] : sends) {
    hop.shared = hop.alone;
    for (const LinkIndex link : hop.route.links) {
      const Bandwidth whole = network.links().bandwidth(link);
      const Bandwidth equal = whole / static_cast<double>(flows[link]);
      if (demand[link] <= whole * (1.0 + 1e-9) || equal >= hop.shared) continue;
      hop.shared = equal;
      hop.sharing = flows[link];
    }
    RingHop& worst = slowest[static_cast<std::size_t>(stage)];
    if (worst.route.links.empty() || speed(hop) < speed(worst)) worst = std::move(hop);
  }
  return slowest;
}

}  // namespace ringsim
