#include "models/group_placement.hpp"

#include "models/error.hpp"
#include "models/group_members.hpp"
#include "models/topology/nearest_nics.hpp"
#include "models/topology/neighbourhood.hpp"
#include "models/topology/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <variant>

namespace ringsim {
namespace {

// Members of a group that share a node, and those at which rings enter it: one for each NIC that they use.
struct NodeMembers {
  std::vector<std::int64_t> gpus;
  std::vector<std::size_t> entries;  // index into gpus
};

// What the flows of a job ask of a link, in units of a rank's traffic.
struct Load {
  double all = 0;
  double one = 0;  // the most of it that one member sends, or one receives
  std::int64_t sender = -1, receiver = -1;
  double sent = 0, received = 0;  // by these two
  bool inside = false;            // routes inside a node pass it
  bool outside = false;           // routes between nodes
};

class Placing {
 public:
  Placing(Group group, const Parallel& parallel, const Cluster& cluster)
      : group_(group),
        members_(group, parallel),
        cluster_(cluster),
        network_(cluster),
        nics_(nics_of_gpus(cluster)),
        begin_(0),
        end_(parallel.product()) {
    if (parallel.gpus.empty()) return;
    const auto [least, most] = std::minmax_element(parallel.gpus.begin(), parallel.gpus.end());
    begin_ = *least / gpus_of_a_part(cluster) * gpus_of_a_part(cluster);
    end_ = *most + 1;
  }

  GroupPaths run(bool all_to_all) {
    GroupPaths result;
    result.ranks = members_.size();
    if (result.ranks < 2) return result;
    const std::int64_t part = gpus_of_a_part(cluster_);
    const std::int64_t flows_of_gpu = all_to_all ? result.ranks - 1 : 1;
    end_ = std::min(end_, begin_ + std::max(part, flows_in_full / flows_of_gpu / part * part));
    for (const std::int64_t group : members_.groups_on(begin_, end_)) {
      const std::vector<std::int64_t> gpus = members_.gpus(group);
      const std::vector<NodeMembers> nodes = by_node(gpus);
      result.nodes = std::max(result.nodes, std::int64_t{std::ssize(nodes)});
      for (const NodeMembers& node : nodes) {
        result.ranks_of_node = std::max(result.ranks_of_node, std::int64_t{std::ssize(node.gpus)});
      }
      if (nodes.size() > 1) check_network();
      counted_ranks_ += std::count_if(gpus.begin(), gpus.end(), [this](std::int64_t gpu) { return counted(gpu); });
      if (all_to_all) {
        add_pairs(gpus);
      } else {
        add_rings(nodes);
      }
    }
    for (const bool outside : {false, true}) {
      if (const std::optional<GroupPath> path = slowest(outside)) {
        result.paths.push_back(*path);
        result.paths.back().ranks = outside ? result.nodes : result.ranks_of_node;
      }
    }
    return result;
  }

 private:
  [[nodiscard]] bool counted(std::int64_t gpu) const { return gpu >= begin_ && gpu < end_; }
  [[nodiscard]] std::int64_t node_of(std::int64_t gpu) const {
    return std::holds_alternative<Torus>(cluster_.fabric) ? 0 : gpu / cluster_.gpus_per_node;
  }

  [[nodiscard]] std::vector<NodeMembers> by_node(const std::vector<std::int64_t>& gpus) const {
    std::vector<NodeMembers> nodes;
    for (const std::int64_t gpu : gpus) {
      if (nodes.empty() || node_of(nodes.back().gpus.front()) != node_of(gpu)) nodes.emplace_back();
      nodes.back().gpus.push_back(gpu);
    }
    for (NodeMembers& node : nodes) {
      std::set<std::int64_t> nics;
      for (std::size_t i = 0; i < node.gpus.size(); ++i) {
        const std::int64_t place = node.gpus[i] % cluster_.gpus_per_node;
        if (nics.insert(nics_[static_cast<std::size_t>(place)]).second) node.entries.push_back(i);
      }
    }
    return nodes;
  }

  void check_network() const {
    if (cluster_.inter_node) return;
    throw Error(fmt::format("the {} ranks that work together are on different nodes, but the cluster has no link "
                            "between nodes",
                            name_of(group_)),
                "cluster.inter_node", "its class and bandwidth, such as {class: ib-ndr, bandwidth: 400 Gb/s}");
  }

  void add_rings(const std::vector<NodeMembers>& nodes) {
    std::size_t rings = nodes.front().entries.size();
    for (const NodeMembers& node : nodes) rings = std::min(rings, node.entries.size());
    const bool one_node = nodes.size() == 1;
    const double of_a_ring = 1.0 / static_cast<double>(rings);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const NodeMembers& node = nodes[k];
      const auto entries_end = node.entries.begin() + static_cast<std::ptrdiff_t>(rings);
      const std::size_t members = node.gpus.size();
      for (std::size_t i = 0; i < members && members > 1; ++i) {
        const std::size_t into = (i + 1) % members;
        const bool enters = !one_node && std::find(node.entries.begin(), entries_end, into) != entries_end;
        add(node.gpus[i], node.gpus[into], enters ? 1.0 - of_a_ring : 1.0);
      }
      if (one_node) continue;
      const NodeMembers& next = nodes[(k + 1) % nodes.size()];
      for (std::size_t j = 0; j < rings; ++j) {
        add(node.gpus[node.entries[j]], next.gpus[next.entries[j]], of_a_ring);
      }
    }
  }

  void add_pairs(const std::vector<std::int64_t>& gpus) {
    const double of_a_pair = 1.0 / static_cast<double>(gpus.size() - 1);
    const auto first = std::find_if(gpus.begin(), gpus.end(), [this](std::int64_t gpu) { return counted(gpu); });
    const auto last = std::find_if(first, gpus.end(), [this](std::int64_t gpu) { return !counted(gpu); });
    for (auto from = gpus.begin(); from != gpus.end(); ++from) {
      const bool all = counted(*from);  // of others only what goes to those that are counted
      for (auto to = all ? gpus.begin() : first; to != (all ? gpus.end() : last); ++to) {
        if (from != to) add(*from, *to, of_a_pair);
      }
    }
  }

  void add(std::int64_t from, std::int64_t to, double weight) {
    if (weight <= 0 || (!counted(from) && !counted(to))) return;
    const Route route = network_.route(from, to);
    loads_.resize(network_.links().size());
    if (counted(from)) (route.inter_node ? sent_outside_ : sent_inside_) += weight;
    for (const LinkIndex link : route.links) {
      Load& load = loads_[link];
      load.all += weight;
      load.sent = load.sender == from ? load.sent + weight : weight;
      load.received = load.receiver == to ? load.received + weight : weight;
      load.sender = from;
      load.receiver = to;
      load.one = std::max({load.one, load.sent, load.received});
      (route.inter_node ? load.outside : load.inside) = true;
    }
  }

  [[nodiscard]] std::optional<GroupPath> slowest(bool outside) const {
    std::optional<GroupPath> path;
    double most = 0;
    for (LinkIndex link = 0; link < loads_.size(); ++link) {
      const Load& load = loads_[link];
      if (!(outside ? load.outside : load.inside)) continue;
      const Bandwidth whole = network_.links().bandwidth(link);
      const double time = load.all / in_bytes_per_second(whole);
      if (path && time <= most * (1.0 + 1e-9)) continue;
      most = time;
      path.emplace();
      path->inter_node = outside;
      path->part = load.one;
      path->bandwidth = whole * (load.one / load.all);
    }
    if (path) path->mean = (outside ? sent_outside_ : sent_inside_) / static_cast<double>(counted_ranks_);
    return path;
  }

  const Group group_;
  const GroupMembers members_;
  const Cluster& cluster_;
  Network network_;
  const std::vector<std::int64_t> nics_;
  std::int64_t begin_, end_;  // GPUs whose traffic is counted
  std::int64_t counted_ranks_ = 0;
  std::vector<Load> loads_;  // by link of the network
  double sent_inside_ = 0, sent_outside_ = 0;
};

}  // namespace

struct GroupPlacements::Lazy {
  std::once_flag once;
  GroupPaths paths;
};

GroupPlacements::GroupPlacements(const Parallel& parallel, const Cluster& cluster)
    : parallel_(parallel), cluster_(cluster) {
  for (auto* all : {&rings_, &all_to_alls_}) {
    for (auto& one : *all) one = std::make_unique<Lazy>();
  }
}

GroupPlacements::~GroupPlacements() = default;

const GroupPaths& GroupPlacements::of(Group group, bool all_to_all) const {
  Lazy& lazy = *(all_to_all ? all_to_alls_ : rings_)[static_cast<std::size_t>(group)];
  std::call_once(lazy.once, [&] { lazy.paths = Placing(group, parallel_, cluster_).run(all_to_all); });
  return lazy.paths;
}

}  // namespace ringsim
