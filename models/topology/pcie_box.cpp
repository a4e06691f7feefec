#include "models/topology/pcie_box.hpp"

#include <fmt/format.h>

namespace ringsim {

NodeWiring pcie_box(const PcieBox& box) {
  NodeWiring wiring;
  wiring.nvswitch = false;
  wiring.peer_to_peer = box.peer_to_peer;
  const std::int64_t switches = (box.gpus + box.gpus_per_switch - 1) / box.gpus_per_switch;
  const std::int64_t sockets = (switches + box.switches_per_socket - 1) / box.switches_per_socket;
  for (std::int64_t i = 0; i < sockets; ++i) {
    wiring.tree.push_back({fmt::format("socket{}", i), VertexKind::socket, -1, box.socket_link});
  }
  for (std::int64_t i = 0; i < switches; ++i) {
    wiring.tree.push_back(
        {fmt::format("switch{}", i), VertexKind::pcie_switch, i / box.switches_per_socket, box.uplink});
  }
  const auto switch_of = [&](std::int64_t gpu) { return sockets + gpu / box.gpus_per_switch; };
  for (std::int64_t gpu = 0; gpu < box.gpus; ++gpu) wiring.gpu_parent.push_back(switch_of(gpu));
  for (std::int64_t nic = 0; nic < box.nics; ++nic) {
    const std::int64_t first_user = (nic * box.gpus + box.nics - 1) / box.nics;
    wiring.nic_parent.push_back(switch_of(first_user < box.gpus ? first_user : box.gpus - 1));
  }
  return wiring;
}

}  // namespace ringsim
