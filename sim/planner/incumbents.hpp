#pragma once
// The plans that a search has found so far: the best of each set of degrees, and the front of time against GPUs.

#include "sim/planner/search.hpp"

#include <map>
#include <vector>

namespace ringsim::sim {

struct Incumbent {
  Plan plan;
  double value = 0;
  double time_s = 0;
};

/// The order of the list: value, time, GPUs, simplicity.
[[nodiscard]] bool better(const Incumbent& a, const Incumbent& b);

class Incumbents {
 public:
  explicit Incumbents(const SearchOptions& options) : most_time_s_(options.most_time_s), top_(options.top) {}

  void add(const Incumbent& one);

  /// Whether a plan of which only lower bounds are known can be left out: it misses the limit, or enters neither the list nor
  /// the front. Equal values and times are never left out, since the simplest of equals counts.
  [[nodiscard]] bool useless(const Plan& plan, double least_value, double least_time_s) const;

  [[nodiscard]] std::vector<Incumbent> best() const;
  [[nodiscard]] std::vector<Incumbent> front() const;

 private:
  std::optional<double> most_time_s_;
  std::size_t top_;
  std::map<Degrees, Incumbent> of_degrees_;
  std::map<std::int64_t, Incumbent> of_gpus_;  // the fastest of so many
};

}  // namespace ringsim::sim
