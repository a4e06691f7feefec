// Random clusters of every kind of topology: routes start at the source and end at the destination, pass no link twice, reach
// as far back as forth, and use only links whose names exist.
#include "models/topology/link_names.hpp"
#include "models/topology/network.hpp"
#include "models/topology/pcie_box.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace ringsim {
namespace {

std::int64_t from_to(std::int64_t low, std::int64_t high) { return *rc::gen::inRange<std::int64_t>(low, high + 1); }

Bandwidth any_bandwidth() { return gigabytes_per_second(static_cast<double>(from_to(1, 100))); }

// A tree of random depth and width, devices anywhere but on switches that have no parent.
NodeWiring any_tree(std::int64_t gpus, std::int64_t nics) {
  NodeWiring wiring;
  wiring.nvswitch = false;
  wiring.peer_to_peer = *rc::gen::arbitrary<bool>();
  const std::int64_t sockets = from_to(1, 3);
  for (std::int64_t i = 0; i < sockets; ++i) {
    wiring.tree.push_back({fmt::format("s{}", i), VertexKind::socket, -1, any_bandwidth()});
  }
  const std::int64_t bridges = from_to(0, 3);
  for (std::int64_t i = 0; i < bridges; ++i) {
    wiring.tree.push_back({fmt::format("b{}", i), VertexKind::host_bridge, from_to(0, sockets - 1), any_bandwidth()});
  }
  for (std::int64_t i = from_to(0, 6); i > 0; --i) {
    const std::int64_t parent = from_to(0, static_cast<std::int64_t>(wiring.tree.size()) - 1);
    wiring.tree.push_back({fmt::format("w{}", i), VertexKind::pcie_switch, parent, any_bandwidth()});
  }
  const auto vertex = [&] { return from_to(0, static_cast<std::int64_t>(wiring.tree.size()) - 1); };
  for (std::int64_t i = 0; i < gpus; ++i) wiring.gpu_parent.push_back(vertex());
  for (std::int64_t i = 0; i < nics; ++i) wiring.nic_parent.push_back(vertex());
  return wiring;
}

Cluster any_cluster() {
  Cluster c;
  c.nodes = from_to(1, 12);
  c.gpus_per_node = from_to(1, 8);
  c.nics_per_node = from_to(1, 8);
  c.intra_node.bandwidth = any_bandwidth();
  c.inter_node = Link{"net", any_bandwidth(), std::nullopt};
  switch (from_to(0, 3)) {
    case 0:
      c.wiring = any_tree(c.gpus_per_node, c.nics_per_node);
      break;
    case 1:
      c.wiring = any_tree(c.gpus_per_node, c.nics_per_node);
      c.wiring.nvswitch = true;
      c.wiring.gpu_pcie = any_bandwidth();
      break;
    case 2:
      c.wiring = any_tree(c.gpus_per_node, c.nics_per_node);
      if (c.gpus_per_node > 1) c.wiring.bridges = {{0, c.gpus_per_node - 1, any_bandwidth()}};
      break;
    default:
      break;
  }
  switch (from_to(0, 3)) {
    case 0: {
      FatTree tree;
      tree.levels = from_to(2, 3);
      tree.rails = *rc::gen::arbitrary<bool>();
      tree.nodes_per_leaf = from_to(1, 4);
      tree.groups_per_pod = from_to(1, 3);
      tree.oversubscription = static_cast<double>(from_to(1, 4));
      tree.hash_seed = *rc::gen::arbitrary<std::uint64_t>();
      if (*rc::gen::arbitrary<bool>()) tree.spines = from_to(1, 5);
      c.fabric = tree;
      break;
    }
    case 1:
      c.fabric = Dragonfly{from_to(1, 2), from_to(1, 3), any_bandwidth(), any_bandwidth()};
      break;
    case 2: {
      Torus torus{{from_to(1, 5), from_to(1, 5), from_to(1, 4)}};
      c.gpus_per_node = torus.dimensions[0] * torus.dimensions[1];
      c.nodes = torus.dimensions[2];
      c.wiring = {};
      c.fabric = torus;
      break;
    }
    default:
      break;
  }
  return c;
}

RC_GTEST_PROP(Topology, RoutesAreWays, ()) {
  const Cluster c = any_cluster();
  RC_PRE(c.gpus() > 1);
  const std::int64_t from = from_to(0, c.gpus() - 1);
  const std::int64_t to = (from + from_to(1, c.gpus() - 1)) % c.gpus();
  Network network(c);
  const Route route = network.route(from, to);
  RC_ASSERT(!route.links.empty());
  const auto name = [&](LinkIndex link) { return network.links()[link].name; };
  // Out of the source's port, in at the destination's.
  const bool torus = std::holds_alternative<Torus>(c.fabric);
  const auto device = [&](std::int64_t gpu) {
    return torus ? fmt::format("gpu{}.", gpu)
                 : fmt::format("node{}.gpu{}.", gpu / c.gpus_per_node, gpu % c.gpus_per_node);
  };
  const auto node = [&](std::int64_t gpu) { return fmt::format("node{}.nic", gpu / c.gpus_per_node); };
  RC_ASSERT(name(route.links.front()).starts_with(device(from)) ||
            (route.inter_node && name(route.links.front()).starts_with(node(from))));
  const std::string last = name(route.links.back());
  if (torus) {
    // The last link leaves a neighbour of the destination: one more step in its direction arrives.
    Network back(c);
    const std::int64_t neighbour = std::stoll(last.substr(3));
    RC_ASSERT(neighbour == from || back.route(neighbour, to).links.size() == 1U);
  } else if (route.reach == Reach::nvlink && !c.wiring.nvswitch) {
    RC_ASSERT(last == fmt::format("{}to{}", device(from), to % c.gpus_per_node));  // a bridge
  } else {
    RC_ASSERT((last.starts_with(device(to)) || (route.inter_node && last.starts_with(node(to)))) &&
              last.ends_with("in"));
  }
  std::set<LinkIndex> once(route.links.begin(), route.links.end());
  RC_ASSERT(once.size() == route.links.size());
  for (const LinkIndex link : route.links) {
    RC_ASSERT(link_exists(c, name(link)));
    RC_ASSERT(network.links()[link].bandwidth > Bandwidth{});
  }
  RC_ASSERT(route.inter_node == (!torus && from / c.gpus_per_node != to / c.gpus_per_node));
}

RC_GTEST_PROP(Topology, TheWayBackReachesAsFar, ()) {
  const Cluster c = any_cluster();
  RC_PRE(c.gpus() > 1);
  const std::int64_t from = from_to(0, c.gpus() - 1);
  const std::int64_t to = (from + from_to(1, c.gpus() - 1)) % c.gpus();
  Network network(c);
  const Route there = network.route(from, to);
  const Route back = network.route(to, from);
  RC_ASSERT(there.reach == back.reach);
  RC_ASSERT(there.inter_node == back.inter_node);
  RC_ASSERT(there.links.size() == back.links.size());
}

}  // namespace
}  // namespace ringsim
