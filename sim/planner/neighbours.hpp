#pragma once
// Plans one step away from a plan, and why they are not chosen: a degree doubled or halved, a factor of two moved from one degree
// to another, another layout, exchange, order of the axes, recomputation or expert degree.

#include "sim/planner/search.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::sim {

enum class NeighbourVerdict {
  illegal,        // a rule: `rule` and `hint`
  too_many_gpus,  // more than may be used
  too_large,      // for memory
  too_slow,       // for the limit
  beaten,         // legal, but no better in the objective
  equal,          // as good: the chosen one is simpler
};
[[nodiscard]] std::string_view name_of(NeighbourVerdict verdict);

struct Neighbour {
  std::string change;  // "ring 8 -> 16"
  Plan plan;
  NeighbourVerdict verdict = NeighbourVerdict::beaten;
  std::string rule, hint;               // illegal
  Bytes needed{}, capacity{};           // too large
  std::string largest_term;             // too large: what takes most
  std::optional<double> time_s, value;  // predicted
};

/// `best` is a plan of the same scenario and objective.
[[nodiscard]] std::vector<Neighbour> neighbours(const Scenario& scenario, const PlanFigures& best,
                                                const SearchOptions& options);

}  // namespace ringsim::sim
