#pragma once
// What the tests of topologies share: routes as names of links, and clusters to route on.

#include "models/error.hpp"
#include "models/job_network.hpp"
#include "models/topology/pcie_box.hpp"
#include "tests/unit/models/shapes.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim::topology {

/// A route with the names of its links.
struct Way {
  std::vector<std::string> links;
  Reach reach = Reach::nvlink;
  bool inter_node = false;
  double gigabytes_per_second = 0;  // of the narrowest link
};
inline Way way(const Cluster& cluster, std::int64_t from, std::int64_t to) {
  Network network(cluster);
  const Route route = network.route(from, to);
  Way result{{}, route.reach, route.inter_node, in_gigabytes_per_second(network.bandwidth(route))};
  for (const LinkIndex link : route.links) result.links.push_back(network.links()[link].name);
  return result;
}
inline std::vector<std::string> links(const Cluster& cluster, std::int64_t from, std::int64_t to) {
  return way(cluster, from, to).links;
}

/// Eight GPUs on PCIe: pairs below four switches, two switches a socket; ports and uplinks 32 GB/s, sockets 20 GB/s.
inline Cluster box(bool peer_to_peer = true, std::int64_t nics = 1) {
  Cluster c;
  c.gpu = shapes::h100();
  c.gpus_per_node = 8;
  c.nics_per_node = nics;
  c.intra_node = {"pcie4", gigabytes_per_second(32), std::nullopt};
  c.inter_node = Link{"ib-ndr", gigabits_per_second(400), std::nullopt};
  c.wiring = pcie_box({8, nics, 2, 2, gigabytes_per_second(32), gigabytes_per_second(20), peer_to_peer});
  return c;
}

inline Parallel plan(std::int64_t tensor, std::int64_t ring, std::int64_t data = 1,
                     const char* order = "tensor-ulysses-ring-pipeline-data") {
  Parallel p;
  p.tensor = tensor;
  p.ring = ring;
  p.data = data;
  p.order = parse_order(order);
  return p;
}

/// The Error of a topology that fits no cluster, or of a name that no link has; empty where there is none.
template <class Action>
std::optional<Error> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}
inline std::optional<Error> error_of_cluster(const Cluster& cluster) {
  return error_of([&] { static_cast<void>(Network(cluster)); });
}

}  // namespace ringsim::topology
