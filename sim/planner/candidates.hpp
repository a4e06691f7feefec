#pragma once
// From a set of plans (groups.hpp) to single ones: with ranks placed, each order and exchange once, bounded and predicted.

#include "sim/planner/groups.hpp"
#include "sim/planner/incumbents.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {

/// A plan, or what a set of plans has in common, with values that none of them is below.
struct Candidate {
  Plan plan;
  double value = 0;  // of the objective
  double time_s = 0;
};
/// By value, then time.
[[nodiscard]] bool before(const Candidate& a, const Candidate& b);

[[nodiscard]] Candidate at_least(const Plan& plan, const TimeBound& bound, const Scenario& scenario,
                                 Objective objective);

struct Placed {
  std::vector<Candidate> candidates;
  std::int64_t illegal = 0;
  std::int64_t alike = 0;  // placed as another one is
  std::string rule;        // that forbids an illegal one
};
[[nodiscard]] Placed place_group(const PlanGroup& group, const Scenario& scenario, Objective objective);

/// Absent where no schedule has the combination.
[[nodiscard]] std::optional<Incumbent> predict_candidate(const Plan& plan, const Scenario& scenario,
                                                         Objective objective, std::uint64_t seed);

}  // namespace ringsim::sim
