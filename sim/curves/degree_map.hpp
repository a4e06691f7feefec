#pragma once
// The best plan of every tensor and ring degree: which corner of the space is worth having, and what rules out the rest.
//
//   cell      all plans of the search's space (sim/planner/space.hpp) with these two degrees, on any number of GPUs that may be used;
//             of them the best as the search orders plans: value of the objective, time, GPUs, simplicity
//   rows      tensor degrees, those that the heads allow before others
//   columns   ring degrees: all where there is room for them, else powers of two, the scenario's own and the best plan's
//             `left_out` names the degrees of the space that are not shown.
//
// The best cell is the search's best plan. Each cell is searched by itself, with the bounds and the predictions of the search: sets of
// plans in the order of their bounds, until none left can be as good as what was found.

#include "sim/planner/search.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {

enum class CellVerdict {
  feasible,
  illegal,        // a rule forbids the degrees
  too_many_gpus,  // more than may be used
  too_large,      // no plan fits in memory
  too_slow,       // none meets the limit; figures are those of the fastest
  not_searched,   // the job is too large to search every cell
};

struct DegreeCell {
  std::int64_t tensor = 1;
  std::int64_t ring = 1;
  CellVerdict verdict = CellVerdict::illegal;
  /// Why it is not feasible: the rule, "needs 128 GPUs of 64", "needs 95.3 GB of 80.0 GB" (the plan that needs least), "takes 13.2 s
  /// of 10 s".
  std::string reason, hint;
  // Of the best plan; absent and 0 where there is none.
  std::optional<Plan> plan;
  double value = 0;  // of the objective: s, GPUs, currency, J
  double time_s = 0;
  double mfu = 0;
  double memory_bytes = 0;            // of the fullest rank
  std::vector<std::string> settings;  // KEY=VALUE that make the scenario the plan
};

struct DegreeMap {
  Objective objective = Objective::time;
  std::string time_name;  // "TTFT", "step time", ...
  std::int64_t most_gpus = 0;
  double memory_capacity_bytes = 0;
  std::vector<std::int64_t> tensor;  // rows, ascending
  std::vector<std::int64_t> ring;    // columns, ascending
  std::vector<DegreeCell> cells;     // row by row
  std::optional<std::size_t> best;   // index into cells; absent: none is feasible
  std::string left_out;              // degrees of the space that are not shown; empty: none
  [[nodiscard]] const DegreeCell& at(std::size_t row, std::size_t column) const {
    return cells[row * ring.size() + column];
  }
};

struct DegreeMapLimits {
  std::size_t rows = 8;
  std::size_t columns = 16;
  /// Of larger jobs, whose plans take long to predict, only the cells that the search has found a plan of are shown.
  std::int64_t most_gpus = 256;
};

/// `found`: what search() has found for the same scenario and options.
[[nodiscard]] DegreeMap degree_map(const Scenario& scenario, const SearchOptions& options, const SearchResult& found,
                                   const DegreeMapLimits& limits = {});
/// With a search of its own. Both throw Error as search() does.
[[nodiscard]] DegreeMap degree_map(const Scenario& scenario, const SearchOptions& options);

}  // namespace ringsim::sim
