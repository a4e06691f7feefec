#include "sim/flow/ring_run.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ringsim::sim::flow {

Segments KernelCosts::at(StepCosts& table, std::int64_t execution, std::int64_t step) {
  if (table.keeps_all()) return {table.at(step), nullptr};
  Kept& kept = kept_[execution];
  if (!kept.segments) {
    const auto segments = table.at(step);
    kept.segments = std::make_shared<const std::vector<SegmentCost>>(segments.begin(), segments.end());
  }
  Segments found{*kept.segments, kept.segments};
  if (++kept.asked == ranks_) kept_.erase(execution);
  return found;
}

double KernelCosts::seconds(std::span<const SegmentCost> segments, std::int64_t rank) {
  auto found = segments.begin();
  constexpr std::size_t few = 8;
  if (segments.size() <= few) {
    while (found->end <= rank) ++found;
  } else {
    found = std::upper_bound(segments.begin(), segments.end(), rank,
                             [](std::int64_t r, const SegmentCost& s) { return r < s.end; });
  }
  return found->seconds;
}

RingRun::RingRun(const Program& ring_program, const FlowRing& description,
                 std::shared_ptr<const Lowered> lowered_program, const std::vector<NetworkLink>& links)
    : program(ring_program),
      ring(description),
      machine(*description.machine),
      lowered(std::move(lowered_program)),
      costs(ring_program.ring()),
      states(static_cast<std::size_t>(ring_program.ring())) {
  if (ring.observer != nullptr) rows = std::make_unique<EventRows>(ranks(), *ring.observer);
  if (ranks() < 2) return;
  if (std::ssize(ring.routes) != ranks() || std::ssize(machine.hops) != ranks()) {
    throw std::logic_error(
        fmt::format("{} routes and {} hops for a ring of {}", ring.routes.size(), machine.hops.size(), ranks()));
  }
  for (std::size_t hop = 0; hop < ring.routes.size(); ++hop) {
    double least = std::numeric_limits<double>::infinity();
    for (const LinkIndex link : ring.routes[hop])
      least = std::min(least, in_bytes_per_second(links.at(link).bandwidth));
    if (!std::isfinite(least)) {
      throw Error(fmt::format("the hop from GPU {} has no link", gpu(static_cast<std::int64_t>(hop))), "cluster",
                  "a route over at least one link");
    }
    narrowest.push_back(least);
    latency_s.push_back(in_seconds(machine.hops[hop].latency));
  }
}

std::int64_t RingRun::gpu(std::int64_t rank) const {
  return ring.gpus.empty() ? rank : ring.gpus.at(static_cast<std::size_t>(rank));
}

HopTime RingRun::hop_time(const Instruction& shift, std::int64_t layer, std::int64_t step, std::int64_t hop) const {
  const auto h = static_cast<std::size_t>(hop);
  const double alone_s = shift.hops->every_step_alike
                             ? shift.hops->per_hop[hop]
                             : in_seconds(CostModel::hop(machine.hops[h], program.sent(*shift.shift, step, hop)));
  const double factor =
      ring.links.on()
          ? ring.links.factor(ring.links.operation(layer, step, static_cast<std::int64_t>(shift.shift->pass), hop_kind),
                              hop)
          : 1.0;
  const double latency = latency_s[h] * factor;
  return {latency, std::max(alone_s * factor - latency, 0.0) * narrowest[h]};
}

}  // namespace ringsim::sim::flow
