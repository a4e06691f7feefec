// The keys of `cluster.node` and `cluster.fabric`: the inside of a node and the network between nodes.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {
namespace {

const Condition pcie{"kind", {"pcie"}};
const Condition tree{"kind", {"tree"}};
const Condition pcie_or_tree{"kind", {"pcie", "tree"}};
const Condition fat_tree{"kind", {"fat-tree"}};
const Condition three_levels{"levels", {"3"}};
const Condition torus{"kind", {"torus"}};
const Condition dragonfly{"kind", {"dragonfly"}};

constexpr double most_switches = 1e5;
constexpr std::string_view too_many = "this program counts up to 100,000 of them";

const Mapping& vertex_spec() {
  static const Mapping spec{
      .name = "vertex",
      .description = "A vertex of a node's PCIe tree.",
      .fields = {
          {.key = "name", .description = "Its name in the names of links.", .required = true, .examples = {"switch0"}},
          {.key = "kind",
           .kind = Kind::choice,
           .description =
               "A socket is a root; host bridges are below sockets (or the only root), switches below either.",
           .fallback = "switch",
           .choices = {"socket", "host-bridge", "switch"}},
          {.key = "parent",
           .description = "Name of the vertex above, which stands before it in the list; a root has none.",
           .examples = {"socket0"}},
          {.key = "bandwidth",
           .kind = Kind::bandwidth,
           .description = "To its parent, of a socket to the other sockets; one way. Only a single root needs none.",
           .examples = {"64 GB/s"}},
      }};
  return spec;
}

const Mapping& bridge_spec() {
  static const Mapping spec{.name = "bridge",
                            .description = "NVLink between two GPUs of a node only.",
                            .fields = {
                                {.key = "first",
                                 .kind = Kind::count,
                                 .description = "A GPU of the node, from 0.",
                                 .required = true,
                                 .maximum = most_switches,
                                 .examples = {"0"}},
                                {.key = "second",
                                 .kind = Kind::count,
                                 .description = "The other GPU of the pair, from 0.",
                                 .required = true,
                                 .maximum = most_switches,
                                 .examples = {"1"}},
                                {.key = "bandwidth",
                                 .kind = Kind::bandwidth,
                                 .description = "Of all links of the bridge together, one way.",
                                 .required = true,
                                 .examples = {"300 GB/s"}},
                            }};
  return spec;
}

}  // namespace

const Mapping& node_spec() {
  static const Mapping spec{
      .name = "node",
      .description =
          "The inside of a node. Ports of GPUs have the bandwidth of cluster.intra_node, ports of NICs that of "
          "cluster.inter_node.",
      .fields =
          {
              {.key = "kind",
               .kind = Kind::choice,
               .description = "nvswitch: all GPUs on one switch. pcie: GPUs in equal groups below PCIe switches, those "
                              "below sockets. tree: every vertex written out.",
               .fallback = "nvswitch",
               .choices = {"nvswitch", "pcie", "tree"}},
              {.key = "file",
               .description = "A topology file of NCCL (NCCL_TOPO_DUMP_FILE), or what `nvidia-smi topo -m` prints, "
                              "relative to the scenario; takes the place of kind.",
               .role = Role::reference,
               .examples = {"topo.xml", "topo.txt"}},
              {.key = "nvlink",
               .kind = Kind::bandwidth,
               .description = "One NVLink, one way: for a file that counts the links of bridges.",
               .role = Role::reference,
               .examples = {"25 GB/s"}},
              {.key = "gpus_per_switch",
               .kind = Kind::count,
               .description = "GPUs below a PCIe switch.",
               .fallback = "2",
               .minimum = 1,
               .maximum = most_switches,
               .beyond = too_many,
               .only = pcie},
              {.key = "switches_per_socket",
               .kind = Kind::count,
               .description =
                   "PCIe switches below a socket; how many sockets there are follows from the GPUs of a node.",
               .fallback = "2",
               .minimum = 1,
               .maximum = most_switches,
               .beyond = too_many,
               .only = pcie},
              {.key = "uplink",
               .kind = Kind::bandwidth,
               .description = "A PCIe switch to its socket, one way; beside a file: of all its switches.",
               .required = true,
               .examples = {"64 GB/s"},
               .only = pcie},
              {.key = "socket_link",
               .kind = Kind::bandwidth,
               .description =
                   "A socket to the others, one way; beside a file: of all its sockets. A node of one socket "
                   "needs none.",
               .examples = {"40 GB/s"},
               .only = pcie},
              {.key = "nvswitch",
               .kind = Kind::boolean,
               .description = "Whether GPUs reach each other over an NVSwitch; the tree then leads to the NICs.",
               .fallback = "false",
               .only = tree},
              {.key = "peer_to_peer",
               .kind = Kind::boolean,
               .description = "Whether GPUs and NICs write to GPUs through their PCIe switch, or through the host's "
                              "memory.",
               .fallback = "true",
               .only = pcie_or_tree},
              {.key = "gpu_pcie",
               .kind = Kind::bandwidth,
               .description = "A GPU's PCIe port beside NVSwitch, one way; default: never narrow.",
               .examples = {"64 GB/s"},
               .only = tree},
              {.key = "vertices",
               .kind = Kind::mappings,
               .description = "The PCIe tree, parents before their children.",
               .fallback = "[]",
               .mapping = vertex_spec,
               .examples = {"[{name: socket0, kind: socket}, {name: switch0, parent: socket0, bandwidth: 64 GB/s}]"},
               .only = tree},
              {.key = "gpus",
               .kind = Kind::names,
               .description = "The vertex above each GPU, by name or by place in the list from 0.",
               .fallback = "[]",
               .examples = {"[switch0, switch0, switch1, switch1]"},
               .only = tree},
              {.key = "nics",
               .kind = Kind::names,
               .description = "The vertex above each NIC; default: NICs are reached over no link that could be narrow.",
               .fallback = "[]",
               .examples = {"[switch0, switch1]"},
               .only = tree},
              {.key = "bridges",
               .kind = Kind::mappings,
               .description = "NVLink bridges, preferred by their pair of GPUs.",
               .fallback = "[]",
               .mapping = bridge_spec,
               .examples = {"[{first: 0, second: 1, bandwidth: 300 GB/s}]"},
               .only = pcie_or_tree},
          },
      .refused = {{"p2p", "the key is called peer_to_peer", "peer_to_peer: false"},
                  {"nvlinks", "the key is called bridges", "bridges: [{first: 0, second: 1, bandwidth: 300 GB/s}]"}},
      .shorthand = "kind",
  };
  return spec;
}

const Mapping& fabric_spec() {
  static const Mapping spec{
      .name = "fabric",
      .description = "The network between the NICs.",
      .fields =
          {
              {.key = "kind",
               .kind = Kind::choice,
               .description =
                   "switch: one switch that never blocks. fat-tree: leaves, spines and cores. torus: the whole "
                   "cluster is a grid of GPUs that closes, without NICs. dragonfly: groups of routers.",
               .fallback = "switch",
               .choices = {"switch", "fat-tree", "torus", "dragonfly"},
               .refused = {{"flat", "a network that never blocks is called switch", "kind: switch"},
                           {"clos", "a folded Clos network is called fat-tree", "kind: fat-tree"},
                           {"spine-leaf", "leaves and spines are called fat-tree", "kind: fat-tree"},
                           {"mesh", "a grid that does not close is not in this version", "kind: torus"}}},
              {.key = "levels",
               .kind = Kind::count,
               .description = "2: leaves and spines; 3: cores above them.",
               .fallback = "2",
               .minimum = 2,
               .maximum = 3,
               .beyond = "a fat tree has 2 or 3 levels",
               .only = fat_tree},
              {.key = "rails",
               .kind = Kind::boolean,
               .description =
                   "Whether NICs of the same number have a leaf of their own; else a leaf has all NICs of its "
                   "nodes.",
               .fallback = "true",
               .only = fat_tree},
              {.key = "nodes_per_leaf",
               .kind = Kind::count,
               .description = "Nodes below a leaf: with rails, below each of the leaves of a group.",
               .fallback = "32",
               .minimum = 1,
               .maximum = 1e6,
               .beyond = "this program counts up to a million nodes",
               .only = fat_tree},
              {.key = "oversubscription",
               .kind = Kind::number,
               .description = "Of a leaf: its bandwidth to nodes by its bandwidth to spines. 1: non-blocking.",
               .fallback = "1",
               .minimum = 0.01,
               .maximum = 1000,
               .beyond = "such a leaf has no network",
               .examples = {"2"},
               .only = fat_tree},
              {.key = "spines",
               .kind = Kind::count,
               .description =
                   "Uplinks of a leaf, one to each spine (of its pod); default: as many as it takes at a NIC's "
                   "bandwidth.",
               .minimum = 1,
               .maximum = most_switches,
               .beyond = too_many,
               .examples = {"4"},
               .only = fat_tree},
              {.key = "hash_seed",
               .kind = Kind::count,
               .description = "Seed of the hash that chooses a flow's spine and core: another one collides elsewhere.",
               .fallback = "0",
               .only = fat_tree},
              {.key = "groups_per_pod",
               .kind = Kind::count,
               .description = "Groups of nodes that share a pod's spines.",
               .fallback = "4",
               .minimum = 1,
               .maximum = most_switches,
               .beyond = too_many,
               .only = three_levels},
              {.key = "spine_oversubscription",
               .kind = Kind::number,
               .description = "Of a spine: its bandwidth to leaves by its bandwidth to cores.",
               .fallback = "1",
               .minimum = 0.01,
               .maximum = 1000,
               .beyond = "such a spine has no network",
               .only = three_levels},
              {.key = "cores",
               .kind = Kind::count,
               .description = "Uplinks of a spine, one to each core; default: as many as it takes at a leaf's uplinks' "
                              "bandwidth.",
               .minimum = 1,
               .maximum = most_switches,
               .beyond = too_many,
               .examples = {"8"},
               .only = three_levels},
              {.key = "dimensions",
               .kind = Kind::counts,
               .description = "GPUs in each dimension; their product is the cluster's number of GPUs. Links have the "
                              "bandwidth of cluster.intra_node.",
               .required = true,
               .minimum = 1,
               .maximum = 1e6,
               .beyond = "this program counts up to a million GPUs in a row",
               .examples = {"[4, 4, 4]"},
               .only = torus},
              {.key = "nodes_per_router",
               .kind = Kind::count,
               .description = "Nodes whose NICs are linked to one router.",
               .fallback = "1",
               .minimum = 1,
               .maximum = most_switches,
               .beyond = too_many,
               .only = dragonfly},
              {.key = "routers_per_group",
               .kind = Kind::count,
               .description = "Routers of a group, each linked to all others of the group.",
               .fallback = "4",
               .minimum = 1,
               .maximum = most_switches,
               .beyond = too_many,
               .only = dragonfly},
              {.key = "local",
               .kind = Kind::bandwidth,
               .description = "Between two routers of a group, one way.",
               .required = true,
               .examples = {"400 Gb/s"},
               .only = dragonfly},
              {.key = "global",
               .kind = Kind::bandwidth,
               .description = "Between two groups, one way.",
               .required = true,
               .examples = {"400 Gb/s"},
               .only = dragonfly},
          },
      .shorthand = "kind",
  };
  return spec;
}

}  // namespace ringsim::scenarios
