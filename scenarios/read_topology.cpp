// `node` and `fabric` to NodeWiring and Fabric.

#include "models/error.hpp"
#include "models/names.hpp"
#include "models/topology/pcie_box.hpp"
#include "scenarios/read_parts.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::scenarios {
namespace {

std::optional<Bandwidth> optional_bandwidth_at(const Value& mapping, std::string_view key) {
  const Value* value = mapping.find(key);
  return value == nullptr ? std::nullopt : std::optional(parse_bandwidth(value->text));
}

NodeWiring read_pcie(const Value& node, const Cluster& cluster) {
  PcieBox box;
  box.gpus = cluster.gpus_per_node;
  box.nics = cluster.inter_node ? cluster.nics_per_node : 0;
  box.gpus_per_switch = count_at(node, "gpus_per_switch");
  box.switches_per_socket = count_at(node, "switches_per_socket");
  box.uplink = parse_bandwidth(text_at(node, "uplink"));
  const std::int64_t gpus_of_socket = box.gpus_per_switch * box.switches_per_socket;
  const std::optional<Bandwidth> socket_link = optional_bandwidth_at(node, "socket_link");
  if (!socket_link && box.gpus > gpus_of_socket) {
    throw Error(fmt::format("{} GPUs and {} a socket make several sockets, and the link between them has no bandwidth",
                            box.gpus, gpus_of_socket),
                "cluster.node.socket_link", "for example socket_link: 40 GB/s");
  }
  box.socket_link = socket_link.value_or(Bandwidth{});
  box.peer_to_peer = flag_at(node, "peer_to_peer");
  return pcie_box(box);
}

// Index of the vertex that a text names, or counts to.
std::int64_t vertex_of(const std::string& text, const std::vector<PcieVertex>& tree, const std::string& where) {
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    const std::int64_t index = text.size() < 10 ? parse_count(text) : static_cast<std::int64_t>(tree.size());
    if (index < static_cast<std::int64_t>(tree.size())) return index;
    throw Error(fmt::format("there is no vertex {}", text), where, fmt::format("{} vertices, from 0", tree.size()));
  }
  const auto at = std::find_if(tree.begin(), tree.end(), [&](const PcieVertex& v) { return v.name == text; });
  if (at != tree.end()) return at - tree.begin();
  std::vector<std::string_view> names;
  for (const PcieVertex& vertex : tree) names.push_back(vertex.name);
  throw Error(fmt::format("no vertex is called {}", text), where, name_hint(text, names, "vertices"));
}

NodeWiring read_tree(const Value& node) {
  NodeWiring wiring;
  wiring.nvswitch = flag_at(node, "nvswitch");
  wiring.peer_to_peer = flag_at(node, "peer_to_peer");
  wiring.gpu_pcie = optional_bandwidth_at(node, "gpu_pcie");
  for (const Value& item : part(node, "vertices").items) {
    PcieVertex vertex;
    vertex.name = text_at(item, "name");
    const std::string& kind = text_at(item, "kind");
    vertex.kind = kind == "socket"        ? VertexKind::socket
                  : kind == "host-bridge" ? VertexKind::host_bridge
                                          : VertexKind::pcie_switch;
    if (const Value* parent = item.find("parent"); parent != nullptr) {
      vertex.parent = vertex_of(parent->text, wiring.tree, "cluster.node.vertices");
    }
    vertex.bandwidth = optional_bandwidth_at(item, "bandwidth").value_or(Bandwidth{});
    wiring.tree.push_back(std::move(vertex));
  }
  for (const Value& gpu : part(node, "gpus").items) {
    wiring.gpu_parent.push_back(vertex_of(gpu.text, wiring.tree, "cluster.node.gpus"));
  }
  for (const Value& nic : part(node, "nics").items) {
    wiring.nic_parent.push_back(vertex_of(nic.text, wiring.tree, "cluster.node.nics"));
  }
  return wiring;
}

FatTree read_fat_tree(const Value& fabric) {
  FatTree tree;
  tree.levels = count_at(fabric, "levels");
  tree.rails = flag_at(fabric, "rails");
  tree.nodes_per_leaf = count_at(fabric, "nodes_per_leaf");
  tree.oversubscription = parse_number(text_at(fabric, "oversubscription"));
  tree.spines = optional_count_at(fabric, "spines");
  tree.hash_seed = static_cast<std::uint64_t>(count_at(fabric, "hash_seed"));
  if (tree.levels == 3) {
    tree.groups_per_pod = count_at(fabric, "groups_per_pod");
    tree.spine_oversubscription = parse_number(text_at(fabric, "spine_oversubscription"));
    tree.cores = optional_count_at(fabric, "cores");
  }
  return tree;
}

}  // namespace

NodeWiring read_node(const Value& node, const Cluster& cluster) {
  const std::string& kind = text_at(node, "kind");
  if (kind == "nvswitch") return {};
  NodeWiring wiring = kind == "pcie" ? read_pcie(node, cluster) : read_tree(node);
  for (const Value& bridge : part(node, "bridges").items) {
    wiring.bridges.push_back(
        {count_at(bridge, "first"), count_at(bridge, "second"), parse_bandwidth(text_at(bridge, "bandwidth"))});
  }
  return wiring;
}

Fabric read_fabric(const Value& fabric) {
  const std::string& kind = text_at(fabric, "kind");
  if (kind == "fat-tree") return read_fat_tree(fabric);
  if (kind == "torus") {
    Torus torus;
    for (const Value& size : part(fabric, "dimensions").items) torus.dimensions.push_back(parse_count(size.text));
    return torus;
  }
  if (kind == "dragonfly") {
    return Dragonfly{count_at(fabric, "nodes_per_router"), count_at(fabric, "routers_per_group"),
                     parse_bandwidth(text_at(fabric, "local")), parse_bandwidth(text_at(fabric, "global"))};
  }
  return FlatSwitch{};
}

}  // namespace ringsim::scenarios
