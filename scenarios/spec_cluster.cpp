// The keys of `cluster`: GPUs, nodes and the links between them.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {
namespace {

const Mapping& link_spec() {
  static const Mapping spec{
      .name = "link",
      .description = "Links of one kind, by their data sheet.",
      .fields = {
          {.key = "class",
           .description = "The name by which a profile knows these links.",
           .required = true,
           .examples = {"nvlink4", "ib-ndr", "pcie5"}},
          {.key = "bandwidth",
           .kind = Kind::bandwidth,
           .description =
               "Nominal, in one direction: of a GPU's port inside the node, of a NIC between nodes. Data sheets "
               "often add both directions up (NVLink \"900 GB/s\" is 450 GB/s one way).",
           .required = true,
           .examples = {"450 GB/s", "400 Gb/s"}},
          {.key = "latency",
           .kind = Kind::duration,
           .description = "Fixed cost of a hop; default: the profile's for this class.",
           .examples = {"5 us"}},
      }};
  return spec;
}

}  // namespace

const Mapping& gpu_spec() {
  static const Mapping spec{
      .name = "gpu",
      .description = "An accelerator by its data sheet, or a CPU core that stands for one. It has at least one rate.",
      .fields =
          {
              {.key = "use",
               .description = "Name of a GPU of the library; the other keys override it.",
               .role = Role::reference,
               .examples = {"h100-sxm"}},
              {.key = "name", .description = "Name in reports.", .fallback = "custom", .examples = {"h100-sxm"}},
              {.key = "bf16",
               .kind = Kind::flop_rate,
               .description = "Dense bf16 and fp16 rate. Data sheets often print the sparse rate, twice as high.",
               .examples = {"989 TFLOP/s"}},
              {.key = "fp8",
               .kind = Kind::flop_rate,
               .description = "Dense fp8 rate; needed where workload.dtype is fp8.",
               .examples = {"1979 TFLOP/s"}},
              {.key = "fp32",
               .kind = Kind::flop_rate,
               .description = "IEEE single precision rate: of CPUs. TF32 is another format.",
               .examples = {"96 GFLOP/s"}},
              {.key = "fp64",
               .kind = Kind::flop_rate,
               .description = "IEEE double precision rate: of CPUs.",
               .examples = {"48 GFLOP/s"}},
              {.key = "memory",
               .kind = Kind::bytes,
               .description = "Capacity of its memory, against which the terms of a run are held.",
               .required = true,
               .examples = {"80 GB"}},
              {.key = "memory_bandwidth",
               .kind = Kind::bandwidth,
               .description = "Rate of its memory by the data sheet.",
               .required = true,
               .examples = {"3350 GB/s"}},
              {.key = "multiprocessors",
               .kind = Kind::count,
               .description = "SMs or compute units: small kernels do not fill them all.",
               .minimum = 1,
               .examples = {"132"}},
              {.key = "power",
               .kind = Kind::power,
               .description = "Of the board at full load: the limit that the data sheet gives.",
               .examples = {"700 W"}},
              {.key = "idle_power",
               .kind = Kind::power,
               .description =
                   "Of the board when it waits; without it a used GPU counts with its full power all the time.",
               .examples = {"70 W"}},
              {.key = "default_profile",
               .description = "Profile of scenarios that name none.",
               .fallback = "datasheet",
               .examples = {"h100-sxm", "datasheet"}},
              {.key = "description", .description = "One line about the GPU.", .role = Role::note},
              {.key = "source",
               .description = "Where all the numbers come from that `sources` does not name.",
               .role = Role::note},
              {.key = "sources",
               .kind = Kind::table,
               .description = "Where single numbers come from, by key.",
               .role = Role::note},
          },
      .shorthand = "use",
      .library = LibraryKind::gpu,
      .any_of = {"bf16", "fp8", "fp32", "fp64"},
  };
  return spec;
}

const Mapping& cluster_spec() {
  static const Mapping spec{
      .name = "cluster",
      .description = "Identical nodes and the network between them.",
      .fields =
          {
              {.key = "use",
               .description =
                   "Name of a cluster of the library, or a YAML file relative to the scenario; the other keys override "
                   "it.",
               .role = Role::reference,
               .examples = {"dgx-h100", "path/to/cluster.yaml"}},
              {.key = "name", .description = "Name in reports.", .fallback = "custom", .examples = {"dgx-h100"}},
              {.key = "gpu",
               .kind = Kind::mapping,
               .description = "The GPUs: a name of the library, overrides of one, or written out.",
               .required = true,
               .mapping = gpu_spec,
               .examples = {"h100-sxm", "{use: h100-sxm, memory: 96 GB}"}},
              {.key = "nodes",
               .kind = Kind::count,
               .description = "Number of nodes; all are alike.",
               .fallback = "1",
               .minimum = 1,
               .maximum = most_ranks,
               .beyond = "this program counts up to 16 million nodes (2^24)",
               .examples = {"8"}},
              {.key = "gpus_per_node",
               .kind = Kind::count,
               .description = "GPUs of a node, on links of intra_node.",
               .required = true,
               .minimum = 1,
               .maximum = 1e5,
               .beyond = "this program counts up to 100,000 GPUs a node",
               .examples = {"8"}},
              {.key = "nics_per_node",
               .kind = Kind::count,
               .description = "Network ports of a node; default: one a GPU.",
               .minimum = 1,
               .maximum = 1e5,
               .beyond = "this program counts up to 100,000 NICs a node",
               .examples = {"8"}},
              {.key = "intra_node",
               .kind = Kind::mapping,
               .description = "Links between the GPUs of a node.",
               .required = true,
               .mapping = link_spec,
               .examples = {"{class: nvlink4, bandwidth: 450 GB/s}"}},
              {.key = "inter_node",
               .kind = Kind::mapping,
               .description = "A NIC's link to the other nodes; needed where a ring leaves its node.",
               .mapping = link_spec,
               .examples = {"{class: ib-ndr, bandwidth: 400 Gb/s}"}},
              {.key = "node",
               .kind = Kind::mapping,
               .description = "The inside of a node: how its GPUs reach each other and its NICs.",
               .fallback = "{}",
               .mapping = node_spec,
               .examples = {"{kind: pcie, uplink: 64 GB/s, socket_link: 40 GB/s}", "{file: topo.xml}"}},
              {.key = "fabric",
               .kind = Kind::mapping,
               .description = "The network between the NICs.",
               .fallback = "{}",
               .mapping = fabric_spec,
               .examples = {"{kind: fat-tree, nodes_per_leaf: 16, oversubscription: 2}",
                            "{kind: torus, dimensions: [4, 4, 4]}"}},
              {.key = "description", .description = "One line about the cluster.", .role = Role::note},
              {.key = "source",
               .description = "Where all the numbers come from that `sources` does not name.",
               .role = Role::note},
              {.key = "sources",
               .kind = Kind::table,
               .description = "Where single numbers come from, by key.",
               .role = Role::note},
          },
      .refused = {{"topology", "the inside of a node is called node, the network between nodes fabric",
                   "fabric: {kind: fat-tree}"},
                  {"gpus", "GPUs are counted by nodes and gpus_per_node", "nodes: 8, gpus_per_node: 8"},
                  {"links", "links are called intra_node and inter_node",
                   "intra_node: {class: nvlink4, bandwidth: 450 GB/s}"}},
      .shorthand = "use",
      .library = LibraryKind::cluster,
  };
  return spec;
}

}  // namespace ringsim::scenarios
