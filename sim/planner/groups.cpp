#include "sim/planner/groups.hpp"

#include "models/error.hpp"
#include "models/legality.hpp"
#include "models/memory.hpp"
#include "sim/parallel_for.hpp"
#include "sim/planner/space.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

/// Bytes of a rank by what of the ring's options they depend on; none where the plan is not legal.
class MemoryByExchange {
 public:
  std::optional<Bytes> of(const Scenario& s) {
    RingChoice choice = plan_of(s).ring;
    choice.layout = Layout::zigzag;  // blocks of all layouts are equally large
    for (const auto& [known, size] : known_) {
      if (known == choice) return size;
    }
    std::optional<Bytes> size;
    try {
      check_options(s);
      size = memory_of_rank(s).total;
    } catch (const Error&) {
      size.reset();  // two levels: whether there are inner rings depends on the order, and is found out there
      if (choice.exchange == Exchange::two_level) size = without_levels(s);
    }
    known_.emplace_back(choice, size);
    return size;
  }

 private:
  static std::optional<Bytes> without_levels(Scenario s) {
    s.ring.exchange = Exchange::one_way;
    try {
      check_options(s);
      return memory_of_rank(s).total;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  std::vector<std::pair<RingChoice, std::optional<Bytes>>> known_;
};

class GroupsOfDegrees {
 public:
  GroupsOfDegrees(const Scenario& scenario, const Degrees& degrees) : base_(scenario), degrees_(degrees) {}

  PlanGroups find() {
    const std::vector<std::int64_t> experts = expert_degrees(base_, degrees_);
    orders_ = static_cast<std::int64_t>(orders(base_, degrees_).size());
    choices_ = ring_choices(base_, degrees_);
    for (const std::int64_t expert : experts) {
      ++found_.counts.degree_sets;
      Plan plan;
      plan.degrees = degrees_;
      plan.expert = expert;
      plan.order = base_.parallel.order;
      plan.interleave = degrees_.pipeline > 1 ? base_.training.interleave : 1;
      plan.nodes = nodes_for(plan.gpus(), base_);
      if (!legal(plan)) {
        ++found_.counts.illegal_degree_sets;
        continue;
      }
      for (const Recompute recompute : recomputations(base_)) {
        plan.recompute = recompute;
        with_chunks(plan);
      }
    }
    return std::move(found_);
  }

 private:
  bool legal(const Plan& plan) const {
    if (!allows(base_, degrees_)) return false;
    Scenario s = base_;
    put(plan, s);
    try {
      check_degrees(s);
    } catch (const Error&) {
      return false;
    }
    return true;
  }

  void with_chunks(Plan plan) {
    const Chunks all = chunks(base_);
    std::vector<RingChoice> cut = degrees_.pipeline > 1 ? choices_ : std::vector<RingChoice>{};
    for (const std::int64_t chunk : all.always) {
      plan.chunk = chunk;
      const std::vector<RingChoice> unfit = add(plan, choices_);
      if (chunk == 0 && degrees_.pipeline == 1) cut = unfit;
    }
    for (const std::int64_t chunk : all.where_needed) {
      plan.chunk = chunk;
      if (cut.empty()) break;
      std::vector<RingChoice> unfit = add(plan, cut);
      if (degrees_.pipeline == 1) cut = std::move(unfit);  // more parts than needed only cost time
    }
  }

  /// Makes a group of the choices that are legal and fit; returns those that are legal and do not.
  std::vector<RingChoice> add(const Plan& plan, const std::vector<RingChoice>& choices) {
    PlanGroup group{plan, {}, orders_, {}};
    std::vector<RingChoice> unfit;
    Scenario s = base_;
    put(plan, s);
    MemoryByExchange memory;
    for (const RingChoice& choice : choices) {
      found_.counts.plans += orders_;
      Plan variant = plan;
      variant.ring = choice;
      put(variant, s);
      std::optional<Bytes> size;
      if (divides(s)) size = memory.of(s);
      if (!size) {
        found_.counts.illegal += orders_;
      } else if (*size > s.cluster.gpu.memory) {
        found_.counts.too_large += orders_;
        unfit.push_back(choice);
        if (!found_.least || *size < found_.least->total) found_.least = {variant, *size};
      } else {
        group.rings.push_back(choice);
      }
    }
    if (group.rings.empty()) return unfit;
    group.plan.ring = group.rings.front();
    put(group.plan, s);
    group.bound = PlanBound(s).anywhere();
    found_.groups.push_back(std::move(group));
    return unfit;
  }

  const Scenario& base_;
  const Degrees& degrees_;
  std::int64_t orders_ = 1;
  std::vector<RingChoice> choices_;
  PlanGroups found_;
};

}  // namespace

PlanGroups plan_groups(const Scenario& scenario, const std::vector<std::int64_t>& gpu_counts, std::size_t threads) {
  std::vector<Degrees> sets;
  for (const std::int64_t gpus : gpu_counts) {
    const std::vector<Degrees> of_gpus = degree_sets(gpus);
    sets.insert(sets.end(), of_gpus.begin(), of_gpus.end());
  }
  return plan_groups_of(scenario, sets, threads);
}

PlanGroups plan_groups_of(const Scenario& scenario, std::span<const Degrees> sets, std::size_t threads) {
  std::vector<PlanGroups> parts(sets.size());
  parallel_for(sets.size(), threads, [&](std::size_t i) { parts[i] = GroupsOfDegrees(scenario, sets[i]).find(); });
  PlanGroups all;
  for (PlanGroups& part : parts) {
    all.groups.insert(all.groups.end(), std::make_move_iterator(part.groups.begin()),
                      std::make_move_iterator(part.groups.end()));
    all.counts.degree_sets += part.counts.degree_sets;
    all.counts.illegal_degree_sets += part.counts.illegal_degree_sets;
    all.counts.plans += part.counts.plans;
    all.counts.illegal += part.counts.illegal;
    all.counts.too_large += part.counts.too_large;
    if (part.least && (!all.least || part.least->total < all.least->total)) all.least = part.least;
  }
  return all;
}

}  // namespace ringsim::sim
