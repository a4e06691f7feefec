#include "sim/machine.hpp"

#include "models/error.hpp"
#include "models/ring_shape.hpp"

#include <fmt/format.h>

namespace ringsim::sim {
namespace {

bool in_range(double share) { return share > 0.0 && share <= 1.0; }

}  // namespace

Machine machine_of(const Scenario& s) { return machine_of(s, job_network(s.parallel, s.cluster, s.noise, s.ring)); }

Machine machine_of(const Scenario& s, const JobNetwork& network) {
  return machine_of(s, network.rings[network.slowest]);
}

Machine machine_of(const Scenario& s, const PlacedRing& ring, LinkShares shares) {
  Machine machine{CostModel(s.profile, ring_shape(s)), {}, {}, {}, false, {}};
  const auto cost = [&](const RingHop& hop) { return hop_cost(hop, s.cluster, s.profile, shares); };
  machine.hops = HopCosts(ring.hops, cost);
  machine.second_hops = HopCosts(ring.second_hops, cost);
  for (const RingHop& hop : ring.job->sends) machine.sends.push_back(hop_cost(hop, s.cluster, s.profile));
  machine.dense = DenseCosts(s.profile, s.cluster.gpu);
  machine.collectives = CollectiveCosts(ring.job->groups, s.profile);
  if (!s.noise.stragglers.empty()) {
    machine.slowdown.assign(static_cast<std::size_t>(s.parallel.ring), 1.0);
    for (const Straggler& straggler : s.noise.stragglers) {
      machine.slowdown[static_cast<std::size_t>(straggler.rank)] *= straggler.slowdown;
    }
  }
  const bool on_multiprocessors = s.ring.transfer == TransferEngine::sm_kernel;
  machine.contest = s.profile.contest_for_multiprocessors && on_multiprocessors;
  machine.event_latency = s.profile.event_latency.value;
  machine.issue = s.profile.issue.value;
  if (const auto& shared = on_multiprocessors ? s.profile.sm_kernel : s.profile.copy_engine) {
    const RateShares other{shared->compute_share.value, shared->transfer_share.value};
    const auto of = [&](const std::optional<ProgressShares>& pass) {
      return pass ? RateShares{pass->compute_share.value, pass->transfer_share.value} : other;
    };
    const KernelShares rates{of(shared->forward), of(shared->backward), other};
    if (machine.contest) {
      throw Error(fmt::format("profile {} has transfer kernels wait for SMs and share them with attention at once",
                              s.profile.name),
                  "profile", "contest_for_multiprocessors: false, or no interference of sm-kernel transfers");
    }
    for (const RateShares& one : {rates.forward, rates.backward, rates.other}) {
      if (in_range(one.compute) && in_range(one.transfer)) continue;
      throw Error(fmt::format("profile {} leaves a kernel {} and a hop {} of their speed beside each other",
                              s.profile.name, one.compute, one.transfer),
                  "profile", "shares above 0 and at most 1");
    }
    if (rates != KernelShares{}) {
      const Exchange exchange = s.ring.exchange;
      if (s.parallel.ring > 1 && (exchange == Exchange::both_ways || exchange == Exchange::two_level)) {
        throw Error(
            fmt::format("profile {} has kernels and transfers slow each other down, which is known of one hop at "
                        "a time, and exchange {} has two",
                        s.profile.name, name_of(exchange)),
            "ring.exchange", "one-way or all-gather, or a profile without interference");
      }
      machine.sharing = rates;
    }
  }
  return machine;
}

std::size_t slowest_hop(const HopCosts& hops, Bytes size) {
  const std::vector<HopCost>& kinds = hops.kinds();  // in the order of their first ranks
  std::size_t slowest = 0;
  for (std::size_t kind = 1; kind < kinds.size(); ++kind) {
    if (CostModel::hop(kinds[kind], size) > CostModel::hop(kinds[slowest], size)) slowest = kind;
  }
  return hops.first_of(slowest);
}

}  // namespace ringsim::sim
