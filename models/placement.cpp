#include "models/placement.hpp"

#include <algorithm>
#include <tuple>
#include <variant>

namespace ringsim {
namespace {

// Coordinates in the order of all_axes.
using Coordinates = std::array<std::int64_t, 5>;

std::int64_t gpu_at(const Parallel& p, const Coordinates& c) { return gpu_of(p, c[0], c[1], c[2], c[3], c[4]); }

bool next(const Parallel& p, Coordinates& c) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (++c[i] < p.degree(all_axes[i])) return true;
    c[i] = 0;
  }
  return false;
}

}  // namespace

std::int64_t hops_between_nodes(const Parallel& p, const Cluster& cluster, Axis axis) {
  if (p.degree(axis) < 2) return 0;
  const auto which = static_cast<std::size_t>(std::find(all_axes.begin(), all_axes.end(), axis) - all_axes.begin());
  std::int64_t count = 0;
  Coordinates at{};
  do {
    Coordinates to = at;
    to[which] = (to[which] + 1) % p.degree(axis);
    if (gpu_at(p, at) / cluster.gpus_per_node != gpu_at(p, to) / cluster.gpus_per_node) ++count;
  } while (next(p, at));
  return count;
}

std::optional<BetterOrder> better_order(const Parallel& p, const Cluster& cluster) {
  if (!p.gpus.empty() || std::holds_alternative<Torus>(cluster.fabric)) return std::nullopt;
  const std::int64_t now = hops_between_nodes(p, cluster, Axis::ring);
  if (now == 0) return std::nullopt;
  const std::int64_t tensor = hops_between_nodes(p, cluster, Axis::tensor);
  const std::int64_t ulysses = hops_between_nodes(p, cluster, Axis::ulysses);
  std::optional<BetterOrder> best;
  Parallel other = p;
  other.order = all_axes;
  do {
    const std::int64_t hops = hops_between_nodes(other, cluster, Axis::ring);
    if (hops >= (best ? best->hops_between_nodes : now)) continue;
    if (hops_between_nodes(other, cluster, Axis::tensor) > tensor) continue;
    if (hops_between_nodes(other, cluster, Axis::ulysses) > ulysses) continue;
    best = BetterOrder{other.order, hops};
  } while (std::next_permutation(other.order.begin(), other.order.end()));
  return best;
}

}  // namespace ringsim
