#include "models/alike_nodes.hpp"

#include "models/topology/neighbourhood.hpp"

#include <algorithm>
#include <variant>

namespace ringsim {
namespace {

// GPUs between neighbours of a ring.
std::int64_t apart(const Parallel& p) {
  std::int64_t stride = 1;
  for (const Axis axis : p.order) {
    if (axis == Axis::ring) break;
    stride *= p.degree(axis);
  }
  return stride;
}

bool may_be_alike(const Parallel& p, const Cluster& cluster, const Noise& noise, const RingOptions& options) {
  const bool slowed = std::any_of(noise.slow_links.begin(), noise.slow_links.end(),
                                  [](const SlowLink& slow) { return slow.from <= Duration{}; });
  return std::holds_alternative<FlatSwitch>(cluster.fabric) && p.gpus.empty() && !slowed && noise.background.empty() &&
         options.exchange != Exchange::two_level && p.ring > 1 && p.product() > flows_in_full &&
         apart(p) * p.ring % cluster.gpus_per_node == 0;
}

// The links of the first node, with what its hops ask of them.
class FirstNode {
 public:
  FirstNode(const Parallel& p, const Cluster& cluster) : network_(cluster), apart_(apart(p)), turn_(apart_ * p.ring) {}

  // Of the hop between two GPUs of the first turn.
  RingHop hop(std::int64_t from, std::int64_t to) {
    RingHop hop;
    hop.from_gpu = from;
    hop.to_gpu = to;
    hop.route = network_.route(from, to);
    hop.inter_node = hop.route.inter_node;
    hop.alone = hop.shared = network_.bandwidth(hop.route);
    flows_.resize(network_.links().size());
    demand_.resize(network_.links().size());
    for (const LinkIndex link : hop.route.links) {
      ++flows_[link];
      demand_[link] += hop.alone;
    }
    hop.route.links.clear();
    return hop;
  }

  // A neighbour in the ring, `ranks` on.
  [[nodiscard]] std::int64_t neighbour(std::int64_t gpu, std::int64_t ranks) const {
    return (gpu + ranks * apart_ + turn_) % turn_;
  }

  // Links of other nodes have been given no more than a part of their hops, which is never more than all of them.
  [[nodiscard]] bool contended() const {
    for (LinkIndex link = 0; link < flows_.size(); ++link) {
      if (flows_[link] > 1 && demand_[link] > network_.links().bandwidth(link) * (1.0 + 1e-9)) return true;
    }
    return false;
  }

 private:
  Network network_;
  std::int64_t apart_, turn_;
  std::vector<std::int64_t> flows_;
  std::vector<Bandwidth> demand_;
};

}  // namespace

std::optional<AlikeNodes> alike_nodes(const Parallel& p, const Cluster& cluster, const Noise& noise,
                                      const RingOptions& options) {
  if (!may_be_alike(p, cluster, noise, options)) return std::nullopt;
  FirstNode node(p, cluster);
  AlikeNodes alike;
  std::int64_t leaving = 0;
  const auto set_of_hops = [&](std::int64_t ranks, std::vector<RingHop>& hops) {
    for (std::int64_t gpu = 0; gpu < cluster.gpus_per_node; ++gpu) {
      hops.push_back(node.hop(gpu, node.neighbour(gpu, ranks)));
      leaving += hops.back().inter_node ? 1 : 0;
      const std::int64_t sender = node.neighbour(gpu, -ranks);
      if (sender >= cluster.gpus_per_node) static_cast<void>(node.hop(sender, gpu));
    }
  };
  set_of_hops(1, alike.hops);
  if (options.exchange == Exchange::both_ways) set_of_hops(-1, alike.second_hops);
  if (options.exchange == Exchange::all_gather) return alike;  // nothing travels from neighbour to neighbour
  if (node.contended()) return std::nullopt;
  for (auto* hops : {&alike.hops, &alike.second_hops}) {
    for (RingHop& hop : *hops) hop.only_leaving = hop.inter_node && leaving == 1;
  }
  return alike;
}

}  // namespace ringsim
