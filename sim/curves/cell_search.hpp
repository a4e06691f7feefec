#pragma once
// The best of a few sets of degrees, alone: what a cell of a degree map comes to.

#include "sim/planner/candidates.hpp"
#include "sim/planner/groups.hpp"
#include "sim/planner/incumbents.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ringsim::sim {

/// One of the four is there, in this order.
struct CellOutcome {
  std::optional<Incumbent> best;      // within the limit of time
  std::optional<Incumbent> fastest;   // plans fit, but none meets the limit
  std::optional<Bytes> least_memory;  // of a rank: of the legal plans the one that needs least, where none fits
  std::string rule, hint;             // that forbids the plan with the fewest further degrees, where none is legal
};

class CellSearch {
 public:
  /// All plans of the sets, within SearchOptions::most_time_s. `scenario` and `sets` must outlive the search.
  CellSearch(const Scenario& scenario, const SearchOptions& options, std::span<const Degrees> sets);
  /// A plan of the cell that is known, and meets the limit.
  void start_from(const Incumbent& known) { known_ = known; }
  [[nodiscard]] CellOutcome run() const;

 private:
  /// Whatever beats `best`, by an objective and within a limit.
  void improve(std::optional<Incumbent>& best, const PlanGroups& found, Objective objective,
               std::optional<double> most_time_s, std::string& rule) const;
  /// Why no plan of the sets is legal.
  void explain(CellOutcome& outcome) const;

  const Scenario& base_;
  const SearchOptions& options_;
  std::span<const Degrees> sets_;
  std::optional<Incumbent> known_;
};

}  // namespace ringsim::sim
