#pragma once
// What the files of this folder share: a route under construction, and one function for each part of the way.

#include "models/topology/network.hpp"

#include <cstdint>
#include <string_view>

namespace ringsim {

/// A GPU by its node, with the NIC that it uses.
struct NodeGpu {
  std::int64_t node = 0;
  std::int64_t gpu = 0;  // of the node
  std::int64_t nic = 0;  // of the node
};

class RouteBuilder {
 public:
  /// Replaces `route`.
  RouteBuilder(Network& network, Route& route) : network_(network), route_(route) {
    route_.links.clear();
    route_.reach = Reach::nvlink;
    route_.inter_node = false;
  }
  /// Over the link of a family that has these numbers (link_table.hpp).
  void over(std::string_view family, const LinkNumbers& numbers, Bandwidth bandwidth) {
    route_.links.push_back(network_.links_.index_of(family, numbers, bandwidth));
  }
  void reaches(Reach reach) { route_.reach = reach; }
  void leaves_node() { route_.inter_node = true; }

 private:
  Network& network_;
  Route& route_;
};

/// Between two GPUs of a node.
void inside_node(RouteBuilder& route, const Cluster& cluster, NodeGpu from, NodeGpu to);
/// Between GPUs of two nodes, NICs and fabric included.
void between_nodes(RouteBuilder& route, const Cluster& cluster, NodeGpu from, NodeGpu to);

/// The links of a PCIe tree between two vertices, ports of the devices left out.
void over_tree(RouteBuilder& route, const NodeWiring& wiring, std::int64_t node, std::int64_t from, std::int64_t to);
/// How far two devices at these vertices are apart.
[[nodiscard]] Reach reach_in_tree(const NodeWiring& wiring, std::int64_t from, std::int64_t to);

/// The links between a NIC's port and another's.
void over_fat_tree(RouteBuilder& route, const Cluster& cluster, const FatTree& tree, NodeGpu from, NodeGpu to);
void over_dragonfly(RouteBuilder& route, const Dragonfly& dragonfly, NodeGpu from, NodeGpu to);

/// Between any two GPUs of a torus, by global index.
void over_torus(RouteBuilder& route, const Cluster& cluster, const Torus& torus, std::int64_t from, std::int64_t to);

}  // namespace ringsim
