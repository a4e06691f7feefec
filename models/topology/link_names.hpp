#pragma once
// The names of all links that a cluster has, used or not, without making the links.
//
// Links come in families whose names differ in numbers: "node#.gpu#.out" with the number of nodes and of GPUs of a node. A
// name exists where it fits a family and each of its numbers is below the family's.

#include "models/device.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim {

struct LinkFamily {
  std::string pattern;               // # stands for a number
  std::vector<std::int64_t> counts;  // of each #; numbers start at 0
  bool to_another = false;           // the last two numbers differ: links between routers, between groups
};
[[nodiscard]] std::vector<LinkFamily> link_families(const Cluster& cluster);

[[nodiscard]] bool link_exists(const Cluster& cluster, std::string_view name);

/// Throws Error at `where` where the cluster has no such link, with the nearest name that exists, or examples.
void check_link_name(const Cluster& cluster, const std::string& name, const std::string& where);

}  // namespace ringsim
