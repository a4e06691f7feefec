#include "models/collective.hpp"

#include "models/cost.hpp"
#include "models/group_placement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ringsim {

std::string_view name_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_gather:
      return "all-gather";
    case CollectiveKind::reduce_scatter:
      return "reduce-scatter";
    case CollectiveKind::all_reduce:
      return "all-reduce";
    case CollectiveKind::all_to_all:
      break;
  }
  return "all-to-all";
}

std::string_view name_of(Group group) {
  switch (group) {
    case Group::tensor:
      return "tensor";
    case Group::ulysses:
      return "ulysses";
    case Group::ring:
      return "ring";
    case Group::context:
      return "context";
    case Group::expert:
      return "expert";
    case Group::data:
      return "data";
    case Group::gradient:
      return "gradient";
    case Group::decode_context:
      break;
  }
  return "decode-context";
}

std::int64_t size_of(Group group, const Parallel& p) {
  switch (group) {
    case Group::tensor:
      return p.tensor;
    case Group::ulysses:
      return p.ulysses;
    case Group::ring:
      return p.ring;
    case Group::context:
      return p.ulysses * p.ring;
    case Group::expert:
      return p.expert;
    case Group::data:
      return p.data;
    case Group::gradient:
      return p.ulysses * p.ring * p.data;
    case Group::decode_context:
      break;
  }
  return p.decode_context;
}

Bytes traffic_of(CollectiveKind kind, std::int64_t ranks, Bytes size) {
  const double phases = kind == CollectiveKind::all_reduce ? 2.0 : 1.0;
  return phases * size * (static_cast<double>(ranks - 1) / static_cast<double>(ranks));
}

CollectiveCosts::CollectiveCosts(const Parallel& parallel, const Cluster& cluster, const Profile& profile)
    : CollectiveCosts(std::make_shared<const GroupPlacements>(parallel, cluster), profile) {}

CollectiveCosts::CollectiveCosts(std::shared_ptr<const GroupPlacements> placements, const Profile& profile)
    : placements_(std::move(placements)), links_(profile.links), measured_(profile.collectives) {}

const GroupPaths& CollectiveCosts::paths(CollectiveKind kind, Group group) const {
  static const GroupPaths alone;
  if (!placements_) return alone;
  return kind == CollectiveKind::all_to_all ? placements_->all_to_all(group) : placements_->ring(group);
}

const Link& CollectiveCosts::link(const GroupPath& path) const {
  const Cluster& cluster = placements_->cluster();
  return path.inter_node ? *cluster.inter_node : cluster.intra_node;
}

// As a hop over the same links at this bandwidth: size-dependent rates and α included.
HopCost CollectiveCosts::cost(const GroupPath& path) const {
  HopCost cost;
  cost.bandwidth = path.bandwidth;
  if (const auto known = links_.find(link(path).link_class); known != links_.end()) {
    for (const LinkKnot& knot : known->second.by_size) {
      cost.by_size.emplace_back(knot.size, knot.size / (cost.bandwidth * knot.efficiency));
    }
    cost.bandwidth = cost.bandwidth * known->second.efficiency.value;
    cost.latency = known->second.latency.value;
  }
  if (link(path).latency) cost.latency = *link(path).latency;
  return cost;
}

Duration CollectiveCosts::slowest(const GroupPaths& paths, Bytes traffic) const {
  Duration most;
  for (const GroupPath& path : paths.paths) {
    const HopCost hop = cost(path);
    most = std::max(most, CostModel::hop(hop, traffic * path.part) - hop.latency);
  }
  return most;
}

namespace {

// Part of α that a step costs after the first.
double step_share(const GroupPath& path) { return path.inter_node ? 0.5 : 0.1; }
constexpr double message_share = 0.1;

}  // namespace

Duration CollectiveCosts::latency(CollectiveKind kind, const GroupPaths& paths, bool tree) const {
  // The last path is the one that goes farthest.
  const GroupPath& far = paths.paths.back();
  const Duration alpha = cost(far).latency;
  if (kind == CollectiveKind::all_to_all) {
    return alpha * (1.0 + message_share * static_cast<double>(paths.ranks - 2));
  }
  const double phases = kind == CollectiveKind::all_reduce ? 2.0 : 1.0;
  const auto nodes = static_cast<double>(paths.nodes);
  const double inside = phases * static_cast<double>(tree ? paths.ranks_of_node - 1 : paths.ranks - paths.nodes);
  const double between = phases * (tree ? std::ceil(std::log2(nodes)) : nodes - 1.0);
  Duration total = alpha * (1.0 - step_share(far));
  for (const GroupPath& path : paths.paths) {
    total += cost(path).latency * step_share(path) * (path.inter_node ? between : inside);
  }
  return total;
}

namespace {

// Reached / nominal bandwidth of so much traffic: between knots the time without latency is linear in the traffic.
double efficiency_of(const CollectiveCost& cost, Bytes traffic) {
  if (cost.by_size.empty()) return cost.efficiency.value;
  HopCost hop;
  hop.bandwidth = bytes_per_second(1);
  for (const LinkKnot& knot : cost.by_size) {
    hop.by_size.emplace_back(knot.size, knot.size / (hop.bandwidth * knot.efficiency));
  }
  return CostModel::reached_bandwidth(hop, traffic) / hop.bandwidth;
}

}  // namespace

std::optional<Duration> CollectiveCosts::measured(CollectiveKind kind, const GroupPaths& paths, Bytes traffic) const {
  const std::string& link_class = link(paths.paths.back()).link_class;
  const CollectiveCost* below = nullptr;
  const CollectiveCost* above = nullptr;
  for (const CollectiveCost& known : measured_) {
    if (known.kind != name_of(kind) || known.link_class != link_class) continue;
    if (known.ranks <= paths.ranks && (below == nullptr || known.ranks > below->ranks)) below = &known;
    if (known.ranks >= paths.ranks && (above == nullptr || known.ranks < above->ranks)) above = &known;
  }
  if (below == nullptr) below = above;
  if (above == nullptr) above = below;
  if (below == nullptr) return std::nullopt;
  const auto position = [](std::int64_t ranks) { return std::log(static_cast<double>(ranks)); };
  const double part = below->ranks == above->ranks ? 0.0
                                                   : (position(paths.ranks) - position(below->ranks)) /
                                                         (position(above->ranks) - position(below->ranks));
  const Duration latency = below->latency.value + part * (above->latency.value - below->latency.value);
  const double least = efficiency_of(*below, traffic);
  const double efficiency = least + part * (efficiency_of(*above, traffic) - least);
  Duration nominal;
  for (const GroupPath& path : paths.paths) nominal = std::max(nominal, traffic * path.part / path.bandwidth);
  return latency + nominal / efficiency;
}

Duration CollectiveCosts::time(CollectiveKind kind, Group group, Bytes size) const {
  const GroupPaths& all = paths(kind, group);
  if (all.paths.empty() || size <= Bytes{}) return {};
  if (const std::optional<Duration> known = measured(kind, all, traffic_of(kind, all.ranks, size))) return *known;
  if (kind != CollectiveKind::all_reduce) {
    return latency(kind, all, false) + slowest(all, traffic_of(kind, all.ranks, size));
  }
  const Bytes phase = traffic_of(CollectiveKind::reduce_scatter, all.ranks, size);
  const Duration ring = latency(kind, all, false) + 2.0 * slowest(all, phase);
  if (all.nodes < 2) return ring;
  return std::min(ring, latency(kind, all, true) + 2.0 * slowest(all, size));
}

std::vector<LinkTraffic> CollectiveCosts::traffic(CollectiveKind kind, Group group, Bytes size) const {
  const GroupPaths& all = paths(kind, group);
  std::vector<LinkTraffic> parts;
  for (const GroupPath& path : all.paths) {
    parts.push_back({link(path).link_class, path.inter_node, traffic_of(kind, all.ranks, size) * path.mean});
  }
  return parts;
}

}  // namespace ringsim
