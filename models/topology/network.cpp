#include "models/topology/network.hpp"

#include "models/error.hpp"
#include "models/topology/check.hpp"
#include "models/topology/nearest_nics.hpp"
#include "models/topology/route_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ringsim {

Network::Network(const Cluster& cluster) : cluster_(cluster) {
  check_topology(cluster);
  nics_ = nics_of_gpus(cluster);
}

Bandwidth Network::bandwidth(const Route& route) const {
  Bandwidth least = bytes_per_second(std::numeric_limits<double>::infinity());
  for (const LinkIndex link : route.links) least = std::min(least, links_.bandwidth(link));
  return least;
}

Route Network::route(std::int64_t from_gpu, std::int64_t to_gpu) {
  Route route;
  find_route(from_gpu, to_gpu, route);
  return route;
}

void Network::find_route(std::int64_t from_gpu, std::int64_t to_gpu, Route& route) {
  RouteBuilder builder(*this, route);
  if (const auto* torus = std::get_if<Torus>(&cluster_.fabric)) {
    over_torus(builder, cluster_, *torus, from_gpu, to_gpu);
    return;
  }
  const std::int64_t n = cluster_.gpus_per_node;
  const auto place = [&](std::int64_t gpu) {
    return NodeGpu{gpu / n, gpu % n, nics_[static_cast<std::size_t>(gpu % n)]};
  };
  const NodeGpu from = place(from_gpu);
  const NodeGpu to = place(to_gpu);
  if (from.node == to.node) {
    inside_node(builder, cluster_, from, to);
  } else {
    if (!cluster_.inter_node) {
      throw Error("the ring leaves the node, but the cluster has no link between nodes", "cluster.inter_node",
                  "its class and bandwidth, such as {class: ib-ndr, bandwidth: 400 Gb/s}");
    }
    between_nodes(builder, cluster_, from, to);
  }
}

}  // namespace ringsim
