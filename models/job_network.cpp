#include "models/job_network.hpp"

#include "models/alike_nodes.hpp"
#include "models/error.hpp"
#include "models/group_placement.hpp"
#include "models/inner_ring.hpp"
#include "models/pipeline_hops.hpp"
#include "models/topology/link_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <variant>

namespace ringsim {
namespace {

PlacedRing placed(const Parallel& p, std::int64_t tensor, std::int64_t ulysses, std::int64_t pipeline,
                  std::int64_t data) {
  PlacedRing ring{tensor, ulysses, pipeline, data, {}, {}};
  ring.gpus.reserve(static_cast<std::size_t>(p.ring));
  for (std::int64_t r = 0; r < p.ring; ++r) ring.gpus.push_back(gpu_of(p, tensor, ulysses, r, pipeline, data));
  return ring;
}

// Gives a ring its hops: `add(hops, from, to)` one between two GPUs.
template <class Add>
void connect(PlacedRing& ring, Exchange exchange, std::int64_t inner, const Add& add) {
  const std::int64_t n = std::ssize(ring.gpus);
  if (n < 2) return;
  const auto gpu = [&](std::int64_t rank) { return ring.gpus[static_cast<std::size_t>(rank % n)]; };
  const bool two_level = exchange == Exchange::two_level;
  ring.hops.reserve(n);
  if (two_level || exchange == Exchange::both_ways) ring.second_hops.reserve(n);
  for (std::int64_t r = 0; r < n; ++r) {
    const std::int64_t next = two_level ? r / inner * inner + (r + 1) % inner : r + 1;
    add(ring.hops, gpu(r), gpu(next));
    if (two_level) add(ring.second_hops, gpu(r), gpu(r + inner));
    if (exchange == Exchange::both_ways) add(ring.second_hops, gpu(r), gpu(r + n - 1));
  }
}

// Hops on nodes that are all used alike: those of the sender's place in its node.
void connect_alike(JobNetwork& job, const AlikeNodes& alike, Exchange exchange, std::int64_t gpus_per_node) {
  for (PlacedRing& ring : job.rings) {
    connect(ring, exchange, job.inner, [&](RingHops& hops, std::int64_t from, std::int64_t to) {
      const std::vector<RingHop>& of_node = &hops == &ring.hops ? alike.hops : alike.second_hops;
      hops.push_back(of_node[static_cast<std::size_t>(from % gpus_per_node)], from, to);
    });
  }
}

// Noise names links and GPUs; whether a ring uses them is another question.
void check_names(const Cluster& cluster, const Noise& noise) {
  for (const SlowLink& slow : noise.slow_links) check_link_name(cluster, slow.link, "noise.slow_links");
  for (const Failure& failure : noise.failures) {
    if (!failure.link.empty()) check_link_name(cluster, failure.link, "noise.failures");
  }
  for (const BackgroundFlow& flow : noise.background) {
    const auto [low, high] = std::minmax(flow.from_gpu, flow.to_gpu);
    if (low >= 0 && high < cluster.gpus() && low != high) continue;
    throw Error(fmt::format("background traffic from GPU {} to GPU {}", flow.from_gpu, flow.to_gpu), "noise.background",
                fmt::format("two different GPUs of 0 to {}", cluster.gpus() - 1));
  }
}

// What the flows on a link could ask for together.
struct Load {
  std::int64_t flows = 0;
  Bandwidth demand;
};

template <class Links>
Bandwidth narrowest(const Links& route, const LinkTable& links) {
  Bandwidth least = bytes_per_second(std::numeric_limits<double>::infinity());
  for (const LinkIndex link : route) least = std::min(least, links.bandwidth(link));
  return least;
}

void share(RingHop& hop, std::span<const std::uint32_t> route, const LinkTable& links, const std::vector<Load>& loads,
           const std::vector<bool>& contended) {
  for (const LinkIndex link : route) {
    if (!contended[link]) continue;
    const Bandwidth equal = links.bandwidth(link) / static_cast<double>(loads[link].flows);
    if (equal >= hop.shared) continue;
    hop.shared = equal;
    hop.sharing = loads[link].flows;
  }
}

// How many hops leave each node, as far as there are nodes that one leaves.
std::vector<std::int64_t> hops_that_leave(const std::vector<PlacedRing>& rings, std::int64_t gpus_per_node) {
  std::vector<std::int64_t> leaving;
  for (const PlacedRing& ring : rings) {
    for (const auto* hops : {&ring.hops, &ring.second_hops}) {
      for (std::size_t r = 0; r < hops->size(); ++r) {
        if (!hops->kinds()[hops->kind_of()[r]].inter_node) continue;
        const auto node = static_cast<std::size_t>(ring.gpus[r] / gpus_per_node);
        if (node >= leaving.size()) leaving.resize(std::max(node + 1, 2 * leaving.size()));
        ++leaving[node];
      }
    }
  }
  return leaving;
}

// Routes every hop and all background traffic, and finds the links that they contend for.
void connect_over_links(JobNetwork& job, Network& network, const Cluster& cluster, const Noise& noise,
                        Exchange exchange) {
  Route found;
  for (PlacedRing& ring : job.rings) {
    connect(ring, exchange, job.inner, [&](RingHops& hops, std::int64_t from, std::int64_t to) {
      network.find_route(from, to, found);
      hops.push_back(from, to, found);
    });
  }
  for (const BackgroundFlow& flow : noise.background) {
    job.background.push_back(network.route(flow.from_gpu, flow.to_gpu));
  }
  job.links = network.take_links();
  for (const SlowLink& slow : noise.slow_links) {
    if (slow.from > Duration{}) continue;
    for (LinkIndex link = 0; link < job.links.size(); ++link) {
      if (job.links.name(link) == slow.link) job.links.set_bandwidth(link, job.links.bandwidth(link) * slow.bandwidth);
    }
  }

  std::vector<Load> loads(job.links.size());
  const auto load = [&](const auto& route, Bandwidth most) {
    for (const LinkIndex link : route) {
      ++loads[link].flows;
      loads[link].demand += most;
    }
  };
  const bool hops_travel = exchange != Exchange::all_gather;
  for (PlacedRing& ring : job.rings) {
    for (auto* hops : {&ring.hops, &ring.second_hops}) {
      hops->change([&](RingHop& hop, std::span<const std::uint32_t> route) {
        hop.alone = narrowest(route, job.links);
        if (hops_travel) load(route, hop.alone);
      });
    }
  }
  for (std::size_t i = 0; i < noise.background.size(); ++i) {
    const Bandwidth alone = narrowest(job.background[i].links, job.links);
    load(job.background[i].links, std::min(alone, noise.background[i].rate.value_or(alone)));
  }
  std::vector<bool> contended(job.links.size());
  for (LinkIndex link = 0; link < job.links.size(); ++link) {
    contended[link] = loads[link].flows > 1 && loads[link].demand > job.links.bandwidth(link) * (1.0 + 1e-9);
    if (contended[link]) job.contended.push_back({link, loads[link].flows, loads[link].demand});
  }
  std::vector<std::int64_t> leaving;
  if (hops_travel) leaving = hops_that_leave(job.rings, cluster.gpus_per_node);
  for (PlacedRing& ring : job.rings) {
    for (auto* hops : {&ring.hops, &ring.second_hops}) {
      hops->change([&](RingHop& hop, std::span<const std::uint32_t> route) {
        hop.shared = hop.alone;
        if (!hops_travel) return;
        share(hop, route, job.links, loads, contended);
        hop.only_leaving =
            hop.inter_node && leaving[static_cast<std::size_t>(hop.from_gpu / cluster.gpus_per_node)] == 1;
      });
    }
  }
}

// What makes a ring slow: its slowest hop, then how many hops leave the node.
auto slowness(const PlacedRing& ring) {
  double least = std::numeric_limits<double>::infinity();
  std::int64_t outside = 0;
  for (const auto* hops : {&ring.hops, &ring.second_hops}) {
    const std::vector<std::int64_t> counts = hops->counts();
    for (std::size_t kind = 0; kind < counts.size(); ++kind) {
      const RingHop& hop = hops->kinds()[kind];
      least = std::min(least, in_bytes_per_second(hop.shared));
      outside += hop.inter_node ? counts[kind] : 0;
    }
  }
  return std::tuple(outside > 0, -least, outside);
}

bool alike(const RingHops& a, const RingHops& b) {
  const auto same = [&](std::uint32_t of_a, std::uint32_t of_b) {
    const RingHop& x = a.kinds()[of_a];
    const RingHop& y = b.kinds()[of_b];
    return x.alone == y.alone && x.shared == y.shared && x.route.reach == y.route.reach &&
           x.inter_node == y.inter_node && x.only_leaving == y.only_leaving;
  };
  return std::equal(a.kind_of().begin(), a.kind_of().end(), b.kind_of().begin(), b.kind_of().end(), same);
}
bool alike(const PlacedRing& a, const PlacedRing& b) {
  return alike(a.hops, b.hops) && alike(a.second_hops, b.second_hops);
}

}  // namespace

void RingHops::push_back(const RingHop& like, std::int64_t from_gpu, std::int64_t to_gpu) {
  const std::size_t kinds = kinds_.size();
  kind_of_.push_back(kind_like(like));
  if (kinds_.size() > kinds) {
    kinds_.back().from_gpu = from_gpu;
    kinds_.back().to_gpu = to_gpu;
  }
  from_gpu_.push_back(from_gpu);
  to_gpu_.push_back(to_gpu);
}

void RingHops::reserve(std::int64_t ranks) {
  const auto n = static_cast<std::size_t>(ranks);
  kind_of_.reserve(n);
  from_gpu_.reserve(n);
  to_gpu_.reserve(n);
  links_.reserve(2 * n);
  end_link_.reserve(n);
}

void RingHops::push_back(std::int64_t from_gpu, std::int64_t to_gpu, const Route& route) {
  RingHop hop;
  hop.from_gpu = from_gpu;
  hop.to_gpu = to_gpu;
  hop.inter_node = hop.route.inter_node = route.inter_node;
  hop.route.reach = route.reach;
  kind_of_.push_back(kind_like(hop));
  from_gpu_.push_back(from_gpu);
  to_gpu_.push_back(to_gpu);
  for (const LinkIndex link : route.links) links_.push_back(static_cast<std::uint32_t>(link));
  end_link_.push_back(links_.size());
}

std::uint32_t RingHops::kind_like(const RingHop& hop) {
  const auto known = std::find_if(kinds_.begin(), kinds_.end(), [&](const RingHop& k) {
    return k.inter_node == hop.inter_node && k.only_leaving == hop.only_leaving && k.sharing == hop.sharing &&
           k.alone == hop.alone && k.shared == hop.shared && k.route.reach == hop.route.reach;
  });
  const auto kind = static_cast<std::uint32_t>(known - kinds_.begin());
  if (known == kinds_.end()) kinds_.push_back(hop);
  return kind;
}

RingHop RingHops::operator[](std::size_t r) const {
  RingHop hop = kinds_[kind_of_[r]];
  hop.from_gpu = from_gpu_[r];
  hop.to_gpu = to_gpu_[r];
  const std::span<const std::uint32_t> over = links(r);
  hop.route.links.assign(over.begin(), over.end());
  return hop;
}

std::vector<std::int64_t> RingHops::counts() const {
  std::vector<std::int64_t> counts(kinds_.size());
  for (const std::uint32_t kind : kind_of_) ++counts[kind];
  return counts;
}

JobNetwork job_network(const Parallel& p, const Cluster& cluster, const Noise& noise, const RingOptions& options,
                       Routes routes) {
  Network network(cluster);
  check_names(cluster, noise);
  JobNetwork job;
  job.inner = inner_ranks(p, cluster, options);
  for (std::int64_t d = 0; d < p.data; ++d) {
    for (std::int64_t s = 0; s < p.pipeline; ++s) {
      for (std::int64_t u = 0; u < p.ulysses; ++u) {
        for (std::int64_t t = 0; t < p.tensor; ++t) job.rings.push_back(placed(p, t, u, s, d));
      }
    }
  }
  std::optional<AlikeNodes> nodes;
  if (routes == Routes::where_needed) nodes = alike_nodes(p, cluster, noise, options);
  if (nodes) {
    connect_alike(job, *nodes, options.exchange, cluster.gpus_per_node);
  } else {
    connect_over_links(job, network, cluster, noise, options.exchange);
  }
  const auto common = std::make_shared<const JobPaths>(
      JobPaths{pipeline_hops(p, cluster), std::make_shared<const GroupPlacements>(p, cluster)});
  for (PlacedRing& ring : job.rings) ring.job = common;

  for (std::size_t i = 1; i < job.rings.size(); ++i) {
    if (slowness(job.rings[i]) > slowness(job.rings[job.slowest])) job.slowest = i;
  }
  for (std::size_t i = 0; i < job.rings.size(); ++i) {
    const auto kind = std::find_if(job.kinds.begin(), job.kinds.end(),
                                   [&](std::size_t first) { return alike(job.rings[first], job.rings[i]); });
    job.kind_of_ring.push_back(static_cast<std::size_t>(kind - job.kinds.begin()));
    if (kind == job.kinds.end()) job.kinds.push_back(i);
  }
  return job;
}

void check_job_network(const Parallel& p, const Cluster& cluster, const Noise& noise, const RingOptions& options) {
  Network network(cluster);
  check_names(cluster, noise);
  static_cast<void>(inner_ranks(p, cluster, options));
  static_cast<void>(pipeline_hops(p, cluster));
  if (cluster.inter_node || std::holds_alternative<Torus>(cluster.fabric)) return;
  // Without a network a ring that leaves its node has a hop that does.
  for (std::int64_t d = 0; d < p.data; ++d) {
    for (std::int64_t s = 0; s < p.pipeline; ++s) {
      for (std::int64_t u = 0; u < p.ulysses; ++u) {
        for (std::int64_t t = 0; t < p.tensor; ++t) {
          for (std::int64_t r = 0; r + 1 < p.ring; ++r) {
            static_cast<void>(network.route(gpu_of(p, t, u, r, s, d), gpu_of(p, t, u, r + 1, s, d)));
          }
        }
      }
    }
  }
}

std::vector<ReachCount> hops_by_reach(const PlacedRing& ring) {
  std::map<Reach, std::int64_t> counts;
  for (const auto* hops : {&ring.hops, &ring.second_hops}) {
    const std::vector<std::int64_t> of_kind = hops->counts();
    for (std::size_t kind = 0; kind < of_kind.size(); ++kind) counts[hops->kinds()[kind].route.reach] += of_kind[kind];
  }
  std::vector<ReachCount> all;
  for (const auto& [reach, hops] : counts) all.push_back({reach, hops});
  return all;
}

}  // namespace ringsim
