#include "models/topology/neighbourhood.hpp"

#include <variant>

namespace ringsim {

std::int64_t gpus_of_a_part(const Cluster& cluster) {
  if (std::holds_alternative<Torus>(cluster.fabric)) return cluster.gpus();
  if (const auto* tree = std::get_if<FatTree>(&cluster.fabric)) return tree->nodes_per_leaf * cluster.gpus_per_node;
  if (const auto* dragonfly = std::get_if<Dragonfly>(&cluster.fabric)) {
    return dragonfly->routers_per_group * dragonfly->nodes_per_router * cluster.gpus_per_node;
  }
  return cluster.gpus_per_node;
}

}  // namespace ringsim
