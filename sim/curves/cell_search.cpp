#include "sim/curves/cell_search.hpp"

#include "models/error.hpp"
#include "sim/planner/space.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace ringsim::sim {
namespace {

/// Equals are looked at: the simpler of them counts.
bool beats(const std::optional<Incumbent>& best, const Candidate& bound) {
  return best && std::tie(best->value, best->time_s) < std::tie(bound.value, bound.time_s);
}

}  // namespace

CellSearch::CellSearch(const Scenario& scenario, const SearchOptions& options, std::span<const Degrees> sets)
    : base_(scenario), options_(options), sets_(sets) {}

CellOutcome CellSearch::run() const {
  CellOutcome outcome;
  const PlanGroups found = plan_groups_of(base_, sets_, 1);
  outcome.best = known_;
  improve(outcome.best, found, options_.objective, options_.most_time_s, outcome.rule);
  if (outcome.best) return outcome;
  if (options_.most_time_s) improve(outcome.fastest, found, Objective::time, std::nullopt, outcome.rule);
  if (outcome.fastest) return outcome;
  if (found.groups.empty() && found.least) {
    outcome.least_memory = found.least->total;
  } else if (outcome.rule.empty()) {
    explain(outcome);
  }
  return outcome;
}

void CellSearch::improve(std::optional<Incumbent>& best, const PlanGroups& found, Objective objective,
                         std::optional<double> most_time_s, std::string& rule) const {
  std::vector<std::pair<Candidate, const PlanGroup*>> groups;
  for (const PlanGroup& group : found.groups) {
    groups.emplace_back(at_least(group.plan, group.bound, base_, objective), &group);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return before(a.first, b.first); });
  std::vector<Candidate> pool;  // the most promising last
  const auto later = [](const Candidate& a, const Candidate& b) { return before(b, a); };
  std::size_t next = 0;
  while (next < groups.size() || !pool.empty()) {
    const bool place = next < groups.size() && (pool.empty() || !before(pool.back(), groups[next].first));
    const Candidate& bound = place ? groups[next].first : pool.back();
    if (beats(best, bound)) return;  // and all that is left
    if (place) {
      const PlanGroup& group = *groups[next++].second;
      if (most_time_s && bound.time_s > *most_time_s) continue;
      Placed placed = place_group(group, base_, objective);
      if (placed.candidates.empty() && rule.empty()) rule = placed.rule;
      pool.insert(pool.end(), std::make_move_iterator(placed.candidates.begin()),
                  std::make_move_iterator(placed.candidates.end()));
      std::stable_sort(pool.begin(), pool.end(), later);
      continue;
    }
    const Candidate candidate = std::move(pool.back());
    pool.pop_back();
    if (most_time_s && candidate.time_s > *most_time_s) continue;
    const std::optional<Incumbent> one = predict_candidate(candidate.plan, base_, objective, options_.seed);
    if (!one) continue;
    if (most_time_s && one->time_s > *most_time_s) continue;
    if (!best || better(*one, *best)) best = one;
  }
}

void CellSearch::explain(CellOutcome& outcome) const {
  const auto further = [](const Degrees& d) { return d.ulysses * d.pipeline * d.data; };
  const Degrees& degrees = *std::min_element(sets_.begin(), sets_.end(), [&](const Degrees& a, const Degrees& b) {
    return std::pair(further(a), a) < std::pair(further(b), b);
  });
  Plan plan;
  plan.degrees = degrees;
  plan.order = base_.parallel.order;
  plan.recompute = base_.training.recompute;
  plan.interleave = degrees.pipeline > 1 ? base_.training.interleave : 1;
  plan.nodes = nodes_for(plan.gpus(), base_);
  for (const RingChoice& choice : ring_choices(base_, degrees)) {
    plan.ring = choice;
    try {
      static_cast<void>(with(plan, base_));
    } catch (const Error& error) {
      outcome.rule = error.message();
      outcome.hint = error.hint();
      return;
    }
  }
  outcome.rule = "no schedule has these degrees";
}

}  // namespace ringsim::sim
