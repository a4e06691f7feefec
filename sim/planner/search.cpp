#include "sim/planner/search.hpp"

#include "models/error.hpp"
#include "sim/parallel_for.hpp"
#include "sim/planner/bound.hpp"
#include "sim/planner/candidates.hpp"
#include "sim/planner/groups.hpp"
#include "sim/planner/incumbents.hpp"
#include "sim/planner/space.hpp"
#include "sim/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

/// Numbers of plans that are placed, and predicted, before what has been found is looked at: the same on every machine.
constexpr std::size_t groups_at_once = 16;
constexpr std::size_t plans_at_once = 32;

std::string progress_text(std::size_t done, std::size_t all) {
  return fmt::format("{} of {} sets of plans", done, all);
}

class Search {
 public:
  Search(const Scenario& scenario, const SearchOptions& options)
      : base_(scenario), options_(options), incumbents_(options) {
    base_.resolved.clear();
    base_.warnings.clear();
  }

  SearchResult run() {
    check_objective(options_.objective, base_);
    const std::int64_t most = options_.most_gpus > 0 ? options_.most_gpus : base_.cluster.gpus();
    result_.gpu_counts = gpu_counts(most, base_.cluster.gpus_per_node);
    found_ = plan_groups(base_, result_.gpu_counts, options_.threads);
    result_.counts = found_.counts;
    for (const PlanGroup& group : found_.groups) {
      queue_.push_back(at_least(group.plan, group.bound, base_, options_.objective));
      sets_.push_back(&group);
    }
    std::vector<std::size_t> by_bound(queue_.size());
    for (std::size_t i = 0; i < by_bound.size(); ++i) by_bound[i] = i;
    std::stable_sort(by_bound.begin(), by_bound.end(),
                     [&](std::size_t a, std::size_t b) { return before(queue_[a], queue_[b]); });
    while (true) {
      const bool more = next_ < by_bound.size();
      if (more && (pool_.empty() || !before(pool_.front(), queue_[by_bound[next_]]))) {
        place(by_bound);
      } else if (!pool_.empty()) {
        predict_some();
      } else {
        break;
      }
      if (options_.progress && !queue_.empty()) {
        options_.progress(static_cast<double>(next_) / static_cast<double>(queue_.size()),
                          progress_text(next_, queue_.size()));
      }
    }
    finish();
    return std::move(result_);
  }

 private:
  /// Takes the next sets of plans that can be of use, and places them.
  void place(const std::vector<std::size_t>& by_bound) {
    std::vector<const PlanGroup*> batch;
    for (; next_ < by_bound.size() && batch.size() < groups_at_once; ++next_) {
      const Candidate& bound = queue_[by_bound[next_]];
      const PlanGroup* group = sets_[by_bound[next_]];
      if (incumbents_.useless(bound.plan, bound.value, bound.time_s)) {
        result_.counts.bounded += group->variants();
      } else {
        batch.push_back(group);
      }
    }
    std::vector<Placed> placed(batch.size());
    parallel_for(batch.size(), options_.threads,
                 [&](std::size_t i) { placed[i] = place_group(*batch[i], base_, options_.objective); });
    for (Placed& one : placed) {
      result_.counts.illegal += one.illegal;
      result_.counts.alike += one.alike;
      pool_.insert(pool_.end(), std::make_move_iterator(one.candidates.begin()),
                   std::make_move_iterator(one.candidates.end()));
    }
    std::stable_sort(pool_.begin(), pool_.end(), before);
  }

  /// Predicts the most promising candidates.
  void predict_some() {
    std::vector<Candidate> round;
    std::size_t taken = 0;
    for (; taken < pool_.size() && round.size() < plans_at_once; ++taken) {
      if (incumbents_.useless(pool_[taken].plan, pool_[taken].value, pool_[taken].time_s)) {
        ++result_.counts.bounded;
      } else {
        round.push_back(std::move(pool_[taken]));
      }
    }
    pool_.erase(pool_.begin(), pool_.begin() + static_cast<std::ptrdiff_t>(taken));
    std::vector<std::optional<Incumbent>> found(round.size());
    parallel_for(round.size(), options_.threads, [&](std::size_t i) {
      found[i] = predict_candidate(round[i].plan, base_, options_.objective, options_.seed);
    });
    for (const std::optional<Incumbent>& one : found) {
      if (!one) {
        ++result_.counts.illegal;
        continue;
      }
      ++result_.counts.predicted;
      incumbents_.add(*one);
    }
  }

  void finish() {
    const std::vector<Incumbent> best = incumbents_.best();
    const std::vector<Incumbent> front = incumbents_.front();
    std::vector<PlanFigures> figures(best.size() + front.size());
    parallel_for(figures.size(), options_.threads, [&](std::size_t i) {
      const Incumbent& one = i < best.size() ? best[i] : front[i - best.size()];
      figures[i] = figures_of(base_, one.plan, options_.objective, options_.seed);
    });
    for (std::size_t i = 0; i < figures.size(); ++i) {
      (i < best.size() ? result_.best : result_.front).push_back(std::move(figures[i]));
    }
    for (PlanFigures& one : result_.front) {
      one.beaten_in_cost = std::any_of(result_.front.begin(), result_.front.end(), [&](const PlanFigures& other) {
        return other.time_s < one.time_s && other.gpu_hours <= one.gpu_hours;
      });
    }
    try {
      result_.own = figures_of(base_, plan_of(base_), options_.objective, options_.seed);
    } catch (const Error&) {
      result_.own.reset();  // such as of a longer context than its layout can divide
    }
    if (!result_.best.empty()) return;
    if (found_.groups.empty()) {
      if (found_.least) {
        result_.least_memory = figures_of(base_, found_.least->plan, Objective::gpus, options_.seed);
      }
      return;
    }
    if (!options_.most_time_s) return;
    SearchOptions free = options_;
    free.most_time_s.reset();
    free.objective = Objective::time;
    free.top = 1;
    const SearchResult fastest = search(base_, free);
    if (fastest.best.empty()) return;
    result_.fastest = fastest.best.front();
    Scenario s = base_;
    put(result_.fastest->plan, s);
    const double least_s = time_of(base_, PlanBound(s).anywhere().compute_s);
    result_.floor_gpus = static_cast<double>(result_.fastest->plan.gpus()) * least_s / *options_.most_time_s;
  }

  Scenario base_;
  SearchOptions options_;
  Incumbents incumbents_;
  SearchResult result_;
  PlanGroups found_;
  std::vector<Candidate> queue_;  // a bound for each set of plans
  std::vector<const PlanGroup*> sets_;
  std::size_t next_ = 0;  // of the sets in the order of their bounds
  std::vector<Candidate> pool_;
};

void check_searchable(const Scenario& s, const SearchOptions& options) {
  if (!s.parallel.gpus.empty()) {
    throw Error("a search places the ranks itself", "parallel.placement", "a scenario without parallel.placement");
  }
  if (options.most_gpus > s.cluster.gpus() && nodes_for(options.most_gpus, s) > s.cluster.nodes) {
    Scenario larger = s;
    larger.cluster.nodes = nodes_for(options.most_gpus, s);
    check(larger);
  }
}

}  // namespace

Scenario with(const Plan& plan, const Scenario& scenario) {
  Scenario s = scenario;
  put(plan, s);
  check(s);
  return s;
}

PlanFigures figures_of(const Scenario& scenario, const Plan& plan, Objective objective, std::uint64_t seed) {
  const Scenario s = with(plan, scenario);
  const Prediction p = predict_by_recurrence(s, seed);
  PlanFigures f;
  f.plan = plan;
  f.time_s = time_of(s, p.makespan_s);
  f.value = value_of(objective, s, plan.gpus(), f.time_s, p.energy_joules);
  f.compute_s = p.compute_s;
  f.exposed_communication_s = p.exposed_communication_s;
  f.bubble_s = p.bubble_s;
  f.tokens_per_s = p.tokens_per_s;
  f.mfu = p.mfu;
  f.gpu_hours = p.gpu_hours;
  f.cost = p.cost;
  f.energy_joules = p.energy_joules;
  f.memory = p.memory;
  f.tokens_per_rank = p.tokens_per_rank;
  f.shares_links = !p.shared_links.empty();
  f.settings = settings(plan, scenario);
  return f;
}

SearchResult search(const Scenario& scenario, const SearchOptions& options) {
  check_searchable(scenario, options);
  return Search(scenario, options).run();
}

}  // namespace ringsim::sim
