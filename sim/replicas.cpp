#include "sim/replicas.hpp"

#include "models/error.hpp"
#include "models/quantile.hpp"
#include "sim/parallel_for.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/schedules/model_program.hpp"
#include "sim/summarize.hpp"
#include "sim/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <mutex>
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
/// where short rings gain most of what columns are worth (bench/replicas_bench.cpp).
std::size_t lanes_of_a_sweep(std::int64_t ranks) {
  constexpr std::int64_t positions = 1024;
  return static_cast<std::size_t>(std::max<std::int64_t>(1, positions / (ranks + 2)));
}

ReplicaOutcome outcome_of(const RunSummary& run, std::size_t ring) {
  return {run.makespan_s, ring,       run.slowest_rank, run.compute_s, run.exposed_communication_s,
          run.bubble_s,   run.overlap};
}

/// What has ended last in every replica so far, whoever finishes in whatever order: of equal makespans the first ring.
class Slowest {
 public:
  explicit Slowest(std::size_t replicas) : outcomes_(replicas, nothing_yet()) {}

  void offer(std::size_t replica, const RunSummary& run, std::size_t ring) {
    const std::scoped_lock lock(mutex_);
    ReplicaOutcome& kept = outcomes_[replica];
    const bool later = run.makespan_s > kept.makespan_s || (run.makespan_s == kept.makespan_s && ring < kept.ring);
    if (kept.ring == nothing_yet().ring || later) kept = outcome_of(run, ring);
  }
  [[nodiscard]] std::vector<ReplicaOutcome> take() { return std::move(outcomes_); }

 private:
  static ReplicaOutcome nothing_yet() {
    ReplicaOutcome none;
    none.ring = std::numeric_limits<std::size_t>::max();
    return none;
  }

  std::mutex mutex_;
  std::vector<ReplicaOutcome> outcomes_;
};

/// What all replicas have in common.
struct Job {
  const RingMachines& machines;
  const Noise& noise;
  std::uint64_t seed = 0;
  std::int64_t first = 0;  // replica
  std::size_t rings = 0;
  std::size_t replicas = 0;
};

// One program: all rings of the first replica, then all of the next, side by side; a thread takes a sweep of them at a time.
void run_side_by_side(const Job& job, const Program& program, std::size_t threads, Slowest& slowest) {
  const std::size_t all = job.replicas * job.rings;
  const std::size_t sweep = lanes_of_a_sweep(program.ring());
  parallel_for((all + sweep - 1) / sweep, threads, [&](std::size_t number) {
    const std::size_t begin = number * sweep;
    const std::size_t end = std::min(all, begin + sweep);
    std::vector<Lane> lanes;
    std::deque<TotalsObserver> totals;  // whose elements stay where they are
    std::vector<Observer*> observers;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t ring = i % job.rings;
      const std::int64_t replica = job.first + static_cast<std::int64_t>(i / job.rings);
      lanes.push_back(lane_of(job.machines.of(ring), job.noise, job.seed, replica, static_cast<std::int64_t>(ring)));
      observers.push_back(&totals.emplace_back(program));
    }
    const std::vector<RunResult> results = RecurrenceEngine(program, std::move(lanes)).run_lanes(observers);
    for (std::size_t i = begin; i < end; ++i) {
      slowest.offer(i / job.rings, summarize(totals[i - begin], results[i - begin]), i % job.rings);
    }
  });
}

// Phases that depend on each other: a thread takes a ring of a replica at a time.
void run_phase_by_phase(const Job& job, std::span<const PhaseProgram> phases, std::size_t threads, Slowest& slowest) {
  parallel_for(job.replicas * job.rings, threads, [&](std::size_t i) {
    const std::size_t ring = i % job.rings;
    const std::int64_t replica = job.first + static_cast<std::int64_t>(i / job.rings);
    const LaneOf lanes = noisy_lanes(job.noise, job.seed, replica, static_cast<std::int64_t>(ring));
    slowest.offer(i / job.rings, run_phases(phases, job.machines.of(ring), lanes).run, ring);
  });
}

}  // namespace

std::vector<ReplicaOutcome> run_replicas(const Scenario& scenario, const JobNetwork& network,
                                         std::span<const PhaseProgram> phases, std::uint64_t seed, std::int64_t count,
                                         std::int64_t first, std::size_t threads) {
  if (count < 1) throw Error(fmt::format("{} replicas", count), "--replicas", "at least 1");
  const bool alone = phases.size() == 1 && phases.front().times == 1;
  const RingMachines machines(scenario, network, alone ? &phases.front().program : nullptr);
  const Job job{machines, scenario.noise, seed, first, network.rings.size(), static_cast<std::size_t>(count)};
  Slowest slowest(job.replicas);
  if (alone) {
    run_side_by_side(job, phases.front().program, threads, slowest);
  } else {
    run_phase_by_phase(job, phases, threads, slowest);
  }
  return slowest.take();
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
