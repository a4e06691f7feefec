#include "models/plan.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ringsim {

std::string_view name_of(Axis axis) {
  switch (axis) {
    case Axis::tensor:
      return "tensor";
    case Axis::ulysses:
      return "ulysses";
    case Axis::ring:
      return "ring";
    case Axis::pipeline:
      return "pipeline";
    case Axis::data:
      break;
  }
  return "data";
}

std::int64_t Parallel::degree(Axis axis) const {
  switch (axis) {
    case Axis::tensor:
      return tensor;
    case Axis::ulysses:
      return ulysses;
    case Axis::ring:
      return ring;
    case Axis::pipeline:
      return pipeline;
    case Axis::data:
      break;
  }
  return data;
}

std::array<Axis, 5> parse_order(std::string_view text) {
  const Error wrong(fmt::format("\"{}\" is not an order of the five degrees", text), "parallel.order",
                    "each of tensor, ulysses, ring, pipeline, data once, joined by '-', innermost first");
  std::array<Axis, 5> order{};
  std::size_t found = 0;
  std::string_view rest = text;
  while (true) {
    const std::size_t dash = rest.find('-');
    const std::string_view word = rest.substr(0, dash);
    const auto* axis = std::find_if(all_axes.begin(), all_axes.end(), [&](Axis a) { return name_of(a) == word; });
    if (axis == all_axes.end() || found == order.size()) throw wrong;
    if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(found), *axis) !=
        order.begin() + static_cast<std::ptrdiff_t>(found)) {
      throw wrong;
    }
    order[found++] = *axis;
    if (dash == std::string_view::npos) break;
    rest.remove_prefix(dash + 1);
  }
  if (found != order.size()) throw wrong;
  return order;
}

std::string format_order(const std::array<Axis, 5>& order) {
  std::string text;
  for (const Axis axis : order) text += fmt::format("{}{}", text.empty() ? "" : "-", name_of(axis));
  return text;
}

std::int64_t gpu_of(const Parallel& p, std::int64_t tensor, std::int64_t ulysses, std::int64_t ring,
                    std::int64_t pipeline, std::int64_t data) {
  std::int64_t index = 0;
  std::int64_t stride = 1;
  for (const Axis axis : p.order) {
    const std::int64_t coordinate = axis == Axis::tensor     ? tensor
                                    : axis == Axis::ulysses  ? ulysses
                                    : axis == Axis::ring     ? ring
                                    : axis == Axis::pipeline ? pipeline
                                                             : data;
    index += coordinate * stride;
    stride *= p.degree(axis);
  }
  return index;
}

std::vector<RingHop> ring_hops(const Parallel& p, const Cluster& cluster, std::int64_t tensor, std::int64_t ulysses,
                               std::int64_t pipeline, std::int64_t data) {
  std::vector<RingHop> hops;
  if (p.ring < 2) return hops;
  hops.reserve(static_cast<std::size_t>(p.ring));
  for (std::int64_t r = 0; r < p.ring; ++r) {
    RingHop hop;
    hop.from_gpu = gpu_of(p, tensor, ulysses, r, pipeline, data);
    hop.to_gpu = gpu_of(p, tensor, ulysses, (r + 1) % p.ring, pipeline, data);
    hop.inter_node = hop.from_gpu / cluster.gpus_per_node != hop.to_gpu / cluster.gpus_per_node;
    hops.push_back(hop);
  }
  return hops;
}

RepresentativeRing representative_ring(const Parallel& p, const Cluster& cluster) {
  RepresentativeRing best;
  if (p.ring < 2) return best;
  // Every ring of the job, to count how many hops leave (or enter) a node at the same time.
  std::vector<std::vector<RingHop>> rings;
  std::map<std::int64_t, std::int64_t> leaving;
  std::map<std::int64_t, std::int64_t> entering;
  for (std::int64_t d = 0; d < p.data; ++d) {
    for (std::int64_t s = 0; s < p.pipeline; ++s) {
      for (std::int64_t u = 0; u < p.ulysses; ++u) {
        for (std::int64_t t = 0; t < p.tensor; ++t) {
          rings.push_back(ring_hops(p, cluster, t, u, s, d));
          for (const RingHop& hop : rings.back()) {
            if (!hop.inter_node) continue;
            ++leaving[hop.from_gpu / cluster.gpus_per_node];
            ++entering[hop.to_gpu / cluster.gpus_per_node];
          }
        }
      }
    }
  }
  const auto load = [&](const std::vector<RingHop>& ring) {
    std::int64_t worst = 0;
    std::int64_t outside = 0;
    for (const RingHop& hop : ring) {
      worst = std::max(worst, hop.sharing);
      outside += hop.inter_node ? 1 : 0;
    }
    return std::pair(outside > 0 ? worst : 0, outside);
  };
  for (std::vector<RingHop>& ring : rings) {
    for (RingHop& hop : ring) {
      if (!hop.inter_node) continue;
      const std::int64_t flows =
          std::max(leaving[hop.from_gpu / cluster.gpus_per_node], entering[hop.to_gpu / cluster.gpus_per_node]);
      hop.sharing = std::max<std::int64_t>(1, (flows + cluster.nics_per_node - 1) / cluster.nics_per_node);
    }
    if (best.hops.empty()) {
      best.hops = ring;
    } else {
      best.all_alike = best.all_alike && load(ring) == load(best.hops);
      if (load(ring) > load(best.hops)) best.hops = ring;
    }
  }
  return best;
}

}  // namespace ringsim
