#pragma once
// Time against the size of the ring, everything else of the plan being as it is: where scaling stops, and on what.
//
//   strong scaling   the sequence stays as long as it is: a larger ring has smaller blocks
//   ring sizes       powers of two from 1 on, and the scenario's own ring doubled some times
//   nodes            the fewest of the cluster's kind that hold the GPUs; those of the scenario where its network cannot be cut
//                    (sim/planner/plan.hpp) or ranks are placed by hand
//   ideal            time of the first ring · its size / size      the first ring: the smallest that is legal and fits in memory, or
//                                                                  where none fits the smallest that is legal
//   efficiency       ideal / time
//
// By the recurrence, in which flows that share a link have fixed equal shares of it. A ring of one exchanges nothing, so that the
// scenario's exchange does not count there.

#include "models/scenario.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {

struct ScalingOptions {
  std::int64_t doublings = 2;      // of the scenario's own ring
  std::int64_t most_gpus = 0;      // 0: as many as the largest ring needs
  double most_rank_steps = 2.5e8;  // of a point (effort.hpp): larger rings than the scenario's are left out
  std::size_t threads = 0;         // 0: all cores
  std::uint64_t seed = 0;          // of random times
};

/// What keeps a ring from being used.
enum class ScalingVerdict { runs, too_large, illegal };

struct ScalingPoint {
  std::int64_t ring = 1;
  std::int64_t gpus = 1;   // of the whole plan
  std::int64_t nodes = 1;  // that they fill
  bool own = false;        // the scenario's own ring
  ScalingVerdict verdict = ScalingVerdict::runs;
  /// Why it is illegal, as an Error says it; or "needs 95.3 GB of 80.0 GB" where it is too large for memory.
  std::string reason, hint;
  // Absent and 0 where the ring is illegal. Of a ring too large for memory they are what it would take.
  std::optional<double> time_s;                                     // what ScalingCurve::time_name names
  double compute_s = 0, exposed_communication_s = 0, bubble_s = 0;  // of the slowest rank; their sum is the time
  double memory_bytes = 0;                                          // of the fullest rank, as far as the scenario tells
  bool shares_links = false;                                        // flows share links, in fixed shares
  std::optional<double> ideal_s;                                    // absent where no ring is legal
  std::optional<double> efficiency;                                 // ideal / time
};

struct ScalingCurve {
  std::string time_name;  // "TTFT", "step time", "TPOT", "attention time"
  double memory_capacity_bytes = 0;
  std::vector<ScalingPoint> points;        // by ring
  std::optional<std::int64_t> ideal_from;  // the first ring; absent where none is legal
  std::string left_out;  // which rings beyond are not there, and why; empty: all that was asked for is
};

/// Ring sizes of the curve, ascending: powers of two up to own · 2^doublings, and own · 1, 2, 4, ... up to that.
[[nodiscard]] std::vector<std::int64_t> scaling_rings(std::int64_t own, std::int64_t doublings);

/// The scenario with another ring, on the fewest nodes. Not checked.
[[nodiscard]] Scenario with_ring(const Scenario& scenario, std::int64_t ring);

/// A ring that cannot be run has a reason; nothing is thrown for it.
[[nodiscard]] ScalingCurve scaling_curve(const Scenario& scenario, const ScalingOptions& options = {});

}  // namespace ringsim::sim
