// What `size` has to say, as sections.

#include "reports/humanise.hpp"
#include "reports/shell.hpp"
#include "reports/size_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ringsim::reports {
namespace {

using sim::NeighbourVerdict;
using sim::Objective;
using sim::PlanFigures;

std::string gpus_text(std::int64_t gpus) { return fmt::format("{} GPU{}", human_count(gpus), gpus == 1 ? "" : "s"); }

bool has(const std::vector<PlanFigures>& plans, bool (*what)(const PlanFigures&)) {
  return std::any_of(plans.begin(), plans.end(), what);
}

std::string plan_text(const PlanFigures& f, const Scenario& s) {
  const std::string variant = sim::variant_text(f.plan, s);
  return sim::degrees_text(f.plan) + (variant.empty() ? "" : "; " + variant);
}

std::string memory_text(const Memory& memory) {
  return human_percent(in_bytes(memory.total) / in_bytes(memory.capacity));
}

Grid plans_grid(const std::vector<PlanFigures>& plans, const Scenario& s, bool numbered) {
  const bool cost = has(plans, [](const PlanFigures& f) { return f.cost.has_value(); });
  const bool energy = has(plans, [](const PlanFigures& f) { return f.energy_joules.has_value(); });
  Grid grid;
  if (numbered) grid.columns.push_back({"", Align::right});
  grid.columns.push_back({"GPUs", Align::right});
  grid.columns.push_back({sim::time_name(s), Align::right});
  grid.columns.push_back({"exposed", Align::right});
  grid.columns.push_back({"MFU", Align::right});
  grid.columns.push_back({"memory", Align::right});
  if (cost) grid.columns.push_back({"cost", Align::right});
  if (energy) grid.columns.push_back({"energy", Align::right});
  grid.columns.push_back({"plan", Align::left});
  for (const PlanFigures& f : plans) {
    std::vector<std::string>& row = grid.rows.emplace_back();
    if (numbered) row.push_back(std::to_string(grid.rows.size()));
    row.push_back(human_count(f.plan.gpus()));
    row.push_back(human_time(f.time_s));
    row.push_back(human_percent(f.exposed_communication_s / sim::makespan_of(s, f.time_s)));
    row.push_back(human_percent(f.mfu));
    row.push_back(memory_text(f.memory));
    if (cost) row.push_back(f.cost ? human_money(*f.cost) : "");
    if (energy) row.push_back(f.energy_joules ? human_energy(*f.energy_joules) : "");
    row.push_back(plan_text(f, s) + (f.beaten_in_cost ? " (another is faster and cheaper)" : ""));
  }
  return grid;
}

std::string limits_text(const SizeReport& r) {
  std::string text = fmt::format("up to {}", gpus_text(r.result.gpu_counts.back()));
  if (r.options.most_time_s) {
    text += fmt::format(", {} at most {}", sim::time_name(r.scenario), human_time(*r.options.most_time_s));
  }
  return text;
}

Fields question_fields(const SizeReport& r) {
  const Scenario& s = r.scenario;
  Fields fields;
  fields.emplace_back(
      "work", fmt::format("{}, {} of {} tokens x {}, scope {}", s.model.name, name_of(s.workload.phase),
                          human_count(s.workload.tokens), human_count(s.workload.batch), name_of(s.workload.scope)));
  fields.emplace_back("cluster",
                      fmt::format("{} ({} a node), profile {}{}", s.cluster.name, gpus_text(s.cluster.gpus_per_node),
                                  s.profile.name, s.profile.calibrated ? "" : " (not calibrated)"));
  fields.emplace_back("limits", limits_text(r));
  fields.emplace_back("made small", r.options.objective == Objective::time ? sim::time_name(s)
                                                                           : std::string(name_of(r.options.objective)));
  return fields;
}

Fields count_fields(const SizeReport& r) {
  const sim::SearchCounts& c = r.result.counts;
  Fields fields;
  std::string sizes;
  for (const std::int64_t gpus : r.result.gpu_counts) sizes += (sizes.empty() ? "" : ", ") + human_count(gpus);
  fields.emplace_back("GPUs", sizes);
  fields.emplace_back("degrees", fmt::format("{} sets, of which the model, the batch or the tokens rule out {}",
                                             human_count(c.degree_sets), human_count(c.illegal_degree_sets)));
  fields.emplace_back("plans", fmt::format("{} with the other {}", human_count(c.plans),
                                           human_count(c.degree_sets - c.illegal_degree_sets)));
  fields.emplace_back("  illegal", human_count(c.illegal));
  fields.emplace_back("  too large for memory", human_count(c.too_large));
  fields.emplace_back("  left out by a bound", human_count(c.bounded) + " (too slow, or beaten whatever happens)");
  fields.emplace_back("  placed like another", human_count(c.alike));
  fields.emplace_back("  predicted", human_count(c.predicted) + " by the recurrence");
  return fields;
}

// How it stands against the best.
std::string own_note(const SizeReport& r) {
  const PlanFigures& own = *r.result.own;
  const PlanFigures& best = r.result.best.front();
  if (!own.memory.fits()) return "does not fit in memory";
  if (own.plan.gpus() > r.result.gpu_counts.back()) return "on more GPUs than may be used";
  if (r.options.most_time_s && own.time_s > *r.options.most_time_s) return "misses the limit";
  return fmt::format("{} {} against plan 1", sim::time_name(r.scenario),
                     human_signed_percent(own.time_s / best.time_s - 1));
}

Grid neighbour_grid(const SizeReport& r) {
  Grid grid{{{"change", Align::left}, {"GPUs", Align::right}, {"", Align::left}, {"why not", Align::left}}, {}};
  for (const sim::Neighbour& n : r.neighbours) {
    grid.rows.push_back(
        {n.change, human_count(n.plan.gpus()), std::string(name_of(n.verdict)), neighbour_reason(n, r)});
  }
  return grid;
}

}  // namespace

std::string neighbour_reason(const sim::Neighbour& n, const SizeReport& r) {
  switch (n.verdict) {
    case NeighbourVerdict::illegal:
      return n.rule;
    case NeighbourVerdict::too_many_gpus:
      return fmt::format("{} may be used", gpus_text(r.result.gpu_counts.back()));
    case NeighbourVerdict::too_large:
      return fmt::format("needs {} of {}, most of it {}", human_bytes(n.needed), human_bytes(n.capacity),
                         n.largest_term);
    case NeighbourVerdict::too_slow:
      return human_time(*n.time_s);
    case NeighbourVerdict::equal:
      return "as good; the one above is simpler";
    case NeighbourVerdict::beaten:
      break;
  }
  const PlanFigures& best = r.result.best.front();
  const double change = *n.time_s / best.time_s - 1;
  std::string text = fmt::format("{} ({})", human_time(*n.time_s), human_signed_percent(change));
  if (r.options.objective != Objective::time && r.options.objective != Objective::gpus) {
    text += fmt::format(", {} {}", name_of(r.options.objective), human_signed_percent(*n.value / best.value - 1));
  }
  return text;
}

std::string run_command(const std::string& path, const std::vector<std::string>& sets, const PlanFigures& plan) {
  std::string text = "ringsim run " + shell_word(path);
  std::vector<std::string> all = sets;
  all.insert(all.end(), plan.settings.begin(), plan.settings.end());
  for (const std::string& one : all) text += " --set " + shell_word(one);
  if (plan.shares_links) text += " --engine recurrence";
  return text;
}

std::string size_answer(const SizeReport& r) {
  const Scenario& s = r.scenario;
  const std::string time = sim::time_name(s);
  if (r.result.best.empty()) {
    if (r.result.least_memory) {
      const Memory& memory = r.result.least_memory->memory;
      return fmt::format("No plan fits: on {} at most, {} needs at least {} of {} a GPU.",
                         gpus_text(r.result.gpu_counts.back()), s.model.name, human_bytes(memory.total),
                         human_bytes(memory.capacity));
    }
    if (r.result.fastest) {
      return fmt::format("No plan on up to {} meets a {} of {}: the fastest that fits takes {}.",
                         gpus_text(r.result.gpu_counts.back()), time, human_time(*r.options.most_time_s),
                         human_time(r.result.fastest->time_s));
    }
    return fmt::format("No plan on {} is legal for {} tokens.", limits_text(r), human_count(s.workload.tokens));
  }
  const PlanFigures& best = r.result.best.front();
  const std::string plan = plan_text(best, s);
  switch (r.options.objective) {
    case Objective::time:
      return fmt::format("The least {} on {}: {}, on {} ({}).", time, limits_text(r), human_time(best.time_s),
                         gpus_text(best.plan.gpus()), plan);
    case Objective::gpus:
      if (r.options.most_time_s) {
        return fmt::format("{} are enough for {} tokens at a {} of at most {}: {} takes {}.",
                           gpus_text(best.plan.gpus()), human_count(s.workload.tokens), time,
                           human_time(*r.options.most_time_s), plan, human_time(best.time_s));
      }
      return fmt::format("{} hold {} tokens: {}, {} {}.", gpus_text(best.plan.gpus()), human_count(s.workload.tokens),
                         plan, time, human_time(best.time_s));
    case Objective::cost:
      return fmt::format("The cheapest plan on {}: {} a run, {} in {} ({}).", limits_text(r), human_money(best.value),
                         gpus_text(best.plan.gpus()), human_time(best.time_s), plan);
    case Objective::energy:
      break;
  }
  return fmt::format("The plan that takes least energy on {}: {}, {} in {} ({}).", limits_text(r),
                     human_energy(best.value), gpus_text(best.plan.gpus()), human_time(best.time_s), plan);
}

AnswerPage size_page(const SizeReport& r) {
  std::vector<Section> sections;
  sections.push_back({"Question", "", {}, question_fields(r)});
  if (!r.result.best.empty()) {
    sections.push_back(
        {"Best plans", "the best of each set of degrees", plans_grid(r.result.best, r.scenario, true), {}});
    if (r.result.own && r.result.own->plan != r.result.best.front().plan) {
      sections.push_back({"The scenario's own plan", own_note(r), plans_grid({*r.result.own}, r.scenario, false), {}});
    }
    sections.push_back({"Fewer GPUs or less time",
                        "plans than which none is both faster and smaller",
                        plans_grid(r.result.front, r.scenario, false),
                        {}});
  }
  if (!r.neighbours.empty()) sections.push_back({"Why not", "one step from plan 1", neighbour_grid(r), {}});
  std::vector<PlanFigures> misses;
  if (r.result.least_memory) misses.push_back(*r.result.least_memory);
  if (r.result.fastest) misses.push_back(*r.result.fastest);
  if (!misses.empty()) sections.push_back({"Nearest miss", "", plans_grid(misses, r.scenario, false), {}});
  sections.push_back({"Looked at", "", {}, count_fields(r)});
  return {r.scenario.name, size_answer(r), std::move(sections), size_next(r)};
}

std::vector<std::string> size_next(const SizeReport& r) {
  std::vector<std::string> next;
  if (!r.result.best.empty()) {
    next.push_back(run_command(r.path, r.sets, r.result.best.front()));
    if (r.result.best.front().shares_links) {
      next.push_back(
          "Flows of this plan share links: each was given an equal share all the time. Without --engine, the flow "
          "engine, where it is built in, simulates the sharing.");
    }
    return next;
  }
  if (r.result.least_memory) {
    const Memory& memory = r.result.least_memory->memory;
    const auto largest = std::max_element(memory.terms.begin(), memory.terms.end(),
                                          [](const MemoryTerm& a, const MemoryTerm& b) { return a.size < b.size; });
    next.push_back(fmt::format(
        "{} too much; most of it {} ({}, divided by {}). More GPUs (--gpus), a shorter --context, "
        "or GPUs with more memory.",
        human_bytes(memory.total - memory.capacity), largest->name, human_bytes(largest->size), largest->divided_by));
  }
  if (r.result.fastest) {
    next.push_back(fmt::format("A limit of {} can be met.", human_time(r.result.fastest->time_s)));
    if (r.result.floor_gpus) {
      next.push_back(fmt::format(
          "At the rate of its kernels alone this plan's work fills {} GPUs for {}: no fewer can "
          "meet the limit by such a plan (--gpus).",
          human_count(static_cast<std::int64_t>(std::ceil(*r.result.floor_gpus))), human_time(*r.options.most_time_s)));
    }
    next.push_back(run_command(r.path, r.sets, *r.result.fastest));
  }
  return next;
}

}  // namespace ringsim::reports
