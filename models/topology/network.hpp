#pragma once
// A cluster as directed links, and the route between any two GPUs over them.
//
// Links are named by what they leave or enter: "node3.gpu5.out", "node3.gpu5.in" (NVLink or PCIe port), "node3.nic2.out",
// "node3.gpu5.to4" (bridge), "node0.switch1.up" (towards the root), "node0.socket0.out" (towards the other sockets),
// "group0.rail3.up5" (leaf to spine), "pod0.spine3.up2" (spine to core), "gpu12.x+" (torus), "group0.router1.to3" and
// "group0.to2" (dragonfly). A link is made once a route uses it, so that a large cluster costs nothing; link_names.hpp knows
// the names of all.
//
// What is not modelled: buffers and packets inside switches, the host's memory bandwidth where peer-to-peer is off, NVLink
// forwarding to another GPU's NIC (PXN).

#include "models/device.hpp"
#include "models/topology/link_table.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ringsim {

/// How far a hop goes, by the names that `nvidia-smi topo -m` and network people use.
enum class Reach {
  nvlink,     // NVSwitch or bridge
  pix,        // one PCIe switch
  pxb,        // several PCIe switches, no host bridge
  phb,        // a host bridge
  node,       // the socket, over its own interconnect
  sys,        // between sockets
  torus,      // links of a torus
  leaf,       // out of the node, one switch of the network
  spine,      // leaf, spine, leaf
  core,       // leaf, spine, core, spine, leaf
  router,     // dragonfly: one router
  group,      // dragonfly: routers of one group
  dragonfly,  // dragonfly: another group
};
[[nodiscard]] std::string_view name_of(Reach reach);   // "nvlink", "pix", ..., "leaf", "spine"
[[nodiscard]] std::string_view describe(Reach reach);  // for people: "NVLink", "one PCIe switch (PIX)", ...

struct Route {
  std::vector<LinkIndex> links;  // in the order of travel, none twice unless the data pass it twice
  Reach reach = Reach::nvlink;
  bool inter_node = false;  // over NICs: the link class is Cluster::inter_node's, else intra_node's
};

class Network {
 public:
  /// Throws Error for a description that does not fit the cluster (check.hpp).
  explicit Network(const Cluster& cluster);

  /// Of two different GPUs of the cluster, by global index. Throws Error at "cluster.inter_node" where the GPUs are on different nodes and the
  /// cluster has no network.
  [[nodiscard]] Route route(std::int64_t from_gpu, std::int64_t to_gpu);

  /// The same into `route`, whose memory is used again: for many routes one after the other.
  void find_route(std::int64_t from_gpu, std::int64_t to_gpu, Route& route);

  [[nodiscard]] const LinkTable& links() const { return links_; }
  /// The links so far; the network starts anew.
  [[nodiscard]] LinkTable take_links() { return std::exchange(links_, {}); }
  /// The narrowest link of a route.
  [[nodiscard]] Bandwidth bandwidth(const Route& route) const;

 private:
  friend class RouteBuilder;
  Cluster cluster_;
  LinkTable links_;
  std::vector<std::int64_t> nics_;  // of every GPU of a node: the NIC that it uses
};

}  // namespace ringsim
