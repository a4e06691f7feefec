#pragma once
// What a program runs on: costs of operations, one hop per ring rank, and what ranks differ in.

#include "models/collective.hpp"
#include "models/cost.hpp"
#include "models/dense_cost.hpp"
#include "models/rate_shares.hpp"
#include "models/scenario.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ringsim::sim {

struct Machine {
  CostModel costs;
  HopCosts hops;                 // hop r: rank r to rank r + 1; empty for a ring of one
  std::vector<double> slowdown;  // per rank, multiplies compute times; empty: 1 everywhere
  std::vector<double> start_s;   // per rank, when it becomes ready; empty: 0 everywhere
  /// Transfers run as kernels that need SMs: an attention or merge kernel that was ready first keeps them until it ends
  /// (first ready, first served, no preemption), and what waits for the other stream becomes ready `event_latency` late.
  bool contest = false;
  Duration event_latency;  // used with `contest` only
  /// What the driving program needs to issue one kernel, merge, dense operation, collective or transfer of a rank: the n-th of
  /// them starts no earlier than n · issue after the rank became ready.
  Duration issue{};
  /// Kernels and incoming hops slow each other down (sim/recurrence/rate_sharing.hpp); absent: they do not. Not together
  /// with `contest`, under which a kernel has the SMs or has not.
  std::optional<KernelShares> sharing{};
  /// Hops of the second way of a ring that has two (Way::down, Way::outer), by sender; `hops` are those of Way::up and
  /// Way::inner.
  HopCosts second_hops{};
  DenseCosts dense{};
  CollectiveCosts collectives{};
  std::vector<HopCost> sends{};  // by role: the slowest hop to the role after it (after the last: the first)
};

/// The machine of one ring of a scenario's job. Throws Error where the profile has transfers both wait for SMs and share them.
[[nodiscard]] Machine machine_of(const Scenario& scenario, const PlacedRing& ring,
                                 LinkShares shares = LinkShares::fixed);
/// That of the slowest ring.
[[nodiscard]] Machine machine_of(const Scenario& scenario, const JobNetwork& network);
[[nodiscard]] Machine machine_of(const Scenario& scenario);

/// The hop with the largest time for a message of `size`, lowest rank first; hops must not be empty.
[[nodiscard]] std::size_t slowest_hop(const HopCosts& hops, Bytes size);

}  // namespace ringsim::sim
