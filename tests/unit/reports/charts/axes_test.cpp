// Marks of axes and their units, and labels of lines that keep out of each other's way.
#include "reports/charts/axes.hpp"

#include "reports/charts/text_widths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringsim::reports {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks) result.push_back(tick.text);
  return result;
}

// The largest value decides: 46 ms are no seconds yet, 900 s are 15 minutes, 3 hours are hours.
TEST(Axes, OneUnitForAllMarks) {
  EXPECT_EQ(axis_label({"time", Quantity::seconds}, axis_unit(Quantity::seconds, 0.046)), "time [ms]");
  EXPECT_EQ(axis_unit(Quantity::seconds, 59).name, "s");
  EXPECT_EQ(axis_unit(Quantity::seconds, 900).size, 60);
  EXPECT_EQ(axis_unit(Quantity::seconds, 10800).size, 3600);
  EXPECT_EQ(axis_unit(Quantity::bytes, 80e9).name, "GB");
  EXPECT_EQ(axis_label({"share", Quantity::fraction}, axis_unit(Quantity::fraction, 0.2)), "share [%]");
  EXPECT_EQ(axis_label({"GPUs", Quantity::count}, axis_unit(Quantity::count, 64)), "GPUs");
}

// 0 to 46 ms in at most 6 marks: steps of 5 would be 10 marks, of 10 they are 5. In at most 10 steps of 5 do.
TEST(Axes, LinearMarksAreRoundInTheUnit) {
  const AxisUnit ms{1e-3, "ms"};
  EXPECT_THAT(texts(linear_ticks(0, 0.046, 6, ms)), ElementsAre("0", "10", "20", "30", "40"));
  EXPECT_EQ(linear_ticks(0, 0.046, 10, ms).size(), 10U);
  EXPECT_THAT(texts(linear_ticks(0, 0.3, 4, {})), ElementsAre("0.0", "0.1", "0.2", "0.3"));
  EXPECT_THAT(texts(linear_ticks(-1, 2500, 3, {})), ElementsAre("0", "1,000", "2,000"));
  EXPECT_TRUE(linear_ticks(3, 3, 5, {}).empty());
}

// 5 to 500: of 5, 10, 20, 50, 100, 200, 500 there are 7; where 4 fit, decades remain; where decades are many, every n-th.
TEST(Axes, LogarithmicMarksThinOut) {
  EXPECT_THAT(texts(log_ticks(5, 500, 8, {})), ElementsAre("5", "10", "20", "50", "100", "200", "500"));
  EXPECT_THAT(texts(log_ticks(5, 500, 4, {})), ElementsAre("10", "100"));
  EXPECT_THAT(texts(log_ticks(1e-6, 1, 4, {})), ElementsAre("1e-6", "0.0001", "0.01", "1"));
  EXPECT_THAT(texts(log_ticks(0.0005, 0.003, 8, {1e-3, "ms"})), ElementsAre("0.5", "1", "2"));
  EXPECT_GE(log_ticks(6.1, 7.9, 6, {}).size(), 2U);  // no 1, 2 or 5 between them
}

TEST(Axes, CountsThatDoubleHaveMarksThatDouble) {
  const ChartAxis gpus{"GPUs", Quantity::count, Scale::logarithmic};
  EXPECT_THAT(texts(axis_ticks(gpus, 1, 64, 10, {}, true)), ElementsAre("1", "2", "4", "8", "16", "32", "64"));
  EXPECT_THAT(texts(axis_ticks(gpus, 1, 64, 4, {}, true)), ElementsAre("1", "4", "16", "64"));
  EXPECT_TRUE(are_powers_of_two(std::vector<double>{1, 8, 64}));
  EXPECT_FALSE(are_powers_of_two(std::vector<double>{1, 6}));
  // Half a GPU is none.
  EXPECT_THAT(texts(axis_ticks({"GPUs", Quantity::count}, 0, 2, 5, {}, false)), ElementsAre("0", "1", "2"));
}

// Labels stand in lanes: none lies on another, and no line runs through a label, for it ends at its own label below.
void expect_apart(const std::vector<LaneLabel>& labels, double left, double right) {
  for (const LaneLabel& a : labels) {
    const double end = a.left + text_width(a.text);
    EXPECT_GE(a.left, left) << a.text;
    EXPECT_LE(end, right + 1e-9) << a.text;
    for (const LaneLabel& b : labels) {
      if (&a == &b) continue;
      const bool meet = a.left < b.left + text_width(b.text) && b.left < end;
      const bool runs_through = b.x > a.left && b.x < end;
      EXPECT_FALSE(meet && a.lane == b.lane) << a.text << ", " << b.text;
      EXPECT_FALSE(runs_through && b.lane >= a.lane) << b.text << " runs through " << a.text;
    }
  }
}

TEST(Axes, LabelsOfLinesNeverMeet) {
  std::vector<LaneLabel> labels;
  for (const auto& [x, text] : std::vector<std::pair<double, std::string>>{{60, "100 Gb/s"},
                                                                           {100, "200 Gb/s"},
                                                                           {140, "400 Gb/s"},
                                                                           {144, "PCIe 5"},
                                                                           {148, "B_min"},
                                                                           {180, "800 Gb/s"},
                                                                           {300, "NVLink 4"},
                                                                           {326, "NVLink 5"}}) {
    labels.push_back({.x = x, .text = text});
  }
  const std::size_t lanes = place_in_lanes(labels, 40, 338);
  EXPECT_GE(lanes, 3U);  // three lines within 8 pixels
  EXPECT_LE(lanes, labels.size());
  expect_apart(labels, 40, 338);
  std::vector<LaneLabel> far = {{.x = 50, .text = "a"}, {.x = 200, .text = "b"}};
  EXPECT_EQ(place_in_lanes(far, 40, 338), 1U);
}

TEST(Axes, TextIsShortenedToItsRoom) {
  EXPECT_EQ(shortened("attention", 200), "attention");
  const std::string shorter = shortened("does not fit in memory", 80);
  EXPECT_TRUE(shorter.ends_with("…")) << shorter;
  EXPECT_LE(text_width(shorter), 80);
  EXPECT_EQ(shortened("attention", 3), "");
  EXPECT_EQ(shortened("🚀🚀🚀", 40), "🚀…");  // a character stays whole
  const std::vector<std::string> lines = broken_lines("does not fit in memory: 143.2 GB", 90, 3, 11);
  EXPECT_THAT(lines, ElementsAre("does not fit in", "memory: 143.2", "GB"));
}

}  // namespace
}  // namespace ringsim::reports
