#pragma once
// What happens to the simulated machine from outside, each an actor that does not keep the run alive: links that change or
// fail, GPUs that fail, and somebody else's traffic.

#include "sim/flow/engine.hpp"
#include "sim/flow/platform.hpp"
#include "sim/flow/rank.hpp"

#include <functional>
#include <vector>

namespace ringsim::sim::flow {

/// Throws Error for numbers that no machine has.
void check_disturbances(const FlowSetup& setup);

/// A failure that has struck.
struct StruckFailure {
  double at_s = 0;
  const LinkChange* link = nullptr;  // else a GPU
  std::int64_t gpu = 0;
};

/// Lets changes and failures happen at their times. `kill(gpu, now)` ends the ranks of a GPU.
void start_changes(const FlowSetup& setup, Platform& platform, const TimeScale& scale,
                   std::function<void(std::int64_t gpu, double at_s)> kill, std::vector<StruckFailure>& struck);

/// Hosts for the traffic; to be made before the platform is sealed.
[[nodiscard]] std::vector<simgrid::s4u::Host*> add_traffic_hosts(const FlowSetup& setup, Platform& platform);
void start_traffic(const FlowSetup& setup, const std::vector<simgrid::s4u::Host*>& hosts, const TimeScale& scale);

}  // namespace ringsim::sim::flow
