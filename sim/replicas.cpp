#include "sim/replicas.hpp"

#include "models/error.hpp"
#include "models/quantile.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/schedules/model_program.hpp"
#include "sim/summarize.hpp"
#include "sim/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

namespace ringsim::sim {
namespace {

/// Machines of all rings; rings with the same hops share one, whose hops are timed once. With the costs of a program, if one is given.
class RingMachines {
 public:
  RingMachines(const Scenario& scenario, const JobNetwork& network, const Program* program) {
    for (const PlacedRing& ring : network.rings) {
      Machine machine = machine_of(scenario, ring);
      if (program != nullptr) machine = machine_for(*program, machine);
      const auto known = std::find_if(machines_.begin(), machines_.end(), [&](const Machine& other) {
        return other.hops == machine.hops && other.second_hops == machine.second_hops;
      });
      of_ring_.push_back(known != machines_.end() ? &*known : &machines_.emplace_back(std::move(machine)));
    }
  }
  [[nodiscard]] const Machine& of(std::size_t ring) const { return *of_ring_[ring]; }

 private:
  std::deque<Machine> machines_;  // whose elements stay where they are
  std::vector<const Machine*> of_ring_;
};

/// Lanes in one sweep: memory is bounded however many replicas there are, and the vectors in use stay in a core's first cache,
/// where short rings gain most of what columns are worth (bench/recurrence_bench.cpp).
std::size_t lanes_of_a_sweep(std::int64_t ranks) {
  constexpr std::int64_t positions = 1024;
  return static_cast<std::size_t>(std::max<std::int64_t>(1, positions / (ranks + 2)));
}

ReplicaOutcome outcome_of(const RunSummary& run, std::size_t ring) {
  return {run.makespan_s, ring,       run.slowest_rank, run.compute_s, run.exposed_communication_s,
          run.bubble_s,   run.overlap};
}

// One program: all rings of the first replica, then all of the next, side by side.
void run_side_by_side(const RingMachines& machines, const Scenario& scenario, const Program& program,
                      std::uint64_t seed, std::int64_t first, std::size_t rings,
                      std::vector<ReplicaOutcome>& outcomes) {
  const std::size_t all = outcomes.size() * rings;
  const std::size_t sweep = lanes_of_a_sweep(program.ring());
  for (std::size_t begin = 0; begin < all; begin += sweep) {
    const std::size_t end = std::min(all, begin + sweep);
    std::vector<Lane> lanes;
    std::deque<TotalsObserver> totals;  // whose elements stay where they are
    std::vector<Observer*> observers;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t ring = i % rings;
      const std::int64_t replica = first + static_cast<std::int64_t>(i / rings);
      lanes.push_back(lane_of(machines.of(ring), scenario.noise, seed, replica, static_cast<std::int64_t>(ring)));
      observers.push_back(&totals.emplace_back(program));
    }
    const std::vector<RunResult> results = RecurrenceEngine(program, std::move(lanes)).run_lanes(observers);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t ring = i % rings;
      const RunResult& result = results[i - begin];
      if (ring > 0 && result.makespan_s <= outcomes[i / rings].makespan_s) continue;
      outcomes[i / rings] = outcome_of(summarize(totals[i - begin], result), ring);
    }
  }
}

// Phases that depend on each other: ring by ring.
void run_phase_by_phase(const RingMachines& machines, const Scenario& scenario, std::span<const PhaseProgram> phases,
                        std::uint64_t seed, std::int64_t first, std::size_t rings,
                        std::vector<ReplicaOutcome>& outcomes) {
  for (std::size_t r = 0; r < outcomes.size(); ++r) {
    for (std::size_t ring = 0; ring < rings; ++ring) {
      const LaneOf lanes =
          noisy_lanes(scenario.noise, seed, first + static_cast<std::int64_t>(r), static_cast<std::int64_t>(ring));
      const RunSummary run = run_phases(phases, machines.of(ring), lanes).run;
      if (ring == 0 || run.makespan_s > outcomes[r].makespan_s) outcomes[r] = outcome_of(run, ring);
    }
  }
}

}  // namespace

std::vector<ReplicaOutcome> run_replicas(const Scenario& scenario, const JobNetwork& network,
                                         std::span<const PhaseProgram> phases, std::uint64_t seed, std::int64_t count,
                                         std::int64_t first) {
  if (count < 1) throw Error(fmt::format("{} replicas", count), "--replicas", "at least 1");
  const std::size_t rings = network.rings.size();
  std::vector<ReplicaOutcome> outcomes(static_cast<std::size_t>(count));
  const bool alone = phases.size() == 1 && phases.front().times == 1;
  const RingMachines machines(scenario, network, alone ? &phases.front().program : nullptr);
  if (alone) {
    run_side_by_side(machines, scenario, phases.front().program, seed, first, rings, outcomes);
  } else {
    run_phase_by_phase(machines, scenario, phases, seed, first, rings, outcomes);
  }
  return outcomes;
}

ReplicaStatistics statistics_of(std::vector<double> values, Better better) {
  if (values.empty()) throw Error("statistics of no replicas at all");
  std::sort(values.begin(), values.end());
  const auto tail = [&](double percent) {
    return quantile_of_sorted(values, (better == Better::smaller ? percent : 100.0 - percent) / 100.0);
  };
  ReplicaStatistics s;
  s.better = better;
  s.median = quantile_of_sorted(values, 0.5);
  s.tail_95 = tail(95);
  s.tail_99 = tail(99);
  s.lowest = values.front();
  s.highest = values.back();
  s.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return s;
}

}  // namespace ringsim::sim
