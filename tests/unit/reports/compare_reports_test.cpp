// Two predictions side by side: sentences, signs, and what is not compared. A is the sample: 20 s, of which 16 compute, 3 wait for
// transfers and 1 stands still. B waits 3 s less and takes 17 s; its cluster and its layout are others.
#include "reports/compare_figures.hpp"
#include "reports/compare_parts.hpp"
#include "reports/compare_report.hpp"
#include "tests/unit/reports/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace ringsim::reports {
namespace {

using ::testing::HasSubstr;

ScenarioComparison faster_network() {
  ScenarioComparison c;
  c.a.file = "a.yaml";
  c.b.file = "b.yaml";
  c.a.scenario = c.b.scenario = sample::scenario();
  c.a.prediction = c.b.prediction = sample::prediction();
  c.b.sets = {"cluster.inter_node.bandwidth=200 Gb/s"};
  c.b.prediction.makespan_s = 17;
  c.b.prediction.exposed_communication_s = 0;
  c.inputs = {{"cluster.inter_node.bandwidth", "cluster", {"cluster.inter_node.bandwidth"}, "100 Gb/s", "200 Gb/s", {}},
              {"ring.layout", "ring", {"ring.layout"}, "zigzag", "striped", {}}};
  // Of the 3 s the network brings 3.3 and the layout takes 0.3, in whatever order.
  c.time = sim::Attribution{20, 17, true, {{{{0}, {}}, -3.3, -3.3, -3.3}, {{{1}, {}}, 0.3, 0.3, 0.3}}};
  c.memory = sim::Attribution{8, 8, true, {{{{0}, {}}, 0, 0, 0}, {{{1}, {}}, 0, 0, 0}}};
  return c;
}

const ComparedFigure* figure(const std::vector<ComparedFigure>& figures, const std::string& key) {
  for (const ComparedFigure& one : figures) {
    if (one.key == key) return &one;
  }
  return nullptr;
}

TEST(CompareReport, SaysWhichIsFasterByHowMuchAndWhy) {
  // 20 / 17 = 1.176, rounded down. More than all of it is the network's, so that both parts are told in seconds.
  const ScenarioComparison c = faster_network();
  EXPECT_EQ(compared_answer(c), "B takes 17.00 s, A 20.00 s (makespan): B is 1.17 times faster.");
  EXPECT_EQ(explained_sentence(c),
            "Of that -3.300 s by cluster.inter_node.bandwidth (100 Gb/s → 200 Gb/s); against it +300.0 ms by "
            "ring.layout (zigzag → striped).");
  EXPECT_EQ(time_parts_sentence(c),
            "Of the slowest rank's time: compute unchanged, exposed communication -3.000 s, bubble unchanged.");
  EXPECT_EQ(next_command(c), "ringsim why b.yaml --set 'cluster.inter_node.bandwidth=200 Gb/s'");
}

TEST(CompareReport, SaysTheOppositeTheOtherWayRound) {
  ScenarioComparison c = faster_network();
  std::swap(c.a, c.b);
  c.time.reset();
  EXPECT_EQ(compared_answer(c), "B takes 20.00 s, A 17.00 s (makespan): B takes 1.18 times as long.");
  EXPECT_THAT(next_command(c), HasSubstr("why b.yaml"));  // A is the faster now, and was b.yaml
  const std::vector<ComparedFigure> figures = figures_of(c);
  const ComparedFigure* makespan = figure(figures, "makespan_s");
  ASSERT_NE(makespan, nullptr);
  EXPECT_EQ(makespan->better_side(), "a");
  EXPECT_EQ(change_text(*makespan), "+17.6 %");  // 20 / 17
}

TEST(CompareReport, SharesAddUpInTheTable) {
  // -3.3 of -3 is 110 %, +0.3 is -10 %.
  const Grid grid = explained_grid(faster_network());
  ASSERT_EQ(grid.rows.size(), 3U);
  EXPECT_EQ(grid.rows[0], (std::vector<std::string>{"cluster.inter_node.bandwidth", "-3.300 s", "110.0 %"}));
  EXPECT_EQ(grid.rows[1], (std::vector<std::string>{"ring.layout", "+300.0 ms", "-10.0 %"}));
  EXPECT_EQ(grid.rows[2], (std::vector<std::string>{"in all", "-3.000 s", "100.0 %"}));
}

TEST(CompareReport, RemarksOnOrderJoinedInputsAndThoseWithoutASay) {
  ScenarioComparison c = faster_network();
  c.time->parts[0].least = -3.6;  // 0.6 s of 3 s: more than a twentieth
  EXPECT_EQ(
      explained_remarks(c),
      std::vector<std::string>{"what cluster.inter_node.bandwidth brings depends on what else is changed: between "
                               "-3.600 s and -3.300 s"});
  c = faster_network();
  c.time->parts = {{{{0, 1}, "16 GPUs of 8"}, -3, -3, -3}};
  EXPECT_EQ(explained_remarks(c),
            std::vector<std::string>{"cluster.inter_node.bandwidth + ring.layout count as one, since not every mix of "
                                     "them exists: 16 GPUs of 8"});
  c = faster_network();
  c.time->parts[0].value = c.time->parts[0].least = c.time->parts[0].most = -3;
  c.time->parts[1].value = c.time->parts[1].least = c.time->parts[1].most = 0;
  EXPECT_EQ(explained_remarks(c), std::vector<std::string>{"no say in time or memory: ring.layout"});
  EXPECT_EQ(explained_grid(c).rows.size(), 2U);
}

TEST(CompareReport, DoesNotCompareTimesOfOtherThings) {
  ScenarioComparison c = faster_network();
  c.b.prediction.scope = "model";
  c.b.prediction.phase = "train";
  c.b.prediction.step_time_s = 17;
  c.time.reset();
  const std::string answer = compared_answer(c);
  EXPECT_THAT(answer, HasSubstr("not times of the same thing"));
  EXPECT_THAT(answer, HasSubstr("B a training step of the whole model"));
  const std::vector<ComparedFigure> figures = figures_of(c);
  const ComparedFigure* makespan = figure(figures, "makespan_s");
  ASSERT_NE(makespan, nullptr);
  EXPECT_FALSE(makespan->comparable());
  EXPECT_FALSE(makespan->change());
  EXPECT_EQ(change_text(*makespan), "");
  EXPECT_FALSE(not_compared_sentences(c).empty());
  // The number of GPUs is of the same kind anywhere.
  const ComparedFigure* ranks = figure(figures, "ranks");
  ASSERT_NE(ranks, nullptr);
  EXPECT_TRUE(ranks->comparable());
}

TEST(CompareReport, DoesNotCompareABoundWithAMakespan) {
  ScenarioComparison c = faster_network();
  c.a.prediction.makespan_is_bound = true;
  EXPECT_EQ(why_other_times(c.a.prediction, c.b.prediction), "A is a lower bound, the other is not");
}

TEST(CompareReport, OfTheSameScenarioSaysSo) {
  ScenarioComparison c = faster_network();
  c.b = c.a;
  c.inputs.clear();
  c.time.reset();
  EXPECT_EQ(compared_answer(c), "A and B are the same scenario: no input differs.");
  EXPECT_THAT(render_text(c, Style{}), Not(HasSubstr("Side by side")));
  EXPECT_TRUE(nlohmann::json::parse(render_json(c))["same"].get<bool>());
}

TEST(CompareReport, GivesMachinesBothSidesAndTheChange) {
  const nlohmann::json json = nlohmann::json::parse(render_json(faster_network()));
  EXPECT_EQ(json["figures"]["makespan_s"]["a"], 20.0);
  EXPECT_EQ(json["figures"]["makespan_s"]["b"], 17.0);
  EXPECT_EQ(json["figures"]["makespan_s"]["change"], -3.0);
  EXPECT_EQ(json["figures"]["makespan_s"]["better"], "b");
  EXPECT_EQ(json["explained"]["time"]["parts"][0]["inputs"][0], "cluster.inter_node.bandwidth");
  EXPECT_EQ(json["explained"]["time"]["parts"][0]["value_s"], -3.3);
  EXPECT_EQ(json["b"]["set"][0], "cluster.inter_node.bandwidth=200 Gb/s");
  const std::string csv = render_csv(faster_network());
  EXPECT_THAT(csv, HasSubstr("figure,makespan_s,20,17,-3,"));
}

}  // namespace
}  // namespace ringsim::reports
