// Ways in a PCIe tree: up from the one vertex to the lowest that both are below, and down to the other. Of two sockets,
// over the link between them once: out of the one's end, in at the other's.
//
// Without peer-to-peer everything passes the host's memory at the socket of the source, so that the way climbs to the root
// and comes down again, for two GPUs below one switch too. Their two directions then share the switch's uplink and its
// downlink, which is how such a pair ends up slower than one across the sockets (NVIDIA/nccl issue 1309).
//
// Not modelled: the host's memory bandwidth, and what root complexes lose on peer-to-peer traffic between their ports.

#include "models/topology/route_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ringsim {
namespace {

// The vertex and all above it, up to its root.
std::vector<std::int64_t> ancestors(const NodeWiring& wiring, std::int64_t vertex) {
  std::vector<std::int64_t> chain;
  for (; vertex >= 0; vertex = wiring.tree[static_cast<std::size_t>(vertex)].parent) chain.push_back(vertex);
  return chain;
}

// Where two ways to the root meet: how many vertices of each lie below the common one. Without one: all of them.
struct Meeting {
  std::size_t up = 0;
  std::size_t down = 0;
};
Meeting meeting(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
  Meeting below{from.size(), to.size()};
  while (below.up > 0 && below.down > 0 && from[below.up - 1] == to[below.down - 1]) {
    --below.up;
    --below.down;
  }
  return below;
}

}  // namespace

Reach reach_in_tree(const NodeWiring& wiring, std::int64_t from, std::int64_t to) {
  const std::vector<std::int64_t> source = ancestors(wiring, from);
  const std::vector<std::int64_t> target = ancestors(wiring, to);
  if (source.back() != target.back()) return Reach::sys;
  const Meeting below = meeting(source, target);
  const std::size_t switches = below.up + 1 + below.down;
  // Through the host's memory the nearest vertex that is no switch counts: two below one switch meet at their host bridge.
  std::size_t at = below.up;
  const auto kind = [&](std::size_t i) { return wiring.tree[static_cast<std::size_t>(source[i])].kind; };
  while (!wiring.peer_to_peer && kind(at) == VertexKind::pcie_switch) ++at;
  switch (kind(at)) {
    case VertexKind::pcie_switch:
      return switches == 1 ? Reach::pix : Reach::pxb;
    case VertexKind::host_bridge:
      return Reach::phb;
    case VertexKind::socket:
      break;
  }
  return Reach::node;
}

void over_tree(RouteBuilder& route, const NodeWiring& wiring, std::int64_t node, std::int64_t from, std::int64_t to) {
  const std::vector<std::int64_t> source = ancestors(wiring, from);
  const std::vector<std::int64_t> target = ancestors(wiring, to);
  const bool one_root = source.back() == target.back();
  Meeting below = meeting(source, target);
  if (!wiring.peer_to_peer || !one_root) below = {source.size() - 1, target.size() - 1};
  const auto over = [&](std::int64_t vertex, const char* end) {
    const PcieVertex& v = wiring.tree[static_cast<std::size_t>(vertex)];
    route.over(fmt::format("node#.{}.{}", v.name, end), {node}, v.bandwidth);
  };
  for (std::size_t i = 0; i < below.up; ++i) over(source[i], "up");
  if (!one_root) {
    over(source.back(), "out");
    over(target.back(), "in");
  }
  for (std::size_t i = below.down; i > 0; --i) over(target[i - 1], "down");
}

}  // namespace ringsim
