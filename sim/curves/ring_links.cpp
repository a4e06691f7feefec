#include "sim/curves/ring_links.hpp"

#include <algorithm>

namespace ringsim::sim {

bool crosses_nodes(const JobNetwork& network) {
  const PlacedRing& ring = network.rings[network.slowest];
  const auto crosses = [](const RingHop& hop) { return hop.inter_node; };
  return std::any_of(ring.hops.kinds().begin(), ring.hops.kinds().end(), crosses) ||
         std::any_of(ring.second_hops.kinds().begin(), ring.second_hops.kinds().end(), crosses);
}

const Link& ring_link(const Scenario& s, bool inter_node) {
  return inter_node ? *s.cluster.inter_node : s.cluster.intra_node;
}

Scenario with_bandwidth(const Scenario& scenario, bool inter_node, Bandwidth bandwidth) {
  Scenario s = scenario;
  if (inter_node) {
    s.cluster.inter_node->bandwidth = bandwidth;
    return s;
  }
  const double factor = bandwidth / s.cluster.intra_node.bandwidth;
  s.cluster.intra_node.bandwidth = bandwidth;
  NodeWiring& wiring = s.cluster.wiring;
  if (wiring.nvswitch) return s;  // the tree is the way to the NICs alone
  for (NvlinkBridge& bridge : wiring.bridges) bridge.bandwidth = bridge.bandwidth * factor;
  for (PcieVertex& vertex : wiring.tree) vertex.bandwidth = vertex.bandwidth * factor;
  return s;
}

}  // namespace ringsim::sim
