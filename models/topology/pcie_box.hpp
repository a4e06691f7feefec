#pragma once
// The wiring of a common PCIe box: GPUs in groups below PCIe switches, switches below sockets.

#include "models/topology/wiring.hpp"

#include <cstdint>

namespace ringsim {

struct PcieBox {
  std::int64_t gpus = 8;
  std::int64_t nics = 0;
  std::int64_t gpus_per_switch = 2;
  std::int64_t switches_per_socket = 2;
  Bandwidth uplink;       // of a switch to its socket, each direction
  Bandwidth socket_link;  // of a socket to the others, each direction; unused in a box of one socket
  bool peer_to_peer = true;
};

/// GPU g is below switch floor(g / gpus_per_switch), which is below socket floor(switch / switches_per_socket). The NICs are
/// spread evenly: NIC i hangs below the switch of GPU ceil(i · gpus / nics), which is the first that uses it.
[[nodiscard]] NodeWiring pcie_box(const PcieBox& box);

}  // namespace ringsim
