#include "models/placement.hpp"

#include <algorithm>
#include <numeric>
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

// How many of 0, 1, ..., end - 1 have a remainder of at least `least` when divided by `by`.
std::int64_t count_of_remainders(std::int64_t end, std::int64_t least, std::int64_t by) {
  return end / by * (by - least) + std::max<std::int64_t>(0, end % by - least);
}

// Rank i on GPU i, G GPUs a node. A ring of the axis has D ranks S apart, and turns of S rings stand one after the other, D S ranks
// each. Of a turn all but the last S ranks send S further, which leaves the node where i mod G >= G - S (always from S = G on);
// the last S send (D - 1) S back, where i mod G < (D - 1) S. Turns repeat where they stand the same way in their nodes.
std::int64_t hops_between_nodes_in_order(const Parallel& p, std::int64_t gpus_per_node, Axis axis) {
  std::int64_t apart = 1;
  for (const Axis inner : p.order) {
    if (inner == axis) break;
    apart *= p.degree(inner);
  }
  const std::int64_t g = gpus_per_node;
  const std::int64_t turn = apart * p.degree(axis);
  const std::int64_t back = turn - apart;
  const auto of_turn = [&](std::int64_t which) {
    const std::int64_t first = which * turn;
    const std::int64_t last = first + back;  // where those begin that send back
    const auto among = [g](std::int64_t begin, std::int64_t end, std::int64_t least) {
      return count_of_remainders(end, least, g) - count_of_remainders(begin, least, g);
    };
    return among(first, last, g - std::min(g, apart)) + apart - among(last, first + turn, std::min(g, back));
  };
  const std::int64_t turns = p.product() / turn;
  const std::int64_t period = g / std::gcd(turn, g);
  std::int64_t count = 0;
  for (std::int64_t which = 0; which < std::min(turns, period); ++which) {
    count += of_turn(which) * ((turns - which + period - 1) / period);
  }
  return count;
}

}  // namespace

std::int64_t hops_between_nodes(const Parallel& p, const Cluster& cluster, Axis axis) {
  if (p.degree(axis) < 2) return 0;
  if (p.gpus.empty()) return hops_between_nodes_in_order(p, cluster.gpus_per_node, axis);
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
