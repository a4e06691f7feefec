#include "sim/planner/placement_key.hpp"

#include <algorithm>
#include <cstdint>

namespace ringsim::sim {
namespace {

using Key = std::vector<double>;

void add(Key& key, const RingHop& hop) {
  key.insert(key.end(), {hop.inter_node ? 1.0 : 0.0, hop.only_leaving ? 1.0 : 0.0, in_bytes_per_second(hop.alone),
                         in_bytes_per_second(hop.shared)});
}

void add(Key& key, const std::vector<RingHop>& hops) {
  key.push_back(static_cast<double>(hops.size()));
  for (const RingHop& hop : hops) add(key, hop);
}

void add(Key& key, const RingHops& hops) {
  key.push_back(static_cast<double>(hops.size()));
  for (const std::uint32_t kind : hops.kind_of()) add(key, hops.kinds()[kind]);
}

void add(Key& key, const GroupPaths& paths) {
  key.insert(key.end(), {static_cast<double>(paths.ranks), static_cast<double>(paths.nodes),
                         static_cast<double>(paths.ranks_of_node), static_cast<double>(paths.paths.size())});
  for (const GroupPath& path : paths.paths) {
    key.insert(key.end(), {path.inter_node ? 1.0 : 0.0, static_cast<double>(path.ranks), path.part, path.mean,
                           in_bytes_per_second(path.bandwidth)});
  }
}

bool has_all_to_all(Group group) { return group == Group::ulysses || group == Group::ring || group == Group::expert; }

bool of_training(Group group) { return group == Group::data || group == Group::gradient; }

}  // namespace

std::vector<double> placement_key(const Scenario& s, const JobNetwork& network, const Machine& machine) {
  std::vector<Key> kinds;
  for (const std::size_t first : network.kinds) {
    Key& key = kinds.emplace_back();
    add(key, network.rings[first].hops);
    add(key, network.rings[first].second_hops);
  }
  std::sort(kinds.begin(), kinds.end());
  Key key = {static_cast<double>(kinds.size()), static_cast<double>(network.inner)};
  for (const Key& kind : kinds) key.insert(key.end(), kind.begin(), kind.end());
  if (s.parallel.pipeline > 1 && network.rings.front().job) add(key, network.rings.front().job->sends);
  for (const Group group : all_groups) {
    if (size_of(group, s.parallel) == 1) continue;
    if (of_training(group) && !runs_backward(s.workload.phase)) continue;
    add(key, machine.collectives.paths(CollectiveKind::all_gather, group));
    if (has_all_to_all(group)) add(key, machine.collectives.paths(CollectiveKind::all_to_all, group));
  }
  return key;
}

}  // namespace ringsim::sim
