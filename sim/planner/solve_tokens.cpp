#include "models/error.hpp"
#include "models/largest_context.hpp"
#include "models/legality.hpp"
#include "models/memory.hpp"
#include "sim/planner/evaluate.hpp"
#include "sim/planner/solve.hpp"
#include "sim/planner/threshold.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ringsim::sim {
namespace {

constexpr std::int64_t most_tokens = std::int64_t{1} << 31;  // of the scenario language

Scenario of_length(const Scenario& scenario, std::int64_t tokens) {
  Scenario s = scenario;
  s.workload.tokens = tokens;
  return s;
}

/// Lengths that grow by about `growth` from the shortest to the longest, in multiples of `unit`, both ends among them.
std::vector<std::int64_t> lengths(std::int64_t shortest, std::int64_t longest, std::int64_t unit, double growth) {
  std::vector<std::int64_t> list = {shortest};
  while (list.back() < longest) {
    const auto grown = static_cast<std::int64_t>(static_cast<double>(list.back()) * growth);
    list.push_back(std::min(longest, std::max(list.back() + unit, grown / unit * unit)));
  }
  return list;
}

std::int64_t shortest_of(const Scenario& s, std::int64_t unit) { return (s.parallel.ring + unit - 1) / unit * unit; }

/// The longest length that is predicted without a limit on the time: passes of a chunked prefill are programs of their own.
std::int64_t predictable(const Scenario& s, std::int64_t unit) {
  constexpr std::int64_t most_passes = 4096;
  if (s.workload.chunk == 0) return most_tokens / unit * unit;
  return std::min(most_tokens, s.workload.chunk * most_passes) / unit * unit;
}

class Context {
 public:
  Context(const Scenario& scenario, const SolveOptions& options) : base_(scenario), options_(options) {
    base_.resolved.clear();
    answer_.unit = sequence_unit(base_).tokens;
  }

  ContextAnswer solve() {
    answer_.fits = largest_context(base_);
    const std::int64_t shortest = shortest_of(base_, answer_.unit);
    if (!answer_.fits) {
      if (!memory_of_rank(of_length(base_, shortest)).missing.empty()) {
        answer_.fits = predictable(base_, answer_.unit);  // memory is not known: only the time limits
        memory_known_ = false;
      } else {
        return std::move(answer_);
      }
    }
    longest();
    if (options_.most_exposed) hidden();
    return std::move(answer_);
  }

 private:
  SolvePoint at(std::int64_t tokens) const {
    return predict_point(of_length(base_, tokens), static_cast<double>(tokens), options_.seed);
  }
  bool in_time(std::int64_t tokens) const { return at(tokens).time_s <= *options_.most_time_s; }

  void longest() {
    const std::int64_t unit = answer_.unit;
    const std::int64_t most = std::min(*answer_.fits, predictable(base_, unit));
    answer_.limited_by = most < *answer_.fits || !memory_known_ || *answer_.fits + unit > most_tokens
                             ? "the scenario language"
                             : "memory";
    if (!options_.most_time_s) {
      answer_.longest = most;
      answer_.fails = most + unit;
    } else {
      // Lengths that double until one is too slow, so that none is predicted that takes far too long.
      std::int64_t low = 0;
      std::int64_t high = shortest_of(base_, unit);
      while (in_time(high)) {
        low = high;
        if (low == most) break;
        high = std::min(most, high * 2);
      }
      if (low == 0) return;  // not even the shortest
      if (low < most) {
        const std::int64_t too_slow = high;
        while (high - low > unit) {
          const std::int64_t middle = low + (high - low) / unit / 2 * unit;
          (in_time(middle) ? low : high) = middle;
        }
        answer_.limited_by = "time";
        check_in_time(low, std::min(most, 2 * too_slow));
      }
      answer_.longest = low;
      answer_.fails = low + unit;
    }
    answer_.at_longest = at(*answer_.longest);
  }

  // Every length of a grid below the answer is in time, and none above it.
  void check_in_time(std::int64_t answer, std::int64_t longest_tried) {
    const std::vector<std::int64_t> grid = lengths(shortest_of(base_, answer_.unit), longest_tried, answer_.unit, 1.5);
    std::vector<SolvePoint> points(grid.size());
    parallel_for(grid.size(), options_.threads, [&](std::size_t i) { points[i] = at(grid[i]); });
    for (std::size_t i = 0; i < grid.size(); ++i) {
      points[i].holds = points[i].time_s <= *options_.most_time_s;
      if (points[i].holds != (grid[i] <= answer)) answer_.monotone = false;
    }
    answer_.points = std::move(points);
  }

  void hidden() {
    const std::int64_t unit = answer_.unit;
    const std::int64_t most = std::min(*answer_.fits, predictable(base_, unit));
    const std::vector<std::int64_t> grid = lengths(shortest_of(base_, unit), most, unit, std::sqrt(2.0));
    std::vector<SolvePoint> points(grid.size());
    const auto holds = [&](const SolvePoint& point) { return point.exposed_share <= *options_.most_exposed; };
    const Threshold found = find_threshold(grid.size(), options_.threads, [&](std::size_t i) {
      points[i] = at(grid[i]);
      points[i].holds = holds(points[i]);
      return points[i].holds;
    });
    answer_.points = points;
    answer_.monotone = answer_.monotone && found.monotone;
    if (!found.first_holding) {
      answer_.at_hidden = points.back();
      answer_.exposed_at = grid.back();
      return;
    }
    std::int64_t high = grid[*found.first_holding];
    answer_.at_hidden = points[*found.first_holding];
    if (*found.first_holding > 0) {
      std::int64_t low = grid[*found.first_holding - 1];
      while (high - low > unit) {
        const std::int64_t middle = low + (high - low) / unit / 2 * unit;
        const SolvePoint point = at(middle);
        if (holds(point)) {
          high = middle;
          answer_.at_hidden = point;
        } else {
          low = middle;
        }
      }
      answer_.exposed_at = low;
    }
    answer_.hidden_from = high;
  }

  Scenario base_;
  const SolveOptions& options_;
  ContextAnswer answer_;
  bool memory_known_ = true;
};

}  // namespace

ContextAnswer solve_tokens(const Scenario& scenario, const SolveOptions& options) {
  return Context(scenario, options).solve();
}

BreakEven break_even(const Scenario& first_plan, const Scenario& second_plan, const SolveOptions& options) {
  Scenario first = first_plan;
  Scenario second = second_plan;
  first.resolved.clear();
  second.resolved.clear();
  BreakEven result;
  result.unit = std::lcm(sequence_unit(first).tokens, sequence_unit(second).tokens);
  const std::int64_t unit = result.unit;
  const auto longest_of = [&](const Scenario& s) {
    const std::int64_t fits = largest_context(s).value_or(memory_of_rank(s).missing.empty() ? 0 : most_tokens);
    return std::min(fits, predictable(s, unit)) / unit * unit;
  };
  result.shortest = std::max(shortest_of(first, unit), shortest_of(second, unit));
  result.longest = std::min(longest_of(first), longest_of(second));
  if (result.longest < result.shortest) {
    throw Error("no length fits both plans in memory", "--against", "plans on more GPUs");
  }
  const auto at = [&](std::int64_t tokens) {
    return BreakEven::Point{tokens, predict_point(of_length(first, tokens), 0, options.seed).time_s,
                            predict_point(of_length(second, tokens), 0, options.seed).time_s};
  };
  const std::vector<std::int64_t> grid = lengths(result.shortest, result.longest, unit, std::sqrt(2.0));
  result.points.resize(grid.size());
  parallel_for(grid.size(), options.threads, [&](std::size_t i) { result.points[i] = at(grid[i]); });
  const auto first_is_faster = [](const BreakEven::Point& point) { return point.first_s < point.second_s; };
  for (std::size_t i = 1; i < result.points.size(); ++i) {
    BreakEven::Point low = result.points[i - 1];
    BreakEven::Point high = result.points[i];
    if (first_is_faster(low) == first_is_faster(high)) continue;
    while (high.tokens - low.tokens > unit) {
      const BreakEven::Point middle = at(low.tokens + (high.tokens - low.tokens) / unit / 2 * unit);
      (first_is_faster(middle) == first_is_faster(high) ? high : low) = middle;
    }
    result.crossings.push_back({low.tokens, high.tokens, first_is_faster(high), high.first_s, high.second_s});
  }
  return result;
}

}  // namespace ringsim::sim
