#include "scenarios/format_topology.hpp"

#include "scenarios/units.hpp"

#include <fmt/format.h>

namespace ringsim::scenarios {
namespace {

std::string devices(std::string_view key, const std::vector<std::int64_t>& parents, const NodeWiring& wiring) {
  std::string text;
  for (const std::int64_t parent : parents) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", wiring.tree.at(static_cast<std::size_t>(parent)).name);
  }
  return fmt::format("{}: [{}]\n", key, text);
}

struct FabricText {
  std::string operator()(const FlatSwitch&) const { return "{kind: switch}"; }
  std::string operator()(const FatTree& tree) const {
    std::string text = fmt::format("{{kind: fat-tree, levels: {}, rails: {}, nodes_per_leaf: {}, oversubscription: {}",
                                   tree.levels, tree.rails, tree.nodes_per_leaf, format_number(tree.oversubscription));
    if (tree.spines) text += fmt::format(", spines: {}", *tree.spines);
    text += fmt::format(", hash_seed: {}", tree.hash_seed);
    if (tree.levels == 3) {
      text += fmt::format(", groups_per_pod: {}, spine_oversubscription: {}", tree.groups_per_pod,
                          format_number(tree.spine_oversubscription));
      if (tree.cores) text += fmt::format(", cores: {}", *tree.cores);
    }
    return text + "}";
  }
  std::string operator()(const Torus& torus) const {
    return fmt::format("{{kind: torus, dimensions: [{}]}}", fmt::join(torus.dimensions, ", "));
  }
  std::string operator()(const Dragonfly& d) const {
    return fmt::format("{{kind: dragonfly, nodes_per_router: {}, routers_per_group: {}, local: {}, global: {}}}",
                       d.nodes_per_router, d.routers_per_group, format_bandwidth(d.local), format_bandwidth(d.global));
  }
};

}  // namespace

std::string format_node(const NodeWiring& wiring, const std::string& indent) {
  if (wiring == NodeWiring{}) return fmt::format("{}kind: nvswitch\n", indent);
  std::string text = fmt::format("{}kind: tree\n{}nvswitch: {}\n{}peer_to_peer: {}\n", indent, indent, wiring.nvswitch,
                                 indent, wiring.peer_to_peer);
  if (wiring.gpu_pcie) text += fmt::format("{}gpu_pcie: {}\n", indent, format_bandwidth(*wiring.gpu_pcie));
  if (!wiring.tree.empty()) text += indent + "vertices:\n";
  for (const PcieVertex& vertex : wiring.tree) {
    text += fmt::format("{}  - {{name: {}, kind: {}", indent, vertex.name, name_of(vertex.kind));
    if (vertex.parent >= 0)
      text += fmt::format(", parent: {}", wiring.tree.at(static_cast<std::size_t>(vertex.parent)).name);
    if (vertex.bandwidth != Bandwidth{}) text += fmt::format(", bandwidth: {}", format_bandwidth(vertex.bandwidth));
    text += "}\n";
  }
  if (!wiring.gpu_parent.empty()) text += indent + devices("gpus", wiring.gpu_parent, wiring);
  if (!wiring.nic_parent.empty()) text += indent + devices("nics", wiring.nic_parent, wiring);
  if (!wiring.bridges.empty()) text += indent + "bridges:\n";
  for (const NvlinkBridge& bridge : wiring.bridges) {
    text += fmt::format("{}  - {{first: {}, second: {}, bandwidth: {}}}\n", indent, bridge.first, bridge.second,
                        format_bandwidth(bridge.bandwidth));
  }
  return text;
}

std::string format_fabric(const Fabric& fabric) { return std::visit(FabricText{}, fabric); }

}  // namespace ringsim::scenarios
