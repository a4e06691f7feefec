#include "models/topology/link_names.hpp"

#include "models/error.hpp"
#include "models/names.hpp"
#include "models/topology/fabric_shapes.hpp"
#include "models/topology/torus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace ringsim {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void inside_nodes(const Cluster& cluster, std::vector<LinkFamily>& families) {
  const NodeWiring& wiring = cluster.wiring;
  const std::int64_t nodes = cluster.nodes;
  const std::int64_t gpus = cluster.gpus_per_node;
  if (wiring.nvswitch || !wiring.tree.empty()) {
    families.push_back({"node#.gpu#.out", {nodes, gpus}});
    families.push_back({"node#.gpu#.in", {nodes, gpus}});
  }
  if (wiring.nvswitch && wiring.gpu_pcie && !wiring.nic_parent.empty()) {
    families.push_back({"node#.gpu#.pcie.out", {nodes, gpus}});
    families.push_back({"node#.gpu#.pcie.in", {nodes, gpus}});
  }
  for (const NvlinkBridge& bridge : wiring.bridges) {
    families.push_back({fmt::format("node#.gpu{}.to{}", bridge.first, bridge.second), {nodes}});
    families.push_back({fmt::format("node#.gpu{}.to{}", bridge.second, bridge.first), {nodes}});
  }
  const auto roots = std::count_if(wiring.tree.begin(), wiring.tree.end(), [](const auto& v) { return v.parent < 0; });
  for (const PcieVertex& vertex : wiring.tree) {
    if (vertex.parent < 0 && roots == 1) continue;
    families.push_back({fmt::format("node#.{}.{}", vertex.name, vertex.parent < 0 ? "out" : "up"), {nodes}});
    families.push_back({fmt::format("node#.{}.{}", vertex.name, vertex.parent < 0 ? "in" : "down"), {nodes}});
  }
}

void between_nodes(const Cluster& cluster, std::vector<LinkFamily>& families) {
  if (!cluster.inter_node) return;
  families.push_back({"node#.nic#.out", {cluster.nodes, cluster.nics_per_node}});
  families.push_back({"node#.nic#.in", {cluster.nodes, cluster.nics_per_node}});
  if (const auto* tree = std::get_if<FatTree>(&cluster.fabric)) {
    const FatTreeShape shape = shape_of(*tree, cluster);
    for (const char* direction : {"up", "down"}) {
      if (tree->rails) {
        families.push_back(
            {fmt::format("group#.rail#.{}#", direction), {shape.groups, shape.leaves_per_group, shape.uplinks}});
      } else {
        families.push_back({fmt::format("group#.{}#", direction), {shape.groups, shape.uplinks}});
      }
      if (tree->levels == 3) {
        families.push_back(
            {fmt::format("pod#.spine#.{}#", direction), {shape.pods, shape.uplinks, shape.spine_uplinks}});
      }
    }
  }
  if (const auto* dragonfly = std::get_if<Dragonfly>(&cluster.fabric)) {
    const DragonflyShape shape = shape_of(*dragonfly, cluster);
    families.push_back({"group#.router#.to#", {shape.groups, shape.routers_per_group, shape.routers_per_group}, true});
    families.push_back({"group#.to#", {shape.groups, shape.groups}, true});
  }
}

// The numbers that a name has where the family has #; nothing where it does not fit.
std::optional<std::vector<std::int64_t>> numbers_of(std::string_view name, const LinkFamily& family) {
  std::vector<std::int64_t> numbers;
  std::size_t at = 0;
  for (const char c : family.pattern) {
    if (c != '#') {
      if (at == name.size() || name[at] != c) return std::nullopt;
      ++at;
      continue;
    }
    const std::size_t start = at;
    std::int64_t number = 0;
    while (at < name.size() && is_digit(name[at]) && at - start < 9) number = 10 * number + (name[at++] - '0');
    const bool leading_zero = name[start] == '0' && at - start > 1;
    if (at == start || leading_zero || number >= family.counts[numbers.size()]) return std::nullopt;
    numbers.push_back(number);
  }
  if (at != name.size()) return std::nullopt;
  if (family.to_another && numbers[numbers.size() - 1] == numbers[numbers.size() - 2]) return std::nullopt;
  return numbers;
}

// The name of the family that has the numbers of `name`, as far as they are below the family's; 0 where it has no number.
std::optional<std::string> like(std::string_view name, const LinkFamily& family) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (!is_digit(name[at])) continue;
    std::int64_t number = 0;
    while (at < name.size() && is_digit(name[at]))
      number = std::min<std::int64_t>(1e9, 10 * number + (name[at++] - '0'));
    numbers.push_back(number);
  }
  numbers.resize(family.counts.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::min(numbers[i], family.counts[i] - 1);
  if (family.to_another) {
    std::int64_t& last = numbers.back();
    if (family.counts.back() < 2) return std::nullopt;
    if (last == numbers[numbers.size() - 2]) last = last == 0 ? 1 : last - 1;
  }
  std::string text;
  std::size_t next = 0;
  for (const char c : family.pattern) text += c == '#' ? std::to_string(numbers[next++]) : std::string(1, c);
  return text;
}

}  // namespace

std::vector<LinkFamily> link_families(const Cluster& cluster) {
  std::vector<LinkFamily> families;
  if (const auto* torus = std::get_if<Torus>(&cluster.fabric)) {
    for (std::size_t d = 0; d < torus->dimensions.size(); ++d) {
      if (torus->dimensions[d] == 1) continue;
      families.push_back({fmt::format("gpu#.{}+", dimension_name(*torus, d)), {cluster.gpus()}});
      families.push_back({fmt::format("gpu#.{}-", dimension_name(*torus, d)), {cluster.gpus()}});
    }
    return families;
  }
  inside_nodes(cluster, families);
  between_nodes(cluster, families);
  return families;
}

bool link_exists(const Cluster& cluster, std::string_view name) {
  const std::vector<LinkFamily> families = link_families(cluster);
  return std::any_of(families.begin(), families.end(),
                     [&](const LinkFamily& family) { return numbers_of(name, family).has_value(); });
}

void check_link_name(const Cluster& cluster, const std::string& name, const std::string& where) {
  if (link_exists(cluster, name)) return;
  std::vector<std::string> candidates;
  for (const LinkFamily& family : link_families(cluster)) {
    if (const auto candidate = like(name, family)) candidates.push_back(*candidate);
  }
  const std::string_view near = nearest(name, {candidates.begin(), candidates.end()});
  std::string hint = fmt::format("did you mean {}?", near);
  if (near.empty()) {
    candidates.resize(std::min<std::size_t>(candidates.size(), 8));
    hint = candidates.empty() ? "this cluster has no links" : fmt::format("such as {}", fmt::join(candidates, ", "));
  }
  throw Error(fmt::format("the cluster has no link {}", name), where, hint);
}

}  // namespace ringsim
