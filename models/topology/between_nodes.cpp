// Between GPUs of two nodes: out of one's NIC, through the fabric, in at the other's.

#include "models/topology/route_builder.hpp"

#include <fmt/format.h>

namespace ringsim {

void between_nodes(RouteBuilder& route, const Cluster& cluster, NodeGpu from, NodeGpu to) {
  const Bandwidth nic = cluster.inter_node->bandwidth;
  route.leaves_node();
  route.reaches(Reach::leaf);
  route.over(fmt::format("node{}.nic{}.out", from.node, nic_of(cluster, from.gpu)), nic);
  route.over(fmt::format("node{}.nic{}.in", to.node, nic_of(cluster, to.gpu)), nic);
}

}  // namespace ringsim
