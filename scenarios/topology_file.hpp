#pragma once
// Files in which a machine says how it is wired: NCCL's topology (XML, NCCL_TOPO_DUMP_FILE) and what `nvidia-smi topo -m`
// prints.

#include "models/topology/wiring.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ringsim::scenarios {

/// What the scenario says of rates, one way. Laid over those of a file that has some; needed where a file has none.
struct TopologyRates {
  std::optional<Bandwidth> uplink;       // of every PCIe switch
  std::optional<Bandwidth> socket_link;  // between sockets
  std::optional<Bandwidth> nvlink;       // one link of a bridge
  std::optional<Bandwidth> port;  // cluster.intra_node: the uplinks of a node without NVSwitch, where nothing is said
};

struct TopologyFile {
  NodeWiring wiring;
  std::int64_t gpus = 0;
  std::int64_t nics = 0;
};

/// Either format, told apart by the first character. Throws Error with file:line where the text is damaged, and at
/// "cluster.node..." where a rate is missing.
[[nodiscard]] TopologyFile read_topology_file(std::string_view text, std::string_view file, const TopologyRates& rates);

[[nodiscard]] TopologyFile read_nccl_topology(std::string_view text, std::string_view file, const TopologyRates& rates);
[[nodiscard]] TopologyFile read_topology_matrix(std::string_view text, std::string_view file,
                                                const TopologyRates& rates);

}  // namespace ringsim::scenarios
