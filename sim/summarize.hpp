#pragma once
// What a run comes to, whoever ran it: every rank's totals and, of them, what is said of the run as a whole.
//
// A run is spoken of by its slowest rank: the one that ends last and, of several, the one that computes longest.
//   overlap = 1 − exposed / in flight      of the slowest rank; 1: its transfers cost it nothing

#include "sim/prediction.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/totals.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ringsim::sim {

/// A run in figures [s]. The times without a rank are the slowest rank's; compute + exposed + bubble = makespan.
struct RunSummary {
  double makespan_s = 0;
  std::vector<RankSummary> per_rank;  // by rank
  std::int64_t slowest_rank = 0;
  double compute_s = 0;
  double exposed_communication_s = 0;
  double bubble_s = 0;
  std::optional<double> overlap;  // absent: nothing travels
};

/// Of a run that has ended and the observer that saw all of it.
[[nodiscard]] RunSummary summarize(const TotalsObserver& totals, const RunResult& result);
/// Of every rank's totals.
[[nodiscard]] RunSummary summarize(std::vector<RankSummary> per_rank, double makespan_s);

}  // namespace ringsim::sim
