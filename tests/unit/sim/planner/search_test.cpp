// The search finds what looking at every plan finds, however many threads it has, and its plans can be run as it says.
#include "sim/planner/search.hpp"

#include "models/error.hpp"
#include "models/memory.hpp"
#include "scenarios/reader.hpp"
#include "sim/planner/neighbours.hpp"
#include "sim/planner/space.hpp"
#include "sim/predict.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ringsim::sim {
namespace {

/// Two nodes, so that orders differ. The GPUs have so little memory that not every plan fits.
std::string text_of(const std::string& phase, std::int64_t tokens, int gpus_per_node = 4) {
  return fmt::format(
      "name: small\n"
      "model: {{name: small, layers: 4, hidden: 1024, heads: 8, kv_heads: 4, head_dim: 128, feed_forward: "
      "{{intermediate: 4096}}, vocabulary: 32000}}\n"
      "workload: {{phase: {}, tokens: {}, batch: 2, scope: model}}\n"
      "cluster: {{use: dgx-h100, nodes: 2, gpus_per_node: {}, gpu: {{memory: {} GB}}}}\n"
      "price: {{gpu_hour: 2}}\n",
      phase, tokens, gpus_per_node, phase == "train" ? "2.5" : "0.6");
}

struct Tried {
  Degrees degrees;
  std::int64_t gpus = 0;
  double time_s = 0, cost = 0, energy_joules = 0;
};

/// Every plan on 1, 2, 4 or 8 GPUs, by loops of its own: all degrees, all 120 orders (without those that only move axes of one rank),
/// layouts, exchanges, recomputations, and chunks of half the sequence, whether needed or not.
std::vector<Tried> all_plans(const Scenario& base) {
  std::vector<Tried> tried;
  const auto predict_one = [&](const Scenario& s) {
    try {
      check(s);
      if (!memory_of_rank(s).fits()) return;
      PredictOptions how;
      how.engine = EngineChoice::recurrence;
      how.interval = false;
      const Prediction p = predict(s, how).prediction;
      const Parallel& d = s.parallel;
      tried.push_back(
          {{d.tensor, d.ulysses, d.ring, d.pipeline, d.data}, p.ranks, p.makespan_s, *p.cost, *p.energy_joules});
    } catch (const Error&) {
      return;  // not legal
    }
  };
  const auto with_ring = [&](Scenario s) {
    const bool train = s.workload.phase == Phase::train;
    for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
      s.ring.layout = layout;
      if (s.parallel.ring == 1 && layout != Layout::zigzag) continue;
      s.ring.exchange = Exchange::one_way;
      for (const Rotation travels : {Rotation::kv, Rotation::q}) {
        for (const Rotation backward : {Rotation::kv, Rotation::q}) {
          s.ring.travels = travels;
          s.ring.backward = backward;
          if ((!train && backward == Rotation::q) ||
              (s.parallel.ring == 1 && (travels != Rotation::kv || backward != Rotation::kv)))
            continue;
          predict_one(s);
        }
      }
      s.ring.travels = s.ring.backward = Rotation::kv;
      if (s.parallel.ring == 1) continue;
      for (const Exchange exchange : {Exchange::both_ways, Exchange::two_level, Exchange::all_gather}) {
        s.ring.exchange = exchange;
        for (const Halves halves : {Halves::heads, Halves::tokens}) {
          if (exchange != Exchange::both_ways && halves == Halves::tokens) continue;
          s.ring.halves = halves;
          predict_one(s);
        }
      }
      s.ring.halves = Halves::heads;
    }
  };
  Scenario s = base;
  const auto powers = {1, 2, 4, 8};
  for (const int tensor : powers) {
    for (const int ulysses : powers) {
      for (const int ring : powers) {
        for (const int pipeline : powers) {
          for (const int data : powers) {
            const int gpus = tensor * ulysses * ring * pipeline * data;
            if (gpus > base.cluster.gpus()) continue;
            s.parallel.tensor = tensor;
            s.parallel.ulysses = ulysses;
            s.parallel.ring = ring;
            s.parallel.pipeline = pipeline;
            s.parallel.data = data;
            const auto idle_axis = [&](Axis axis) { return s.parallel.degree(axis) == 1; };
            std::array<Axis, 5> order = all_axes;
            do {
              // Of orders that only differ in where axes of one rank stand, the one in which these come last in their own order.
              bool shown = true;
              for (std::size_t i = 1; i < order.size(); ++i) {
                const bool idle_before = s.parallel.degree(order[i - 1]) == 1;
                const bool idle = s.parallel.degree(order[i]) == 1;
                if (idle_before && (!idle || order[i] < order[i - 1])) shown = false;
              }
              // Inside a node, whose GPUs are alike, one order stands for all.
              if (!shown || (gpus <= base.cluster.gpus_per_node &&
                             !std::is_sorted(order.begin(), std::find_if(order.begin(), order.end(), idle_axis))))
                continue;
              s.parallel.order = order;
              if (s.workload.phase != Phase::train) {
                for (const std::int64_t parts : {1, 2}) {
                  s.workload.chunk = parts == 1 ? 0 : s.workload.tokens / parts;
                  with_ring(s);
                }
                continue;
              }
              for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
                s.training.recompute = recompute;
                with_ring(s);
              }
            } while (std::next_permutation(order.begin(), order.end()));
          }
        }
      }
    }
  }
  return tried;
}

double value(const Tried& t, Objective objective) {
  switch (objective) {
    case Objective::time:
      return t.time_s;
    case Objective::gpus:
      return static_cast<double>(t.gpus);
    case Objective::cost:
      return t.cost;
    case Objective::energy:
      break;
  }
  return t.energy_joules;
}

void expect_as_all_plans(const Scenario& s, const std::vector<Tried>& tried, Objective objective,
                         std::optional<double> limit_s) {
  SearchOptions options;
  options.objective = objective;
  options.most_time_s = limit_s;
  options.top = 4;
  const SearchResult found = search(s, options);
  // The best of each set of degrees, in the order of the list.
  const auto key = [&](const Tried& t) { return std::tuple(value(t, objective), t.time_s, t.gpus); };
  std::map<Degrees, Tried> of_degrees;
  std::map<std::int64_t, double> fastest;
  for (const Tried& t : tried) {
    if (limit_s && t.time_s > *limit_s) continue;
    const auto known = of_degrees.try_emplace(t.degrees, t).first;
    if (key(t) < key(known->second)) known->second = t;
    const auto same = fastest.try_emplace(t.gpus, t.time_s).first;
    same->second = std::min(same->second, t.time_s);
  }
  std::vector<std::tuple<double, double, std::int64_t>> best;
  for (const auto& [degrees, t] : of_degrees) best.push_back(key(t));
  std::sort(best.begin(), best.end());
  ASSERT_FALSE(best.empty());
  ASSERT_EQ(found.best.size(), std::min<std::size_t>(4, best.size()));
  for (std::size_t i = 0; i < found.best.size(); ++i) {
    const PlanFigures& f = found.best[i];
    EXPECT_EQ(std::tuple(f.value, f.time_s, f.plan.gpus()), best[i]) << name_of(objective) << " " << i;
  }
  std::vector<std::pair<std::int64_t, double>> front;
  for (const auto& [gpus, time_s] : fastest) {
    if (front.empty() || time_s < front.back().second) front.emplace_back(gpus, time_s);
  }
  ASSERT_EQ(found.front.size(), front.size()) << name_of(objective);
  for (std::size_t i = 0; i < front.size(); ++i) {
    EXPECT_EQ(found.front[i].plan.gpus(), front[i].first);
    EXPECT_EQ(found.front[i].time_s, front[i].second);
  }
  const SearchCounts& c = found.counts;
  EXPECT_EQ(c.plans, c.illegal + c.too_large + c.bounded + c.alike + c.predicted);
  EXPECT_LT(c.predicted, static_cast<std::int64_t>(tried.size())) << "bounds leave something out";
}

void expect_for_all_objectives(const std::string& text) {
  const Scenario s = scenarios::read_scenario_text(text, "small.yaml");
  const std::vector<Tried> tried = all_plans(s);
  double least_s = tried.front().time_s;
  for (const Tried& t : tried) least_s = std::min(least_s, t.time_s);
  for (const Objective objective : {Objective::time, Objective::gpus, Objective::cost, Objective::energy}) {
    expect_as_all_plans(s, tried, objective, std::nullopt);
    expect_as_all_plans(s, tried, objective, 2.5 * least_s);
  }
}

TEST(PlannerSearch, FindsOfAPrefillWhatAllPlansHave) { expect_for_all_objectives(text_of("prefill", 8192)); }

TEST(PlannerSearch, FindsOfATrainingStepWhatAllPlansHave) { expect_for_all_objectives(text_of("train", 4096, 2)); }

TEST(PlannerSearch, DoesNotDependOnTheNumberOfThreads) {
  const Scenario s = scenarios::read_scenario_text(text_of("train", 8192, 2), "small.yaml");
  SearchOptions one;
  one.threads = 1;
  SearchOptions five;
  five.threads = 5;
  const SearchResult a = search(s, one);
  const SearchResult b = search(s, five);
  EXPECT_EQ(a.counts.predicted, b.counts.predicted);
  EXPECT_EQ(a.counts.bounded, b.counts.bounded);
  ASSERT_EQ(a.best.size(), b.best.size());
  for (std::size_t i = 0; i < a.best.size(); ++i) EXPECT_EQ(a.best[i].plan, b.best[i].plan);
}

// Also from a scenario whose exchange has keys of its own, which other exchanges refuse.
TEST(PlannerSearch, PlansAreRunByTheirSettingsToTheSameTime) {
  for (const std::string exchange : {"one-way", "both-ways, halves: tokens", "two-level, inner: 2"}) {
    const std::string ring = exchange.starts_with("two") ? "4" : "2";
    const std::string text =
        text_of("prefill", 8192) + "parallel: {ring: " + ring + "}\nring: {exchange: " + exchange + "}\n";
    const Scenario s = scenarios::read_scenario_text(text, "small.yaml");
    SearchOptions options;
    options.top = 6;
    const SearchResult found = search(s, options);
    ASSERT_GE(found.best.size(), 4U);
    for (const std::vector<PlanFigures>* list : {&found.best, &found.front}) {
      for (const PlanFigures& f : *list) {
        const Scenario again = scenarios::read_scenario_text(text, "small.yaml", {}, f.settings);
        EXPECT_EQ(predict(again, {}).prediction.makespan_s, f.time_s) << testing::PrintToString(f.settings);
        EXPECT_EQ(again.cluster.nodes, f.plan.nodes);
      }
    }
  }
}

// K/V of 2 sequences of 4 Mi tokens on eight GPUs: 2 · 4 Mi / 8 · 4 layers · 2 · 4 · 128 · 2 B = 8.6 GB a GPU, of 0.6 GB.
TEST(PlannerSearch, SaysWhatLacksLeastWhereNothingFits) {
  const Scenario s = scenarios::read_scenario_text(text_of("prefill", 4194304), "small.yaml");
  const SearchResult found = search(s, {});
  EXPECT_TRUE(found.best.empty());
  ASSERT_TRUE(found.least_memory);
  EXPECT_EQ(found.least_memory->plan.gpus(), 8);
  EXPECT_GT(found.least_memory->memory.total, s.cluster.gpu.memory);
}

TEST(PlannerSearch, SaysHowFastTheFastestIsWhereTheLimitCannotBeMet) {
  const Scenario s = scenarios::read_scenario_text(text_of("prefill", 8192), "small.yaml");
  const SearchResult free = search(s, {});
  SearchOptions options;
  options.objective = Objective::gpus;
  options.most_time_s = 0.9 * free.best.front().time_s;
  const SearchResult found = search(s, options);
  EXPECT_TRUE(found.best.empty());
  ASSERT_TRUE(found.fastest);
  EXPECT_EQ(found.fastest->time_s, free.best.front().time_s);
  ASSERT_TRUE(found.floor_gpus);
  EXPECT_GT(*found.floor_gpus, 0);
}

// Doubling any degree of a plan on all GPUs needs more than there are; what a rule forbids says which.
TEST(PlannerSearch, NeighboursSayWhyTheyAreNotChosen) {
  const Scenario s = scenarios::read_scenario_text(text_of("prefill", 8192), "small.yaml");
  const SearchOptions options;
  const SearchResult found = search(s, options);
  const std::vector<Neighbour> list = neighbours(s, found.best.front(), options);
  std::map<NeighbourVerdict, int> verdicts;
  for (const Neighbour& n : list) {
    ++verdicts[n.verdict];
    EXPECT_EQ(n.verdict == NeighbourVerdict::illegal, !n.rule.empty()) << n.change;
    EXPECT_EQ(n.verdict == NeighbourVerdict::too_large, n.needed > n.capacity) << n.change;
    const bool slower = n.time_s && *n.time_s >= found.best.front().time_s;
    EXPECT_TRUE(n.verdict != NeighbourVerdict::beaten || slower) << n.change;
  }
  EXPECT_EQ(verdicts[NeighbourVerdict::too_many_gpus], 5);  // one for each degree
  EXPECT_GT(verdicts[NeighbourVerdict::beaten], 0);
}

TEST(PlannerSearch, RefusesObjectivesThatCannotBeKnown) {
  Scenario s = scenarios::read_scenario_text(text_of("prefill", 8192), "small.yaml");
  s.price_per_gpu_hour.reset();
  SearchOptions options;
  options.objective = Objective::cost;
  EXPECT_THROW(search(s, options), Error);
  s.parallel.gpus = {0};
  EXPECT_THROW(search(s, {}), Error);
}

}  // namespace
}  // namespace ringsim::sim
