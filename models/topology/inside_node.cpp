// Between two GPUs of a node: over their bridge where they have one, over the NVSwitch, or over PCIe.
//
//   NVSwitch   gpu.out  gpu'.in                                   at Cluster::intra_node
//   bridge     gpu.to'                                            at the bridge's bandwidth
//   PCIe       gpu.out  up ... up  down ... down  gpu'.in         ports at Cluster::intra_node, the tree at its own

#include "models/topology/route_builder.hpp"

#include <algorithm>

namespace ringsim {

void inside_node(RouteBuilder& route, const Cluster& cluster, NodeGpu from, NodeGpu to) {
  const NodeWiring& wiring = cluster.wiring;
  const auto bridge = std::find_if(wiring.bridges.begin(), wiring.bridges.end(), [&](const NvlinkBridge& b) {
    return std::minmax(b.first, b.second) == std::minmax(from.gpu, to.gpu);
  });
  if (bridge != wiring.bridges.end()) {
    route.reaches(Reach::nvlink);
    route.over("node#.gpu#.to#", {from.node, from.gpu, to.gpu}, bridge->bandwidth);
    return;
  }
  route.over("node#.gpu#.out", {from.node, from.gpu}, cluster.intra_node.bandwidth);
  if (wiring.nvswitch) {
    route.reaches(Reach::nvlink);
  } else {
    const std::int64_t source = wiring.gpu_parent[static_cast<std::size_t>(from.gpu)];
    const std::int64_t target = wiring.gpu_parent[static_cast<std::size_t>(to.gpu)];
    route.reaches(reach_in_tree(wiring, source, target));
    over_tree(route, wiring, from.node, source, target);
  }
  route.over("node#.gpu#.in", {to.node, to.gpu}, cluster.intra_node.bandwidth);
}

}  // namespace ringsim
