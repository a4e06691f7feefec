#include "models/topology/network.hpp"

#include "models/error.hpp"
#include "models/topology/route_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ringsim {

std::string_view name_of(Reach reach) {
  switch (reach) {
    case Reach::nvlink:
      return "nvlink";
    case Reach::pix:
      return "pix";
    case Reach::pxb:
      return "pxb";
    case Reach::phb:
      return "phb";
    case Reach::node:
      return "node";
    case Reach::sys:
      return "sys";
    case Reach::torus:
      return "torus";
    case Reach::leaf:
      return "leaf";
    case Reach::spine:
      return "spine";
    case Reach::core:
      return "core";
    case Reach::router:
      return "router";
    case Reach::group:
      return "group";
    case Reach::dragonfly:
      break;
  }
  return "dragonfly";
}

std::string_view describe(Reach reach) {
  switch (reach) {
    case Reach::nvlink:
      return "NVLink";
    case Reach::pix:
      return "one PCIe switch (PIX)";
    case Reach::pxb:
      return "several PCIe switches (PXB)";
    case Reach::phb:
      return "PCIe host bridge (PHB)";
    case Reach::node:
      return "one socket (NODE)";
    case Reach::sys:
      return "between sockets (SYS)";
    case Reach::torus:
      return "torus links";
    case Reach::leaf:
      return "one network switch (leaf)";
    case Reach::spine:
      return "over a spine";
    case Reach::core:
      return "over a core switch";
    case Reach::router:
      return "one router";
    case Reach::group:
      return "one dragonfly group";
    case Reach::dragonfly:
      break;
  }
  return "between dragonfly groups";
}

Network::Network(const Cluster& cluster) : cluster_(cluster) {}

LinkIndex Network::link(const std::string& name, Bandwidth bandwidth) {
  const auto [entry, is_new] = known_.emplace(name, links_.size());
  if (is_new) links_.push_back({name, bandwidth});
  return entry->second;
}

Bandwidth Network::bandwidth(const Route& route) const {
  Bandwidth least = bytes_per_second(std::numeric_limits<double>::infinity());
  for (const LinkIndex link : route.links) least = std::min(least, links_[link].bandwidth);
  return least;
}

Route Network::route(std::int64_t from_gpu, std::int64_t to_gpu) {
  RouteBuilder builder(*this);
  const std::int64_t n = cluster_.gpus_per_node;
  const NodeGpu from{from_gpu / n, from_gpu % n};
  const NodeGpu to{to_gpu / n, to_gpu % n};
  if (from.node == to.node) {
    inside_node(builder, cluster_, from, to);
  } else {
    if (!cluster_.inter_node) {
      throw Error("the ring leaves the node, but the cluster has no link between nodes", "cluster.inter_node",
                  "its class and bandwidth, such as {class: ib-ndr, bandwidth: 400 Gb/s}");
    }
    between_nodes(builder, cluster_, from, to);
  }
  return builder.take();
}

}  // namespace ringsim
