#include "models/topology/describe.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim {
namespace {

std::string counted(std::int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : what.ends_with("ch") ? "es" : "s");
}

std::string tree_text(const NodeWiring& wiring) {
  const auto number = [&](VertexKind kind) {
    return std::count_if(wiring.tree.begin(), wiring.tree.end(), [&](const PcieVertex& v) { return v.kind == kind; });
  };
  std::string text = "PCIe:";
  const auto add = [&](std::int64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{}", text.back() == ':' ? " " : ", ", counted(count, what));
  };
  add(number(VertexKind::socket), "socket");
  add(number(VertexKind::host_bridge), "host bridge");
  add(number(VertexKind::pcie_switch), "switch");
  if (!wiring.peer_to_peer) text += ", no peer-to-peer";
  return text;
}

std::string node_text(const Cluster& cluster) {
  const NodeWiring& wiring = cluster.wiring;
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (cluster.gpus_per_node == 1 && wiring.tree.empty()) return "one GPU a node";
  if (wiring.nvswitch) add("all-to-all");
  if (!wiring.bridges.empty()) add(counted(static_cast<std::int64_t>(wiring.bridges.size()), "NVLink bridge"));
  if (!wiring.tree.empty()) add(tree_text(wiring));
  return text;
}

std::string ratio_text(double oversubscription) {
  return oversubscription == 1 ? "non-blocking" : fmt::format("{}:1 oversubscribed", oversubscription);
}

struct FabricText {
  std::string operator()(const FlatSwitch&) const { return "flat switch"; }
  std::string operator()(const FatTree& tree) const {
    std::string text = fmt::format("fat tree of {} levels {} rails, {}", tree.levels, tree.rails ? "with" : "without",
                                   ratio_text(tree.oversubscription));
    if (tree.levels == 3) text += fmt::format(" leaves, {} spines", ratio_text(tree.spine_oversubscription));
    return text;
  }
  std::string operator()(const Torus& torus) const {
    return fmt::format("torus of {}", fmt::join(torus.dimensions, " × "));
  }
  std::string operator()(const Dragonfly& d) const {
    return fmt::format("dragonfly of {}, {} a router", counted(d.routers_per_group, "router") + " a group",
                       counted(d.nodes_per_router, "node"));
  }
};

}  // namespace

std::string describe_topology(const Cluster& cluster) {
  const std::string fabric = std::visit(FabricText{}, cluster.fabric);
  if (std::holds_alternative<Torus>(cluster.fabric)) return fabric;
  const std::string node = node_text(cluster);
  return cluster.inter_node ? fmt::format("{}; {}", node, fabric) : node;
}

}  // namespace ringsim
