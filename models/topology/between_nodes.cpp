// Between GPUs of two nodes: from the GPU to its NIC, out of that NIC, through the fabric, in at the other's NIC and to the
// other GPU (GPUDirect RDMA; without peer-to-peer through the host's memory, as inside the node).
//
// Where the node has a PCIe tree, the way between GPU and NIC uses its links, and a GPU's PCIe port: the port that the
// node's GPUs talk over (node.gpu.out), or beside NVLink one of its own (node.gpu.pcie.out), which is left out where its
// bandwidth is not known.

#include "models/topology/route_builder.hpp"

namespace ringsim {
namespace {

void port(RouteBuilder& route, const Cluster& cluster, NodeGpu at, bool out) {
  if (!cluster.wiring.nvswitch) {
    route.over(out ? "node#.gpu#.out" : "node#.gpu#.in", {at.node, at.gpu}, cluster.intra_node.bandwidth);
  } else if (cluster.wiring.gpu_pcie) {
    route.over(out ? "node#.gpu#.pcie.out" : "node#.gpu#.pcie.in", {at.node, at.gpu}, *cluster.wiring.gpu_pcie);
  }
}

bool nics_in_tree(const NodeWiring& wiring) { return !wiring.nic_parent.empty(); }

}  // namespace

void between_nodes(RouteBuilder& route, const Cluster& cluster, NodeGpu from, NodeGpu to) {
  const NodeWiring& wiring = cluster.wiring;
  const Bandwidth nic = cluster.inter_node->bandwidth;
  const auto gpu_at = [&](NodeGpu g) { return wiring.gpu_parent[static_cast<std::size_t>(g.gpu)]; };
  const auto nic_at = [&](NodeGpu g) { return wiring.nic_parent[static_cast<std::size_t>(g.nic)]; };
  route.leaves_node();
  route.reaches(Reach::leaf);
  if (nics_in_tree(wiring)) {
    port(route, cluster, from, true);
    over_tree(route, wiring, from.node, gpu_at(from), nic_at(from));
  }
  route.over("node#.nic#.out", {from.node, from.nic}, nic);
  if (const auto* tree = std::get_if<FatTree>(&cluster.fabric)) over_fat_tree(route, cluster, *tree, from, to);
  if (const auto* dragonfly = std::get_if<Dragonfly>(&cluster.fabric)) over_dragonfly(route, *dragonfly, from, to);
  route.over("node#.nic#.in", {to.node, to.nic}, nic);
  if (nics_in_tree(wiring)) {
    over_tree(route, wiring, to.node, nic_at(to), gpu_at(to));
    port(route, cluster, to, false);
  }
}

}  // namespace ringsim
