#pragma once
// A run in full beside runs that are folded, extrapolated, or both.

#include "sim/recurrence/engine.hpp"
#include "sim/totals.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ringsim::sim::shortened {

struct Outcome {
  RunResult result;
  std::vector<RankSummary> ranks;  // what its totals come to
};

inline Outcome run(const Program& program, const Machine& machine, const RunOptions& options) {
  TotalsObserver totals(program);
  RecurrenceEngine engine(program, machine);
  Outcome outcome;
  outcome.result = engine.run(&totals, options);
  outcome.ranks = totals.summaries(outcome.result);
  return outcome;
}

inline RunOptions folded() { return {.fold = true, .extrapolate = false, .tile = false}; }
/// Watched from the first iteration on.
inline RunOptions extrapolated() { return {.fold = false, .extrapolate = true, .tile = false, .least_iterations = 0}; }
inline RunOptions both() { return {.fold = true, .extrapolate = true, .tile = false, .least_iterations = 0}; }

inline std::vector<double> figures(const RankSummary& s) {
  return {s.attention_s,     s.merge_s,       s.dense_s,      s.collective_s, s.exposed_communication_s,
          s.bubble_masked_s, s.bubble_late_s, s.bubble_end_s, s.in_flight_s,  s.end_s};
}

/// Largest difference of ends and totals of any rank, as a part of the makespan.
inline double difference(const Outcome& a, const Outcome& b) {
  double largest = std::abs(a.result.makespan_s - b.result.makespan_s);
  for (std::size_t r = 0; r < a.result.end_s.size(); ++r) {
    largest = std::max(largest, std::abs(a.result.end_s[r] - b.result.end_s[r]));
    const std::vector<double> of_a = figures(a.ranks[r]);
    const std::vector<double> of_b = figures(b.ranks[r]);
    for (std::size_t i = 0; i < of_a.size(); ++i) largest = std::max(largest, std::abs(of_a[i] - of_b[i]));
  }
  return largest / b.result.makespan_s;
}

}  // namespace ringsim::sim::shortened
