#pragma once
// What the files of this folder share: a route under construction, and one function for each part of the way.

#include "models/topology/network.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace ringsim {

struct NodeGpu {
  std::int64_t node = 0;
  std::int64_t gpu = 0;  // of the node
};

class RouteBuilder {
 public:
  explicit RouteBuilder(Network& network) : network_(network) {}
  void over(const std::string& link, Bandwidth bandwidth) { route_.links.push_back(network_.link(link, bandwidth)); }
  void reaches(Reach reach) { route_.reach = reach; }
  void leaves_node() { route_.inter_node = true; }
  [[nodiscard]] Route take() { return std::move(route_); }

 private:
  Network& network_;
  Route route_;
};

/// The NIC that a GPU of a node uses.
[[nodiscard]] inline std::int64_t nic_of(const Cluster& cluster, std::int64_t gpu) {
  return gpu * cluster.nics_per_node / cluster.gpus_per_node;
}

/// Between two GPUs of a node.
void inside_node(RouteBuilder& route, const Cluster& cluster, NodeGpu from, NodeGpu to);
/// Between GPUs of two nodes, NICs and fabric included.
void between_nodes(RouteBuilder& route, const Cluster& cluster, NodeGpu from, NodeGpu to);

}  // namespace ringsim
