// Between two GPUs of a node on an NVSwitch: out of the one's port and in at the other's.

#include "models/topology/route_builder.hpp"

#include <fmt/format.h>

namespace ringsim {

void inside_node(RouteBuilder& route, const Cluster& cluster, NodeGpu from, NodeGpu to) {
  route.reaches(Reach::nvlink);
  route.over(fmt::format("node{}.gpu{}.out", from.node, from.gpu), cluster.intra_node.bandwidth);
  route.over(fmt::format("node{}.gpu{}.in", to.node, to.gpu), cluster.intra_node.bandwidth);
}

}  // namespace ringsim
