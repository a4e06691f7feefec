#pragma once
// Plans that differ in the order of their axes and in the options of the ring alone, as one: they have the same work and, by exchange,
// the same memory. What the degrees rule out or the memory cannot hold is sorted out here, before ranks are placed.

#include "sim/planner/bound.hpp"
#include "sim/planner/search.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ringsim::sim {

struct PlanGroup {
  Plan plan;                      // but for order and ring
  std::vector<RingChoice> rings;  // legal ones that fit
  std::int64_t orders = 1;
  TimeBound bound;  // of all of them
  [[nodiscard]] std::int64_t variants() const { return orders * static_cast<std::int64_t>(rings.size()); }
};

struct PlanGroups {
  std::vector<PlanGroup> groups;
  SearchCounts counts;
  struct TooLarge {
    Plan plan;
    Bytes total;
  };
  std::optional<TooLarge> least;  // of the plans that do not fit the one that needs least
};

/// `scenario`: with nothing but what plans and times depend on (no resolved values), since it is copied often.
[[nodiscard]] PlanGroups plan_groups(const Scenario& scenario, const std::vector<std::int64_t>& gpu_counts,
                                     std::size_t threads);
/// The same of some sets of degrees.
[[nodiscard]] PlanGroups plan_groups_of(const Scenario& scenario, std::span<const Degrees> sets, std::size_t threads);

}  // namespace ringsim::sim
