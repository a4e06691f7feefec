// The best plan of each tensor and ring degree, against the search's list of all degrees.
#include "sim/curves/degree_map.hpp"

#include "scenarios/reader.hpp"
#include "sim/curves/too_large.hpp"
#include "sim/planner/incumbents.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::sim {
namespace {

/// Two nodes of four GPUs with so little memory that not every plan fits; 12 heads, which 8 tensor ranks cannot divide.
std::string text_of(const std::string& phase, const std::string& memory) {
  return fmt::format(
      "name: small\n"
      "model: {{name: small, layers: 4, hidden: 1536, heads: 12, kv_heads: 4, head_dim: 128, feed_forward: "
      "{{intermediate: 4096}}, vocabulary: 32000}}\n"
      "workload: {{phase: {}, tokens: 16Ki, batch: 2, scope: model}}\n"
      "cluster: {{use: dgx-h100, nodes: 2, gpus_per_node: 4, gpu: {{memory: {}}}}}\n"
      "price: {{gpu_hour: 2}}\n",
      phase, memory);
}

Scenario small(const std::string& phase = "prefill", const std::string& memory = "0.75 GB") {
  return scenarios::read_scenario_text(text_of(phase, memory), "small.yaml");
}

const DegreeCell& at(const DegreeMap& map, std::int64_t tensor, std::int64_t ring) {
  for (const DegreeCell& cell : map.cells) {
    if (cell.tensor == tensor && cell.ring == ring) return cell;
  }
  throw std::out_of_range(fmt::format("no cell {} x {}", tensor, ring));
}

// A list long enough for all sets of degrees has the best of each of them: the least of those with a cell's tensor and ring degree is
// the cell's. What has none is not feasible.
TEST(DegreeMap, EveryCellIsTheBestOfItsDegreesInTheSearchsList) {
  for (const auto& [phase, objective] : {std::pair("prefill", Objective::time), std::pair("train", Objective::cost)}) {
    const Scenario s = small(phase, std::string(phase) == "train" ? "2.5 GB" : "0.75 GB");
    SearchOptions options;
    options.objective = objective;
    options.top = 10000;
    const SearchResult all = search(s, options);
    std::map<std::pair<std::int64_t, std::int64_t>, PlanFigures> best;
    for (const PlanFigures& one : all.best) best.try_emplace({one.plan.degrees.tensor, one.plan.degrees.ring}, one);
    options.top = 1;
    const DegreeMap map = degree_map(s, options);
    ASSERT_EQ(map.tensor, (std::vector<std::int64_t>{1, 2, 4, 8}));
    ASSERT_EQ(map.ring, (std::vector<std::int64_t>{1, 2, 4, 8}));
    for (const DegreeCell& cell : map.cells) {
      const auto expected = best.find({cell.tensor, cell.ring});
      ASSERT_EQ(cell.verdict == CellVerdict::feasible, expected != best.end())
          << phase << " " << cell.tensor << " x " << cell.ring << ": " << cell.reason;
      if (expected == best.end()) continue;
      EXPECT_DOUBLE_EQ(cell.value, expected->second.value) << cell.tensor << " x " << cell.ring;
      EXPECT_EQ(*cell.plan, expected->second.plan);
      EXPECT_EQ(cell.settings, expected->second.settings);
      EXPECT_DOUBLE_EQ(cell.mfu, expected->second.mfu);
    }
    ASSERT_TRUE(map.best);
    EXPECT_EQ(*map.cells[*map.best].plan, all.best.front().plan);
    EXPECT_DOUBLE_EQ(map.cells[*map.best].value, all.best.front().value);
  }
}

TEST(DegreeMap, WhatIsNotFeasibleHasItsReason) {
  const DegreeMap map = degree_map(small(), {});
  EXPECT_EQ(at(map, 4, 4).verdict, CellVerdict::too_many_gpus);
  EXPECT_EQ(at(map, 4, 4).reason, "needs 16 GPUs of 8");
  EXPECT_EQ(at(map, 8, 1).verdict, CellVerdict::illegal);
  EXPECT_EQ(at(map, 8, 1).reason, "tensor 8 does not divide 12 query heads");
  EXPECT_FALSE(at(map, 8, 1).hint.empty());
}

TEST(DegreeMap, WhatDoesNotFitTellsTheLeastThatIsNeeded) {
  // With no room at all the search says of the whole space which plan lacks least; it is the least over the cells.
  const Scenario s = small("prefill", "0.01 GB");
  const DegreeMap map = degree_map(s, {});
  EXPECT_FALSE(map.best);
  const SearchResult none = search(s, {});
  ASSERT_TRUE(none.least_memory);
  std::optional<double> least;
  for (const DegreeCell& cell : map.cells) {
    if (cell.verdict != CellVerdict::too_large) continue;
    EXPECT_EQ(cell.reason, needs_text(bytes(cell.memory_bytes), gigabytes(0.01)));
    if (!least || cell.memory_bytes < *least) least = cell.memory_bytes;
  }
  ASSERT_TRUE(least);
  EXPECT_DOUBLE_EQ(*least, in_bytes(none.least_memory->memory.total));
}

TEST(DegreeMap, ALimitThatNoPlanMeetsShowsTheFastest) {
  SearchOptions options;
  const DegreeMap free = degree_map(small(), options);
  options.objective = Objective::cost;
  options.most_time_s = free.cells[*free.best].time_s * 0.999;
  const DegreeMap limited = degree_map(small(), options);
  EXPECT_FALSE(limited.best);
  for (std::size_t i = 0; i < free.cells.size(); ++i) {
    if (free.cells[i].verdict != CellVerdict::feasible) continue;
    EXPECT_EQ(limited.cells[i].verdict, CellVerdict::too_slow);
    EXPECT_DOUBLE_EQ(limited.cells[i].time_s, free.cells[i].time_s);
    EXPECT_EQ(limited.cells[i].reason.rfind("takes ", 0), 0U) << limited.cells[i].reason;
  }
}

// Of a job that is too large to search every cell, what the search has found is drawn.
TEST(DegreeMap, OfALargeJobShowsWhatTheSearchFound) {
  SearchOptions options;
  options.top = 1;
  const SearchResult found = search(small(), options);
  const DegreeMap map = degree_map(small(), options, found, {.most_gpus = 4});
  ASSERT_TRUE(map.best);
  EXPECT_EQ(*map.cells[*map.best].plan, found.best.front().plan);
  std::size_t feasible = 0;
  std::size_t not_searched = 0;
  for (const DegreeCell& cell : map.cells) {
    feasible += cell.verdict == CellVerdict::feasible ? 1 : 0;
    not_searched += cell.verdict == CellVerdict::not_searched ? 1 : 0;
  }
  EXPECT_GT(not_searched, 0U);
  EXPECT_LE(feasible, found.best.size() + found.front.size());
}

TEST(DegreeMap, DependsNotOnThreads) {
  SearchOptions one;
  one.threads = 1;
  SearchOptions four;
  four.threads = 4;
  const DegreeMap a = degree_map(small(), one);
  const DegreeMap b = degree_map(small(), four);
  ASSERT_EQ(a.cells.size(), b.cells.size());
  for (std::size_t i = 0; i < a.cells.size(); ++i) {
    EXPECT_EQ(a.cells[i].plan, b.cells[i].plan);
    EXPECT_EQ(a.cells[i].value, b.cells[i].value);
    EXPECT_EQ(a.cells[i].reason, b.cells[i].reason);
  }
}

// Of more degrees than a picture has room for powers of two are shown, and the scenario's own ring of 1.
TEST(DegreeMap, NamesTheDegreesThatItLeavesOut) {
  const Scenario s = scenarios::read_scenario_text(text_of("prefill", "80 GB"), "small.yaml", {},
                                                   {"cluster.nodes=1", "cluster.gpus_per_node=6"});
  SearchOptions options;
  options.objective = Objective::gpus;  // one GPU is the fewest: ring 1
  options.top = 1;
  SearchResult found;  // nothing known beforehand
  const DegreeMap map = degree_map(s, options, found, {.rows = 8, .columns = 3});
  EXPECT_EQ(map.ring, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(map.left_out, "ring 3, 6");
  EXPECT_EQ(at(map, 1, 1).value, 1);
}

}  // namespace
}  // namespace ringsim::sim
