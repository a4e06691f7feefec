#include "sim/curves/degree_map.hpp"

#include "models/error.hpp"
#include "models/legality.hpp"
#include "sim/curves/cell_search.hpp"
#include "sim/curves/too_large.hpp"
#include "sim/figures.hpp"
#include "sim/parallel_for.hpp"
#include "sim/phrases.hpp"
#include "sim/planner/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ringsim::sim {
namespace {

using Cell = std::pair<std::int64_t, std::int64_t>;  // tensor, ring

bool power_of_two(std::int64_t n) { return (n & (n - 1)) == 0; }

/// At most so many degrees of a space, those of a smaller rank first and of equals the smaller ones; ascending.
template <class Rank>
std::vector<std::int64_t> chosen(const std::set<std::int64_t>& space, std::size_t most, const Rank& rank) {
  std::vector<std::int64_t> degrees(space.begin(), space.end());
  std::stable_sort(degrees.begin(), degrees.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
  if (degrees.size() > most) degrees.resize(most);
  std::sort(degrees.begin(), degrees.end());
  return degrees;
}

/// "ring 3, 5, 6 and 9 more"
std::string omitted(const char* axis, const std::set<std::int64_t>& space, const std::vector<std::int64_t>& shown) {
  std::string text;
  std::int64_t named = 0;
  std::int64_t more = 0;
  for (const std::int64_t degree : space) {
    if (std::binary_search(shown.begin(), shown.end(), degree)) continue;
    if (named == 3) {
      ++more;
      continue;
    }
    text += fmt::format("{}{}", named == 0 ? std::string(axis) + " " : ", ", degree);
    ++named;
  }
  if (more > 0) text += fmt::format(" and {} more", more);
  return text;
}

class Map {
 public:
  Map(const Scenario& scenario, const SearchOptions& options, const SearchResult& found)
      : base_(scenario), options_(options), found_(found) {
    base_.resolved.clear();
    base_.warnings.clear();
    map_.objective = options.objective;
    map_.time_name = time_name(base_);
    map_.most_gpus = options.most_gpus > 0 ? options.most_gpus : base_.cluster.gpus();
    map_.memory_capacity_bytes = in_bytes(base_.cluster.gpu.memory);
    for (const auto* list : {&found.best, &found.front}) {
      for (const PlanFigures& one : *list) {
        const Cell cell{one.plan.degrees.tensor, one.plan.degrees.ring};
        const Incumbent incumbent{one.plan, one.value, one.time_s};
        const auto [known, added] = known_.try_emplace(cell, incumbent);
        if (!added && better(incumbent, known->second)) known->second = incumbent;
      }
    }
  }

  DegreeMap draw(const DegreeMapLimits& limits) {
    for (const std::int64_t gpus : gpu_counts(map_.most_gpus, base_.cluster.gpus_per_node)) {
      for (const Degrees& set : degree_sets(gpus)) sets_[{set.tensor, set.ring}].push_back(set);
    }
    choose_degrees(limits);
    searches_ = map_.most_gpus <= limits.most_gpus;
    map_.cells.resize(map_.tensor.size() * map_.ring.size());
    parallel_for(map_.cells.size(), options_.threads, [&](std::size_t i) {
      map_.cells[i] = cell_of({map_.tensor[i / map_.ring.size()], map_.ring[i % map_.ring.size()]});
    });
    for (std::size_t i = 0; i < map_.cells.size(); ++i) {
      if (map_.cells[i].verdict != CellVerdict::feasible) continue;
      if (!map_.best || better(incumbent_of(map_.cells[i]), incumbent_of(map_.cells[*map_.best]))) map_.best = i;
    }
    return std::move(map_);
  }

 private:
  void choose_degrees(const DegreeMapLimits& limits) {
    std::set<std::int64_t> tensor;
    std::set<std::int64_t> ring;
    for (const auto& [cell, sets] : sets_) {
      tensor.insert(cell.first);
      ring.insert(cell.second);
    }
    const std::vector<std::int64_t> legal = legal_tensor(base_.model);
    const auto is_legal = [&](std::int64_t t) { return std::binary_search(legal.begin(), legal.end(), t); };
    // Of the degrees that no head count allows only the powers of two are ones that somebody would ask for.
    std::erase_if(tensor, [&](std::int64_t t) { return !is_legal(t) && !power_of_two(t); });
    map_.tensor = chosen(tensor, limits.rows, [&](std::int64_t t) {
      return found(Axis::tensor) == t ? 0 : is_legal(t) ? (power_of_two(t) ? 1 : 2) : 3;
    });
    // Rings other than powers of two are shown where there is room for all.
    if (ring.size() > limits.columns) {
      const auto rank = [&](std::int64_t r) {
        return found(Axis::ring) == r ? 0 : power_of_two(r) ? 1 : r == base_.parallel.ring ? 2 : 3;
      };
      const std::set<std::int64_t> all = ring;
      std::erase_if(ring, [&](std::int64_t r) { return rank(r) == 3; });
      map_.ring = chosen(ring, limits.columns, rank);
      map_.left_out = omitted("ring", all, map_.ring);
    } else {
      map_.ring = {ring.begin(), ring.end()};
    }
    const std::string rows = omitted("tensor", tensor, map_.tensor);
    if (!rows.empty()) map_.left_out = rows + (map_.left_out.empty() ? "" : "; ") + map_.left_out;
  }

  /// The best plan's degree; 0: there is none.
  [[nodiscard]] std::int64_t found(Axis axis) const {
    return found_.best.empty() ? 0 : found_.best.front().plan.degrees.degree(axis);
  }

  static Incumbent incumbent_of(const DegreeCell& cell) { return {*cell.plan, cell.value, cell.time_s}; }

  [[nodiscard]] DegreeCell cell_of(const Cell& at) const {
    DegreeCell cell;
    cell.tensor = at.first;
    cell.ring = at.second;
    const std::int64_t least_gpus = at.first * at.second;
    if (least_gpus > map_.most_gpus) {
      cell.verdict = CellVerdict::too_many_gpus;
      cell.reason = fmt::format("needs {} GPUs of {}", least_gpus, map_.most_gpus);
      return cell;
    }
    const auto sets = sets_.find(at);
    if (sets == sets_.end()) {
      cell.reason = fmt::format("{} GPUs fill no whole nodes of {}", least_gpus, base_.cluster.gpus_per_node);
      return cell;
    }
    const auto known = known_.find(at);
    if (!searches_) {
      cell.verdict = known == known_.end() ? CellVerdict::not_searched : CellVerdict::feasible;
      if (known != known_.end()) figure(known->second, cell);
      if (known == known_.end())
        cell.reason = fmt::format("not searched: too many plans of up to {} GPUs", map_.most_gpus);
      return cell;
    }
    CellSearch search(base_, options_, sets->second);
    if (known != known_.end()) search.start_from(known->second);
    const CellOutcome outcome = search.run();
    if (outcome.best) {
      cell.verdict = CellVerdict::feasible;
      figure(*outcome.best, cell);
    } else if (outcome.fastest) {
      cell.verdict = CellVerdict::too_slow;
      figure(*outcome.fastest, cell);
      cell.reason = fmt::format("takes {} of {}", phrases::time(cell.time_s), phrases::time(*options_.most_time_s));
    } else if (outcome.least_memory) {
      cell.verdict = CellVerdict::too_large;
      cell.reason = needs_text(*outcome.least_memory, base_.cluster.gpu.memory);
      cell.memory_bytes = in_bytes(*outcome.least_memory);
    } else {
      cell.reason = outcome.rule;
      cell.hint = outcome.hint;
    }
    return cell;
  }

  void figure(const Incumbent& one, DegreeCell& cell) const {
    cell.plan = one.plan;
    cell.value = one.value;
    cell.time_s = one.time_s;
    cell.settings = settings(one.plan, base_);
    const Figures f = figures_of(with(one.plan, base_), FiguresOptions{EngineChoice::recurrence, options_.seed, false});
    cell.mfu = f.mfu;
    cell.memory_bytes = f.memory_total_bytes;
  }

  Scenario base_;
  const SearchOptions& options_;
  const SearchResult& found_;
  std::map<Cell, Incumbent> known_;
  bool searches_ = true;  // the cells that are not known
  std::map<Cell, std::vector<Degrees>> sets_;
  DegreeMap map_;
};

}  // namespace

DegreeMap degree_map(const Scenario& scenario, const SearchOptions& options, const SearchResult& found,
                     const DegreeMapLimits& limits) {
  return Map(scenario, options, found).draw(limits);
}

DegreeMap degree_map(const Scenario& scenario, const SearchOptions& options) {
  return degree_map(scenario, options, search(scenario, options));
}

}  // namespace ringsim::sim
