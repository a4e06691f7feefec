#include "models/job_network.hpp"

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
#include <tuple>
#include <utility>
#include <variant>

namespace ringsim {
namespace {

RingHop hop_between(Network& network, std::int64_t from, std::int64_t to) {
  RingHop hop;
  hop.from_gpu = from;
  hop.to_gpu = to;
  hop.route = network.route(from, to);
  hop.inter_node = hop.route.inter_node;
  return hop;
}

PlacedRing placed(const Parallel& p, Network& network, Exchange exchange, std::int64_t inner, std::int64_t tensor,
                  std::int64_t ulysses, std::int64_t pipeline, std::int64_t data) {
  PlacedRing ring{tensor, ulysses, pipeline, data, {}, {}};
  for (std::int64_t r = 0; r < p.ring; ++r) ring.gpus.push_back(gpu_of(p, tensor, ulysses, r, pipeline, data));
  if (p.ring < 2) return ring;
  const auto gpu = [&](std::int64_t rank) { return ring.gpus[static_cast<std::size_t>(rank % p.ring)]; };
  const bool two_level = exchange == Exchange::two_level;
  for (std::int64_t r = 0; r < p.ring; ++r) {
    const std::int64_t next = two_level ? r / inner * inner + (r + 1) % inner : r + 1;
    ring.hops.push_back(hop_between(network, gpu(r), gpu(next)));
    if (two_level) ring.second_hops.push_back(hop_between(network, gpu(r), gpu(r + inner)));
    if (exchange == Exchange::both_ways) ring.second_hops.push_back(hop_between(network, gpu(r), gpu(r + p.ring - 1)));
  }
  return ring;
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

Bandwidth narrowest(const Route& route, const std::vector<NetworkLink>& links) {
  Bandwidth least = bytes_per_second(std::numeric_limits<double>::infinity());
  for (const LinkIndex link : route.links) least = std::min(least, links[link].bandwidth);
  return least;
}

void share(RingHop& hop, const std::vector<NetworkLink>& links, const std::vector<Load>& loads,
           const std::vector<bool>& contended) {
  for (const LinkIndex link : hop.route.links) {
    if (!contended[link]) continue;
    const Bandwidth equal = links[link].bandwidth / static_cast<double>(loads[link].flows);
    if (equal >= hop.shared) continue;
    hop.shared = equal;
    hop.sharing = loads[link].flows;
  }
}

// Hops that leave their node with no other beside them.
void mark_only_leaving(std::vector<PlacedRing>& rings, std::int64_t gpus_per_node) {
  const auto for_each_leaving = [&](const auto& visit) {
    for (PlacedRing& ring : rings) {
      for (auto* hops : {&ring.hops, &ring.second_hops}) {
        for (RingHop& hop : *hops) {
          if (hop.inter_node) visit(hop);
        }
      }
    }
  };
  std::map<std::int64_t, std::int64_t> leaving;
  for_each_leaving([&](const RingHop& hop) { ++leaving[hop.from_gpu / gpus_per_node]; });
  for_each_leaving([&](RingHop& hop) { hop.only_leaving = leaving[hop.from_gpu / gpus_per_node] == 1; });
}

// What makes a ring slow: its slowest hop, then how many hops leave the node.
auto slowness(const PlacedRing& ring) {
  double least = std::numeric_limits<double>::infinity();
  std::int64_t outside = 0;
  for (const auto* hops : {&ring.hops, &ring.second_hops}) {
    for (const RingHop& hop : *hops) {
      least = std::min(least, in_bytes_per_second(hop.shared));
      outside += hop.inter_node ? 1 : 0;
    }
  }
  return std::tuple(outside > 0, -least, outside);
}

bool alike(const std::vector<RingHop>& a, const std::vector<RingHop>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const RingHop& x, const RingHop& y) {
    return x.alone == y.alone && x.shared == y.shared && x.route.reach == y.route.reach &&
           x.inter_node == y.inter_node && x.only_leaving == y.only_leaving;
  });
}
bool alike(const PlacedRing& a, const PlacedRing& b) {
  return alike(a.hops, b.hops) && alike(a.second_hops, b.second_hops);
}

}  // namespace

JobNetwork job_network(const Parallel& p, const Cluster& cluster, const Noise& noise, const RingOptions& options) {
  Network network(cluster);
  check_names(cluster, noise);
  JobNetwork job;
  job.inner = inner_ranks(p, cluster, options);
  for (std::int64_t d = 0; d < p.data; ++d) {
    for (std::int64_t s = 0; s < p.pipeline; ++s) {
      for (std::int64_t u = 0; u < p.ulysses; ++u) {
        for (std::int64_t t = 0; t < p.tensor; ++t) {
          job.rings.push_back(placed(p, network, options.exchange, job.inner, t, u, s, d));
        }
      }
    }
  }
  for (const BackgroundFlow& flow : noise.background) {
    job.background.push_back(network.route(flow.from_gpu, flow.to_gpu));
  }
  job.links = network.links();
  for (const SlowLink& slow : noise.slow_links) {
    if (slow.from > Duration{}) continue;
    for (NetworkLink& link : job.links) {
      if (link.name == slow.link) link.bandwidth = link.bandwidth * slow.bandwidth;
    }
  }

  const auto common = std::make_shared<const JobPaths>(
      JobPaths{pipeline_hops(p, cluster), std::make_shared<const GroupPlacements>(p, cluster)});
  for (PlacedRing& ring : job.rings) ring.job = common;

  std::vector<Load> loads(job.links.size());
  const auto load = [&](const Route& route, Bandwidth most) {
    for (const LinkIndex link : route.links) {
      ++loads[link].flows;
      loads[link].demand += most;
    }
  };
  const bool hops_travel = options.exchange != Exchange::all_gather;
  for (PlacedRing& ring : job.rings) {
    for (auto* hops : {&ring.hops, &ring.second_hops}) {
      for (RingHop& hop : *hops) {
        hop.alone = narrowest(hop.route, job.links);
        if (hops_travel) load(hop.route, hop.alone);
      }
    }
  }
  for (std::size_t i = 0; i < noise.background.size(); ++i) {
    const Bandwidth alone = narrowest(job.background[i], job.links);
    load(job.background[i], std::min(alone, noise.background[i].rate.value_or(alone)));
  }
  std::vector<bool> contended(job.links.size());
  for (LinkIndex link = 0; link < job.links.size(); ++link) {
    contended[link] = loads[link].flows > 1 && loads[link].demand > job.links[link].bandwidth * (1.0 + 1e-9);
    if (contended[link]) job.contended.push_back({link, loads[link].flows, loads[link].demand});
  }
  for (PlacedRing& ring : job.rings) {
    for (auto* hops : {&ring.hops, &ring.second_hops}) {
      for (RingHop& hop : *hops) {
        hop.shared = hop.alone;
        if (hops_travel) share(hop, job.links, loads, contended);
      }
    }
  }
  if (hops_travel) mark_only_leaving(job.rings, cluster.gpus_per_node);
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
    for (const RingHop& hop : *hops) ++counts[hop.route.reach];
  }
  std::vector<ReachCount> all;
  for (const auto& [reach, hops] : counts) all.push_back({reach, hops});
  return all;
}

}  // namespace ringsim
