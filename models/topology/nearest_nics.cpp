#include "models/topology/nearest_nics.hpp"

#include "models/topology/route_builder.hpp"

#include <algorithm>
#include <map>

namespace ringsim {
namespace {

std::vector<std::int64_t> nearest(const NodeWiring& wiring, std::int64_t gpu_vertex) {
  std::vector<std::int64_t> best;
  Reach least = Reach::sys;
  for (std::size_t nic = 0; nic < wiring.nic_parent.size(); ++nic) {
    const Reach reach = reach_in_tree(wiring, gpu_vertex, wiring.nic_parent[nic]);
    if (reach < least) best.clear();
    least = std::min(least, reach);
    if (reach == least) best.push_back(static_cast<std::int64_t>(nic));
  }
  return best;
}

}  // namespace

std::vector<std::int64_t> nics_of_gpus(const Cluster& cluster) {
  const auto gpus = static_cast<std::size_t>(cluster.gpus_per_node);
  std::vector<std::int64_t> nics(gpus);
  if (cluster.wiring.nic_parent.empty()) {
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
      nics[gpu] = static_cast<std::int64_t>(gpu) * cluster.nics_per_node / cluster.gpus_per_node;
    }
    return nics;
  }
  // Wires alone decide what is near, also where data take the way through the host's memory.
  NodeWiring wires = cluster.wiring;
  wires.peer_to_peer = true;
  std::map<std::vector<std::int64_t>, std::vector<std::size_t>> users;  // of equally near NICs
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) users[nearest(wires, wires.gpu_parent[gpu])].push_back(gpu);
  for (const auto& [near, of] : users) {
    for (std::size_t k = 0; k < of.size(); ++k) nics[of[k]] = near[k * near.size() / of.size()];
  }
  return nics;
}

}  // namespace ringsim
