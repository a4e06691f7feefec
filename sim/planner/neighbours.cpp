#include "sim/planner/neighbours.hpp"

#include "models/error.hpp"
#include "models/job_network.hpp"
#include "models/memory.hpp"
#include "sim/parallel_for.hpp"
#include "sim/planner/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

std::int64_t& degree_of(Degrees& d, Axis axis) {
  switch (axis) {
    case Axis::tensor:
      return d.tensor;
    case Axis::ulysses:
      return d.ulysses;
    case Axis::ring:
      return d.ring;
    case Axis::pipeline:
      return d.pipeline;
    case Axis::data:
      break;
  }
  return d.data;
}

class Steps {
 public:
  Steps(const Scenario& scenario, const Plan& from) : scenario_(scenario), from_(from) {}

  std::vector<Neighbour> all() {
    for (const Axis axis : all_axes) doubled(axis);
    for (const Axis axis : all_axes) halved(axis);
    for (const Axis to : all_axes) {
      for (const Axis axis : all_axes) moved(axis, to);
    }
    for (const RingChoice& choice : ring_choices(scenario_, from_.degrees)) ring(choice);
    orders_of_axes();
    for (const Recompute recompute : recomputations(scenario_)) {
      Plan plan = from_;
      plan.recompute = recompute;
      add(fmt::format("recompute {}", name_of(recompute)), plan);
    }
    for (const std::int64_t expert : {from_.expert / 2, from_.expert * 2}) {
      const std::vector<std::int64_t> legal = expert_degrees(scenario_, from_.degrees);
      Plan plan = from_;
      plan.expert = expert;
      if (std::find(legal.begin(), legal.end(), expert) == legal.end()) continue;
      add(fmt::format("expert {} -> {}", from_.expert, expert), plan);
    }
    return std::move(steps_);
  }

 private:
  void add(std::string change, const Plan& plan) {
    const auto same = [&](const Neighbour& other) { return other.plan == plan; };
    if (plan == from_ || std::any_of(steps_.begin(), steps_.end(), same)) return;
    Neighbour& step = steps_.emplace_back();
    step.change = std::move(change);
    step.plan = plan;
  }

  // The degrees decide what goes with them.
  Plan with(const Degrees& degrees) const {
    Plan plan = from_;
    plan.degrees = degrees;
    plan.interleave = degrees.pipeline > 1 ? scenario_.training.interleave : 1;
    plan.nodes = nodes_for(plan.gpus(), scenario_);
    if (degrees.ring > 1 && from_.degrees.ring == 1) plan.ring = ring_choices(scenario_, degrees).front();
    if (degrees.ring == 1) plan.ring.exchange = Exchange::one_way;
    // A mixture's experts are divided by what is left to divide them.
    const std::vector<std::int64_t> experts = expert_degrees(scenario_, degrees);
    for (const std::int64_t expert : experts) {
      if (expert <= from_.expert) plan.expert = expert;
    }
    return plan;
  }

  void doubled(Axis axis) {
    Degrees d = from_.degrees;
    degree_of(d, axis) *= 2;
    add(fmt::format("{} {} -> {}", name_of(axis), from_.degrees.degree(axis), d.degree(axis)), with(d));
  }
  void halved(Axis axis) {
    Degrees d = from_.degrees;
    if (d.degree(axis) % 2 != 0) return;
    degree_of(d, axis) /= 2;
    add(fmt::format("{} {} -> {}", name_of(axis), from_.degrees.degree(axis), d.degree(axis)), with(d));
  }
  void moved(Axis from, Axis to) {
    Degrees d = from_.degrees;
    if (from == to || d.degree(from) % 2 != 0) return;
    degree_of(d, from) /= 2;
    degree_of(d, to) *= 2;
    add(fmt::format("{} {} -> {}, {} {} -> {}", name_of(from), from_.degrees.degree(from), d.degree(from), name_of(to),
                    from_.degrees.degree(to), d.degree(to)),
        with(d));
  }
  void ring(const RingChoice& choice) {
    const bool other_layout = choice.layout != from_.ring.layout;
    RingChoice same = choice;
    same.layout = from_.ring.layout;
    if (other_layout && same != from_.ring) return;  // one change at a time
    Plan plan = from_;
    plan.ring = choice;
    if (other_layout) return add(fmt::format("layout {}", name_of(choice.layout)), plan);
    std::string change = fmt::format("exchange {}", name_of(choice.exchange));
    if (choice.exchange == Exchange::both_ways) change += fmt::format(" by {}", name_of(choice.halves));
    if (choice.exchange == Exchange::one_way) {
      if (runs_forward(scenario_.workload.phase)) change += fmt::format(", travels {}", name_of(choice.travels));
      if (runs_backward(scenario_.workload.phase)) change += fmt::format(", backward {}", name_of(choice.backward));
    }
    add(std::move(change), plan);
  }
  void orders_of_axes() {
    constexpr std::size_t most = 6;  // of three axes all
    const std::vector<std::array<Axis, 5>> list = orders(scenario_, from_.degrees);
    for (std::size_t i = 0; i < std::min(most, list.size()); ++i) {
      Plan plan = from_;
      plan.order = list[i];
      std::string names;
      for (const Axis axis : list[i]) {
        if (from_.degrees.degree(axis) > 1) names += fmt::format("{}{}", names.empty() ? "" : "-", short_name_of(axis));
      }
      add("order " + names, plan);
    }
  }

  const Scenario& scenario_;
  const Plan& from_;
  std::vector<Neighbour> steps_;
};

void judge(Neighbour& step, const Scenario& scenario, const PlanFigures& best, const SearchOptions& options) {
  const std::int64_t most = options.most_gpus > 0 ? options.most_gpus : scenario.cluster.gpus();
  if (step.plan.gpus() > most) {
    step.verdict = NeighbourVerdict::too_many_gpus;
    return;
  }
  Scenario s = scenario;
  put(step.plan, s);
  try {
    check(s);
    const Memory memory = memory_of_rank(s);
    step.needed = memory.total;
    step.capacity = memory.capacity;
    if (!memory.fits()) {
      step.verdict = NeighbourVerdict::too_large;
      const auto largest = std::max_element(memory.terms.begin(), memory.terms.end(),
                                            [](const MemoryTerm& a, const MemoryTerm& b) { return a.size < b.size; });
      if (largest != memory.terms.end()) step.largest_term = largest->name;
      return;
    }
    const JobNetwork network = job_network(s.parallel, s.cluster, s.noise, s.ring);
    const PlanTime time = evaluate(s, network, options.objective == Objective::energy, options.seed);
    step.time_s = time.time_s;
    step.value = value_of(options.objective, s, step.plan.gpus(), time.time_s, time.energy_joules);
  } catch (const Error& error) {
    step.verdict = NeighbourVerdict::illegal;
    step.rule = error.message();
    step.hint = error.hint();
    return;
  }
  if (options.most_time_s && *step.time_s > *options.most_time_s) {
    step.verdict = NeighbourVerdict::too_slow;
  } else {
    const bool equal = *step.value == best.value && *step.time_s == best.time_s;
    step.verdict = equal ? NeighbourVerdict::equal : NeighbourVerdict::beaten;
  }
}

}  // namespace

std::string_view name_of(NeighbourVerdict verdict) {
  switch (verdict) {
    case NeighbourVerdict::illegal:
      return "illegal";
    case NeighbourVerdict::too_many_gpus:
      return "too many GPUs";
    case NeighbourVerdict::too_large:
      return "too large";
    case NeighbourVerdict::too_slow:
      return "too slow";
    case NeighbourVerdict::beaten:
      return "beaten";
    case NeighbourVerdict::equal:
      break;
  }
  return "equal";
}

std::vector<Neighbour> neighbours(const Scenario& scenario, const PlanFigures& best, const SearchOptions& options) {
  std::vector<Neighbour> steps = Steps(scenario, best.plan).all();
  parallel_for(steps.size(), options.threads, [&](std::size_t i) { judge(steps[i], scenario, best, options); });
  return steps;
}

}  // namespace ringsim::sim
