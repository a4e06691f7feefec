#include "reports/text_run.hpp"

#include "reports/display.hpp"
#include "reports/markdown_run.hpp"
#include "reports/verdicts.hpp"
#include "tests/unit/reports/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace ringsim::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const sim::Prediction& p) { return render_text(p, sample::scenario(), Style{}); }

TEST(TextRun, StartsWithTheAnswer) {
  const std::string text = text_of(sample::prediction());
  const std::string first = text.substr(0, text.find("\n\n"));
  EXPECT_THAT(first,
              AllOf(HasSubstr("four-ranks"), HasSubstr("20.00 s"), HasSubstr("4 GPUs"), HasSubstr("16,384 tokens")));
  EXPECT_THAT(first, testing::ContainsRegex("between.18.00 s.and.23.00 s"));
  EXPECT_THAT(first, HasSubstr("Transfers are exposed: 15.0 % of the time"));  // 3 s of 20 s
  EXPECT_THAT(first, HasSubstr("Memory fits: 40.00 GB of 80.00 GB a GPU, 40.00 GB to spare"));
}

TEST(TextRun, SaysWhatWasPredicted) {
  EXPECT_THAT(
      text_of(sample::prediction()),
      AllOf(HasSubstr("16,384 in the whole sequence; 4,096 a rank"), HasSubstr("scope"), HasSubstr("attention"),
            HasSubstr("phase prefill"), HasSubstr("4 × NVLink"), HasSubstr("4 idle"), HasSubstr("(calibrated)")));
}

TEST(TextRun, FlagsAnUncalibratedProfile) {
  sim::Prediction p = sample::prediction();
  p.profile_calibrated = false;
  EXPECT_THAT(text_of(p), HasSubstr("UNCALIBRATED"));
}

TEST(TextRun, NamesTheCausesOfTheBubble) {
  EXPECT_THAT(text_of(sample::prediction()), HasSubstr("waiting for a peer or for SMs"));
}

TEST(TextRun, RoundsBlockMinimaUp) {
  const std::string text = text_of(sample::prediction());
  EXPECT_THAT(text, AllOf(HasSubstr("2,197.8"), HasSubstr("2,500.3")));
  EXPECT_THAT(text, Not(HasSubstr("2,500.2")));
}

TEST(TextRun, PrefillShowsTheMinimaOfBothPassesToo) {
  // A planner who sizes prefill today trains on the same ring tomorrow: B_min is printed for both.
  EXPECT_THAT(text_of(sample::prediction()), AllOf(HasSubstr("forward"), HasSubstr("backward")));
}

TEST(TextRun, TrainingSaysWhyAMinimumIsMissing) {
  Scenario scenario = sample::scenario();
  scenario.workload.phase = Phase::train;
  EXPECT_THAT(render_text(sample::prediction(), scenario, Style{}),
              AllOf(HasSubstr("backward"), HasSubstr("the hop's latency outlasts every block"),
                    HasSubstr("too short: no block hides the hop")));
}

TEST(TextRun, SaysWhatDoesNotFit) {
  sim::Prediction p = sample::prediction();
  p.memory.capacity = gigabytes(24);
  EXPECT_THAT(text_of(p), AllOf(HasSubstr("Memory does NOT fit"), HasSubstr("16.00 GB too much")));
}

TEST(TextRun, ListsAtMostEightRanks) {
  sim::Prediction p = sample::prediction();
  for (std::int64_t r = 4; r < 40; ++r) p.per_rank.push_back(sample::rank(r, 16, 2, 2));
  EXPECT_THAT(text_of(p), AllOf(HasSubstr("slowest, most exposed"), HasSubstr("first"), HasSubstr("last")));
}

TEST(TextRun, ARingOfOneHasNothingToHide) {
  sim::Prediction p = sample::prediction();
  p.ring_size = 1;
  p.deciding_hop.reset();
  p.overlap.reset();
  EXPECT_THAT(text_of(p), AllOf(HasSubstr("Nothing travels"), Not(HasSubstr("B_min"))));
}

TEST(TextRun, FitsThePageAndHasNoTrailingSpaces) {
  std::istringstream lines(text_of(sample::prediction()));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(display_width(line), page_width) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST(TextRun, ColorsOnlyOnRequest) {
  EXPECT_THAT(text_of(sample::prediction()), Not(HasSubstr("\x1b")));
  EXPECT_THAT(render_text(sample::prediction(), sample::scenario(), Style{true}), HasSubstr("\x1b["));
}

TEST(TextRun, EscapeSequencesInNamesAreDefused) {
  sim::Prediction p = sample::prediction();
  p.scenario_name = "evil\x1b[2J";
  EXPECT_THAT(text_of(p), Not(HasSubstr("\x1b")));
}

TEST(Verdicts, ABlockIsHeldAgainstTheMostTrustworthyMinimum) {
  sim::BlockMinima minima{2000, 2500.0, "", {}, ""};
  EXPECT_EQ(block_verdict(minima, 5000).text, "long enough: 2.00 × the block needed");
  EXPECT_TRUE(block_verdict(minima, 2500).good);
  EXPECT_EQ(block_verdict(minima, 2200).text, "too short: the block must be 1.14 × as large");  // 1.1363…, up
  minima.simulated_tokens = 6000;
  EXPECT_EQ(block_verdict(minima, 5000).text, "exposed: the block must be 1.20 × as large");
  EXPECT_EQ(block_verdict(minima, 9000).text, "hidden: 1.50 × the block needed");
}

TEST(Verdicts, ALittleWaitingStillHides) {
  sim::Prediction p = sample::prediction();
  p.exposed_communication_s = 0.05;  // of 20 s
  EXPECT_TRUE(transfers_verdict(p).good);
  EXPECT_THAT(transfers_verdict(p).text, HasSubstr("0.2 %"));
}

TEST(Verdicts, ALowerBoundIsNoPrediction) {
  sim::Prediction p = sample::prediction();
  p.engine_note = "lower bound, the work of the busiest stream";
  p.makespan_is_bound = true;
  EXPECT_THAT(answer(p, sample::scenario()), HasSubstr("takes at least 20.00 s"));
  EXPECT_THAT(transfers_verdict(p).text, HasSubstr("left open"));
}

TEST(MarkdownRun, HasTablesWithNumbersToTheRight) {
  const std::string text = render_markdown(sample::prediction(), sample::scenario());
  EXPECT_THAT(text, AllOf(HasSubstr("## four-ranks"), HasSubstr("| --- | --: | --: | --: |"),
                          HasSubstr("- first warning"), HasSubstr("2,500.3")));
}

TEST(TextRun, FiguresOfALowerBoundAreBoundsToo) {
  sim::Prediction p = sample::prediction();
  EXPECT_THAT(text_of(p), AllOf(HasSubstr("█"), Not(HasSubstr("at most"))));
  p.makespan_is_bound = true;
  const std::string text = text_of(p);
  EXPECT_THAT(text, AllOf(HasSubstr("makespan, at least"), HasSubstr("at most 819.2 tokens/s"),
                          HasSubstr("at most 60.0 % of the peak"), HasSubstr("at most 75.0 % of the makespan"),
                          HasSubstr("at least 0.02222 GPU-hours"), HasSubstr("cost at least 0.05556")));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("█")), Not(HasSubstr("80.0 % of the time")),
                          Not(HasSubstr("exposed communication  ")), HasSubstr("80.0 % of the lower bound")));
  EXPECT_THAT(render_markdown(p, sample::scenario()), HasSubstr("at most 819.2 tokens/s"));
}

TEST(TextRun, RatesAndCostsNameTheirScope) {
  EXPECT_THAT(text_of(sample::prediction()),
              AllOf(HasSubstr("819.2 tokens/s of attention alone"), HasSubstr("GPU-hours of attention alone")));
}

TEST(TextRun, OnlySeveralDegreesHaveAnOrder) {
  EXPECT_THAT(text_of(sample::prediction()), AllOf(HasSubstr("ring 4; 4 GPUs"), Not(HasSubstr("innermost"))));
  Scenario scenario = sample::scenario();
  scenario.parallel.tensor = 2;
  EXPECT_THAT(render_text(sample::prediction(), scenario, Style{}), HasSubstr("tensor 2 × ring 4 (innermost first)"));
}

TEST(TextRun, TrainingShowsBothUtilisations) {
  sim::Prediction p = sample::prediction();
  p.hfu = 0.7;
  EXPECT_THAT(text_of(p), Not(HasSubstr("HFU")));
  Scenario scenario = sample::scenario();
  scenario.workload.phase = Phase::train;
  EXPECT_THAT(render_text(p, scenario, Style{}), AllOf(HasSubstr("HFU"), HasSubstr("70.0 %")));
}

TEST(TextRun, PrintsTheNoteOfTheMinima) {
  sim::Prediction p = sample::prediction();
  p.b_min_note = "of the full layers";
  EXPECT_THAT(text_of(p), HasSubstr("of the full layers"));
  EXPECT_THAT(render_markdown(p, sample::scenario()), HasSubstr("of the full layers"));
}

TEST(TextRun, MemoryThatIsNotAllCountedIsNotSaidToFit) {
  sim::Prediction p = sample::prediction();
  p.memory.missing = {"weights: the model gives no feed_forward"};
  EXPECT_THAT(text_of(p),
              AllOf(HasSubstr("Memory: at least 40.00 GB of 80.00 GB a GPU (not counted: weights: the model"),
                    Not(HasSubstr("fits")), HasSubstr("headroom, at most")));
  p.memory.total = gigabytes(96);
  EXPECT_THAT(text_of(p), HasSubstr("Memory does NOT fit"));
}

}  // namespace
}  // namespace ringsim::reports
