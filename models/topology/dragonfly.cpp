// Ways through a dragonfly (Kim, Dally, Scott, Abts, ISCA 2008), minimal routes: to the router with the link to the other
// group, over that link, and to the router of the destination.
//
// Of G groups of a routers each group has one link to every other group. The link of group g to group h is on router
//
//   gateway(g, h) = i mod a,   i = h for h < g, h - 1 for h > g        (i counts the other groups: 0 to G - 2)
//
// Links: "group0.router1.to3" between routers of a group, "group0.to5" between groups.
// Not modelled: Valiant and adaptive routes, which spread traffic between two groups over third ones.

#include "models/topology/fabric_shapes.hpp"
#include "models/topology/route_builder.hpp"

namespace ringsim {
namespace {

std::int64_t gateway(const Dragonfly& dragonfly, std::int64_t group, std::int64_t other) {
  return (other < group ? other : other - 1) % dragonfly.routers_per_group;
}

}  // namespace

DragonflyShape shape_of(const Dragonfly& dragonfly, const Cluster& cluster) {
  const std::int64_t nodes = dragonfly.nodes_per_router * dragonfly.routers_per_group;
  return {dragonfly.routers_per_group, (cluster.nodes + nodes - 1) / nodes};
}

void over_dragonfly(RouteBuilder& route, const Dragonfly& dragonfly, NodeGpu from, NodeGpu to) {
  const std::int64_t a = dragonfly.routers_per_group;
  const std::int64_t source_router = from.node / dragonfly.nodes_per_router;
  const std::int64_t target_router = to.node / dragonfly.nodes_per_router;
  const std::int64_t source_group = source_router / a;
  const std::int64_t target_group = target_router / a;
  const auto local = [&](std::int64_t group, std::int64_t router, std::int64_t other) {
    if (router != other) route.over("group#.router#.to#", {group, router, other}, dragonfly.local);
  };
  if (source_group == target_group) {
    route.reaches(source_router == target_router ? Reach::router : Reach::group);
    local(source_group, source_router % a, target_router % a);
    return;
  }
  route.reaches(Reach::dragonfly);
  local(source_group, source_router % a, gateway(dragonfly, source_group, target_group));
  route.over("group#.to#", {source_group, target_group}, dragonfly.global);
  local(target_group, gateway(dragonfly, target_group, source_group), target_router % a);
}

}  // namespace ringsim
