#pragma once
// The inside of a node: how its GPUs reach each other and its NICs. A description; models/topology/network.hpp turns it into
// links and routes.
//
// A node is an NVSwitch, or a tree of PCIe, or both (NVLink between GPUs, PCIe to the NICs), or NVLink bridges between pairs
// of GPUs and PCIe for the rest. Every edge of the tree is a link up and a link down of its own.

#include "models/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim {

enum class VertexKind { socket, host_bridge, pcie_switch };

constexpr std::string_view name_of(VertexKind kind) {
  return kind == VertexKind::socket ? "socket" : kind == VertexKind::host_bridge ? "host-bridge" : "switch";
}

/// A vertex of the PCIe tree. Roots are sockets (or the only host bridge); they meet over the link between sockets.
struct PcieVertex {
  std::string name;  // unique in the node: "socket0", "switch3"
  VertexKind kind = VertexKind::pcie_switch;
  std::int64_t parent = -1;  // index into NodeWiring::tree, smaller than its own; -1: a root
  Bandwidth bandwidth;       // to the parent, of a root to the other roots; each direction
  friend bool operator==(const PcieVertex&, const PcieVertex&) = default;
};

/// NVLink between two GPUs only.
struct NvlinkBridge {
  std::int64_t first = 0;  // GPUs of the node
  std::int64_t second = 0;
  Bandwidth bandwidth;  // each direction
  friend bool operator==(const NvlinkBridge&, const NvlinkBridge&) = default;
};

struct NodeWiring {
  /// All GPUs on one NVSwitch (or mesh that acts as one): a link up and a link down of each, at Cluster::intra_node.
  bool nvswitch = true;
  std::vector<NvlinkBridge> bridges;
  std::vector<PcieVertex> tree;          // empty: NICs are reached over no link that could be narrow
  std::vector<std::int64_t> gpu_parent;  // vertex of each GPU; empty where the tree is
  std::vector<std::int64_t> nic_parent;  // vertex of each NIC; empty where the tree is, or where there is no NIC
  /// A GPU's PCIe port, each direction, where Cluster::intra_node is an NVSwitch's; absent: it is never narrow.
  std::optional<Bandwidth> gpu_pcie{};
  /// GPUs write to each other and to NICs through their PCIe switch. false: through the host's memory, so that even a pair
  /// below one switch climbs its uplink, both ways at once.
  bool peer_to_peer = true;
  friend bool operator==(const NodeWiring&, const NodeWiring&) = default;
};

}  // namespace ringsim
