#include "sim/machine.hpp"

#include "models/ring_shape.hpp"

namespace ringsim::sim {

Machine machine_of(const Scenario& s) {
  Machine machine{CostModel(s.profile, ring_shape(s)), {}, {}, {}, false, {}};
  for (const RingHop& hop : representative_ring(s.parallel, s.cluster).hops) {
    machine.hops.push_back(hop_cost(hop, s.cluster, s.profile));
  }
  if (!s.stragglers.empty()) {
    machine.slowdown.assign(static_cast<std::size_t>(s.parallel.ring), 1.0);
    for (const Straggler& straggler : s.stragglers) {
      machine.slowdown[static_cast<std::size_t>(straggler.rank)] *= straggler.slowdown;
    }
  }
  machine.contest = s.profile.contest_for_multiprocessors && s.ring.transfer == TransferEngine::sm_kernel;
  machine.event_latency = s.profile.event_latency.value;
  return machine;
}

std::size_t slowest_hop(const std::vector<HopCost>& hops, Bytes size) {
  std::size_t slowest = 0;
  for (std::size_t r = 1; r < hops.size(); ++r) {
    if (CostModel::hop(hops[r], size) > CostModel::hop(hops[slowest], size)) slowest = r;
  }
  return slowest;
}

}  // namespace ringsim::sim
