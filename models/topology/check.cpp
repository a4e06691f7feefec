#include "models/topology/check.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace ringsim {
namespace {

bool has_rate(Bandwidth bandwidth) { return bandwidth > Bandwidth{} && std::isfinite(bandwidth.si()); }

bool is_numbered(std::string_view name, std::string_view stem) {
  return name.starts_with(stem) && name.find_first_not_of("0123456789", stem.size()) == std::string_view::npos;
}

// Names stand in link names, and lists of devices may give a number for a name.
void check_name(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
  if (!plain) {
    throw Error(fmt::format("the vertex name \"{}\" holds other characters than letters, digits, - and _", name),
                "cluster.node.vertices", "such as socket0 or switch3");
  }
  if (is_numbered(name, "") || is_numbered(name, "gpu") || is_numbered(name, "nic")) {
    throw Error(fmt::format("a vertex cannot be called {}: that is a number or a device", name),
                "cluster.node.vertices", "such as socket0 or switch3");
  }
}

void check_tree(const NodeWiring& wiring) {
  std::set<std::string_view> names;
  std::int64_t roots = 0;
  bool all_sockets = true;
  for (const PcieVertex& vertex : wiring.tree) {
    if (vertex.parent >= 0) continue;
    ++roots;
    all_sockets = all_sockets && vertex.kind == VertexKind::socket;
  }
  for (std::size_t i = 0; i < wiring.tree.size(); ++i) {
    const PcieVertex& vertex = wiring.tree[i];
    check_name(vertex.name);
    if (!names.insert(vertex.name).second) {
      throw Error(fmt::format("two vertices are called {}", vertex.name), "cluster.node.vertices", "a name for each");
    }
    if (vertex.parent >= static_cast<std::int64_t>(i)) {
      throw Error(fmt::format("{} stands before its parent", vertex.name), "cluster.node.vertices",
                  "parents before their children");
    }
    if (vertex.parent < 0 && vertex.kind == VertexKind::pcie_switch) {
      throw Error(fmt::format("the switch {} has no parent", vertex.name), "cluster.node.vertices",
                  "a switch hangs below a socket, a host bridge or another switch");
    }
    if (vertex.parent >= 0 && vertex.kind == VertexKind::socket) {
      throw Error(fmt::format("the socket {} has a parent", vertex.name), "cluster.node.vertices",
                  "sockets are roots; they meet over the link between sockets");
    }
    if (vertex.kind == VertexKind::host_bridge && vertex.parent >= 0 &&
        wiring.tree[static_cast<std::size_t>(vertex.parent)].kind != VertexKind::socket) {
      throw Error(fmt::format("the host bridge {} is not below a socket", vertex.name), "cluster.node.vertices",
                  "parent: a socket");
    }
    const bool used = vertex.parent >= 0 || roots > 1;
    if (used && !has_rate(vertex.bandwidth)) {
      throw Error(fmt::format("{} has no bandwidth", vertex.name), "cluster.node.vertices",
                  vertex.parent < 0 ? "bandwidth: of the link between sockets, one way, such as 40 GB/s"
                                    : "bandwidth: to its parent, one way, such as 64 GB/s");
    }
  }
  if (roots > 1 && !all_sockets) {
    throw Error("of several roots each has to be a socket", "cluster.node.vertices",
                "give the host bridges a socket as their parent");
  }
}

void check_parents(const NodeWiring& wiring, const std::vector<std::int64_t>& parents, std::int64_t devices,
                   std::string_view what, std::string_view where) {
  if (static_cast<std::int64_t>(parents.size()) != devices) {
    throw Error(fmt::format("the node has {} {}s, the tree holds {}", devices, what, parents.size()),
                std::string(where), fmt::format("the vertex of each {}, {} in all", what, devices));
  }
  for (const std::int64_t parent : parents) {
    if (parent < 0 || parent >= static_cast<std::int64_t>(wiring.tree.size())) {
      throw Error(fmt::format("the tree has no vertex {}", parent), std::string(where),
                  fmt::format("0 to {}", wiring.tree.size() - 1));
    }
  }
}

void check_bridges(const Cluster& cluster) {
  const NodeWiring& wiring = cluster.wiring;
  std::set<std::pair<std::int64_t, std::int64_t>> pairs;
  for (const NvlinkBridge& bridge : wiring.bridges) {
    const auto [low, high] = std::minmax(bridge.first, bridge.second);
    if (low < 0 || high >= cluster.gpus_per_node || low == high) {
      throw Error(fmt::format("a bridge between GPU {} and GPU {} of a node", bridge.first, bridge.second),
                  "cluster.node.bridges", fmt::format("two different GPUs of 0 to {}", cluster.gpus_per_node - 1));
    }
    if (!pairs.emplace(low, high).second) {
      throw Error(fmt::format("two bridges between GPU {} and GPU {}", low, high), "cluster.node.bridges",
                  "one, with the bandwidth of both");
    }
    if (!has_rate(bridge.bandwidth)) {
      throw Error("a bridge without bandwidth", "cluster.node.bridges", "bandwidth: one way, such as 56 GB/s");
    }
  }
  const std::int64_t all = cluster.gpus_per_node * (cluster.gpus_per_node - 1) / 2;
  if (wiring.nvswitch && !wiring.bridges.empty()) {
    throw Error("a node has an NVSwitch or bridges, not both", "cluster.node.bridges", "leave out one of them");
  }
  if (!wiring.nvswitch && wiring.tree.empty() && static_cast<std::int64_t>(pairs.size()) < all) {
    throw Error("there are GPUs in a node that nothing connects", "cluster.node",
                "an NVSwitch, PCIe vertices, or a bridge for every pair");
  }
}

void check_wiring(const Cluster& cluster) {
  const NodeWiring& wiring = cluster.wiring;
  check_bridges(cluster);
  if (wiring.gpu_pcie && !has_rate(*wiring.gpu_pcie)) {
    throw Error("a PCIe port without bandwidth", "cluster.node.gpu_pcie", "one way, such as 64 GB/s");
  }
  if (wiring.tree.empty()) {
    if (!wiring.gpu_parent.empty() || !wiring.nic_parent.empty()) {
      throw Error("devices hang below vertices, and there are none", "cluster.node.vertices", "the PCIe tree");
    }
    return;
  }
  check_tree(wiring);
  check_parents(wiring, wiring.gpu_parent, cluster.gpus_per_node, "GPU", "cluster.node.gpus");
  if (!wiring.nic_parent.empty()) {
    check_parents(wiring, wiring.nic_parent, cluster.nics_per_node, "NIC", "cluster.node.nics");
  }
}

void at_least_one(std::int64_t value, std::string_view what, std::string_view key) {
  if (value < 1) throw Error(fmt::format("{} {}", value, what), fmt::format("cluster.fabric.{}", key), "at least 1");
}

void check_fat_tree(const FatTree& tree) {
  if (tree.levels != 2 && tree.levels != 3) {
    throw Error(fmt::format("a fat tree of {} levels", tree.levels), "cluster.fabric.levels", "2 or 3");
  }
  at_least_one(tree.nodes_per_leaf, "nodes below a leaf", "nodes_per_leaf");
  at_least_one(tree.spines.value_or(1), "spines", "spines");
  at_least_one(tree.groups_per_pod, "groups in a pod", "groups_per_pod");
  at_least_one(tree.cores.value_or(1), "cores", "cores");
  for (const auto& [value, key] : {std::pair(tree.oversubscription, "oversubscription"),
                                   std::pair(tree.spine_oversubscription, "spine_oversubscription")}) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw Error(fmt::format("an oversubscription of {}", value), fmt::format("cluster.fabric.{}", key),
                  "1 for none, 2 for half of the bandwidth upwards");
    }
  }
}

void check_torus(const Torus& torus, const Cluster& cluster) {
  if (torus.dimensions.empty()) {
    throw Error("a torus without dimensions", "cluster.fabric.dimensions", fmt::format("such as [{}]", cluster.gpus()));
  }
  std::int64_t product = 1;
  for (const std::int64_t size : torus.dimensions) {
    at_least_one(size, "GPUs in a dimension", "dimensions");
    product = size > cluster.gpus() / product ? cluster.gpus() + 1 : product * size;
  }
  if (product != cluster.gpus()) {
    throw Error(
        fmt::format("a torus of {} GPUs, and the cluster has {}", fmt::join(torus.dimensions, " × "), cluster.gpus()),
        "cluster.fabric.dimensions", fmt::format("sizes whose product is nodes × gpus_per_node = {}", cluster.gpus()));
  }
  if (cluster.wiring != NodeWiring{}) {
    throw Error("a torus has no nodes inside of which GPUs are wired", "cluster.node", "leave it out");
  }
}

void check_dragonfly(const Dragonfly& dragonfly) {
  at_least_one(dragonfly.nodes_per_router, "nodes at a router", "nodes_per_router");
  at_least_one(dragonfly.routers_per_group, "routers in a group", "routers_per_group");
  for (const auto& [bandwidth, key] : {std::pair(dragonfly.local, "local"), std::pair(dragonfly.global, "global")}) {
    if (!has_rate(bandwidth)) {
      throw Error(fmt::format("the {} links have no bandwidth", key), fmt::format("cluster.fabric.{}", key),
                  "one way, such as 400 Gb/s");
    }
  }
}

}  // namespace

void check_topology(const Cluster& cluster) {
  if (const auto* torus = std::get_if<Torus>(&cluster.fabric)) return check_torus(*torus, cluster);
  check_wiring(cluster);
  if (!std::holds_alternative<FlatSwitch>(cluster.fabric) && !cluster.inter_node) {
    throw Error("the fabric connects NICs, and the cluster has none", "cluster.inter_node",
                "its class and bandwidth, such as {class: ib-ndr, bandwidth: 400 Gb/s}");
  }
  if (const auto* tree = std::get_if<FatTree>(&cluster.fabric)) check_fat_tree(*tree);
  if (const auto* dragonfly = std::get_if<Dragonfly>(&cluster.fabric)) check_dragonfly(*dragonfly);
}

}  // namespace ringsim
