#include "sim/planner/candidates.hpp"

#include "models/error.hpp"
#include "models/job_network.hpp"
#include "sim/planner/placement_key.hpp"
#include "sim/planner/space.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>
#include <utility>

namespace ringsim::sim {

bool before(const Candidate& a, const Candidate& b) {
  return std::tie(a.value, a.time_s) < std::tie(b.value, b.time_s);
}

Candidate at_least(const Plan& plan, const TimeBound& bound, const Scenario& s, Objective objective) {
  const double time_s = time_of(s, bound.time_s);
  return {plan, least_value(objective, s, plan.gpus(), time_s, bound.compute_s), time_s};
}

Placed place_group(const PlanGroup& group, const Scenario& scenario, Objective objective) {
  Placed placed;
  Scenario s = scenario;
  put(group.plan, s);
  const PlanBound bound(s);
  std::set<std::pair<std::pair<Exchange, std::int64_t>, std::vector<double>>> known;
  for (const std::array<Axis, 5>& order : orders(scenario, group.plan.degrees)) {
    Plan plan = group.plan;
    plan.order = order;
    for (std::size_t first = 0; first < group.rings.size(); ++first) {
      const RingChoice& choice = group.rings[first];
      const auto same = [&](const RingChoice& other) {
        return other.exchange == choice.exchange && other.inner == choice.inner;
      };
      if (std::find_if(group.rings.begin(), group.rings.begin() + static_cast<std::ptrdiff_t>(first), same) !=
          group.rings.begin() + static_cast<std::ptrdiff_t>(first)) {
        continue;  // was placed with the first of its exchange
      }
      plan.ring = choice;
      put(plan, s);
      const std::int64_t count = std::count_if(group.rings.begin(), group.rings.end(), same);
      std::optional<JobNetwork> network;
      std::optional<Machine> machine;
      try {
        check(s);
        network = job_network(s.parallel, s.cluster, s.noise, s.ring);
        machine = machine_of(s, *network);
      } catch (const Error& error) {
        placed.illegal += count;
        placed.rule = error.message();
        continue;
      }
      if (!known.insert({{choice.exchange, choice.inner}, placement_key(s, *network, *machine)}).second) {
        placed.alike += count;
        continue;
      }
      for (const RingChoice& ring : group.rings) {
        if (!same(ring)) continue;
        plan.ring = ring;
        put(plan, s);
        placed.candidates.push_back(at_least(plan, bound.placed(s, *machine), scenario, objective));
      }
    }
  }
  return placed;
}

std::optional<Incumbent> predict_candidate(const Plan& plan, const Scenario& scenario, Objective objective,
                                           std::uint64_t seed) {
  Scenario s = scenario;
  put(plan, s);
  try {
    check(s);
    const JobNetwork network = job_network(s.parallel, s.cluster, s.noise, s.ring);
    const PlanTime time = evaluate(s, network, objective == Objective::energy, seed);
    return Incumbent{plan, value_of(objective, scenario, plan.gpus(), time.time_s, time.energy_joules), time.time_s};
  } catch (const Error&) {
    return std::nullopt;  // a combination that no schedule has
  }
}

}  // namespace ringsim::sim
