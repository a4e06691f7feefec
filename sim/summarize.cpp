#include "sim/summarize.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim {

RunSummary summarize(const TotalsObserver& totals, const RunResult& result) {
  return summarize(totals.summaries(result), result.makespan_s);
}

RunSummary summarize(std::vector<RankSummary> per_rank, double makespan_s) {
  RunSummary run;
  run.makespan_s = makespan_s;
  run.per_rank = std::move(per_rank);
  const auto slower = [](const RankSummary& a, const RankSummary& b) {
    return std::pair(a.end_s, a.compute_s) < std::pair(b.end_s, b.compute_s);
  };
  const RankSummary& slowest = *std::max_element(run.per_rank.begin(), run.per_rank.end(), slower);
  run.slowest_rank = slowest.rank;
  run.compute_s = slowest.compute_s;
  run.exposed_communication_s = slowest.exposed_communication_s;
  run.bubble_s = slowest.bubble_s;
  if (slowest.in_flight_s > 0) run.overlap = 1.0 - slowest.exposed_communication_s / slowest.in_flight_s;
  return run;
}

}  // namespace ringsim::sim
