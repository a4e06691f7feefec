// What people read of a whole model: every expected line is worked out from the hand-made runs of model_sample.hpp.

#include "reports/display.hpp"
#include "reports/markdown_run.hpp"
#include "reports/stage_parts.hpp"
#include "reports/text_run.hpp"
#include "reports/traffic_parts.hpp"
#include "reports/verdicts.hpp"
#include "tests/unit/reports/model_sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <sstream>
#include <string>

namespace ringsim::reports {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string training_text() { return render_text(sample::training(), sample::training_scenario(), Style{}); }
std::string decode_text() { return render_text(sample::decode(), sample::decode_scenario(), Style{}); }

TEST(ModelAnswer, IsOfThePhase) {
  // 8 sequences of 8,192 tokens in 10 s are 6,553.6 tokens/s: four digits are shown.
  EXPECT_EQ(answer(sample::training(), sample::training_scenario()),
            "two-stages: a training step of 8 sequences of 8,192 tokens takes 10.00 s on 8 GPUs: 6,554 tokens/s, MFU "
            "40.0 %.");
  // A token of each of 64 sequences every 25 ms: 2,560 tokens/s, of which each sequence gets 40.
  EXPECT_EQ(answer(sample::decode(), sample::decode_scenario()),
            "decode: decode with 16,384 tokens in the cache of each of 64 sequences takes 25.00 ms a token (TPOT) on 2 "
            "GPUs: 2,560 tokens/s, 40.00 a sequence.");
  sim::Prediction p = sample::prediction();
  Scenario s = sample::scenario();
  p.scope = "model";
  p.ttft_s = 20.0;
  s.workload.cached = 4096;
  s.workload.chunk = 2048;
  EXPECT_EQ(
      answer(p, s),
      "four-ranks: prefill of 16,384 tokens after 4,096 cached ones in chunks of 2,048 takes 20.00 s to the first "
      "token (TTFT) on 4 GPUs (between 18.00 s and 23.00 s): 819.2 tokens/s, MFU 60.0 %.");
}

TEST(ModelAnswer, AnIntervalOfTheMakespanIsScaledToAToken) {
  // 0.9 s to 1.2 s for 40 tokens are 22.5 ms to 30 ms for one.
  sim::Prediction p = sample::decode();
  p.makespan_low_s = 0.9;
  p.makespan_high_s = 1.2;
  EXPECT_THAT(answer(p, sample::decode_scenario()), HasSubstr("on 2 GPUs (between 22.50 ms and 30.00 ms)"));
}

TEST(ModelText, TellsBlockingCollectivesFromTheOtherWaiting) {
  // 2.5 s of 10 s are exposed; 2 s of them in collectives that the computation takes part in.
  EXPECT_EQ(transfers_verdict(sample::training()).text,
            "Communication is exposed: 25.0 % of the time is spent waiting for it, 20.0 % in blocking collectives.");
  const std::string text = training_text();
  EXPECT_THAT(text, ContainsRegex("matrix products and passes over memory +4.000 s +40.0 %"));
  EXPECT_THAT(text, ContainsRegex("exposed communication +2.500 s +25.0 %"));
  EXPECT_THAT(text, ContainsRegex("blocking collectives +2.000 s +20.0 %"));
  EXPECT_THAT(text, ContainsRegex("hops and what runs beside the computation +500.0 ms +5.0 %"));
  EXPECT_THAT(text, ContainsRegex("waiting for another stage, a peer or SMs +1.500 s +15.0 %"));
  EXPECT_THAT(text, AllOf(HasSubstr("of the slowest rank, 3, of stage 1"), Not(HasSubstr("a layer"))));
}

TEST(ModelText, ARunWithoutTrafficHasNothingToHide) {
  sim::Prediction p = sample::decode();
  p.traffic.clear();
  p.exposed_communication_s = 0.0;
  EXPECT_EQ(transfers_verdict(p).text, "Nothing travels between GPUs.");
  p.ring_size = 2;
  EXPECT_EQ(transfers_verdict(p).text, "Communication hides behind the computation: no time is spent waiting for it.");
}

TEST(ModelText, TimesOfADecodeStepAreOfATokenToo) {
  // 1 s for 40 tokens: what takes 750 ms in all takes 18.75 ms a token.
  EXPECT_THAT(decode_text(),
              AllOf(ContainsRegex("all tokens +a token +share"), ContainsRegex("compute +750.0 ms +18.75 ms +75.0 %")));
  sim::Prediction one = sample::decode();
  one.makespan_s = 0.025;
  EXPECT_THAT(render_text(one, sample::decode_scenario(), Style{}),
              AllOf(Not(HasSubstr("all tokens")), ContainsRegex("  a token +share")));
}

TEST(ModelText, ThePlanNamesEveryDegree) {
  EXPECT_THAT(training_text(), HasSubstr("tensor 2 × ring 2 × pipeline 2 (innermost first); 8 GPUs used"));
  EXPECT_THAT(decode_text(), HasSubstr("tensor 2; within them decode-context 2; 2 GPUs used"));
  Scenario s = sample::training_scenario();
  s.parallel.ulysses = 4;
  s.parallel.expert = 8;
  s.parallel.sequence_parallel = true;
  s.ring.exchange = Exchange::both_ways;
  const std::string text = render_text(sample::training(), s, Style{});
  EXPECT_THAT(text, HasSubstr("tensor 2 × ulysses 4 × ring 2 × pipeline 2 (innermost first); within them expert 8;"));
  EXPECT_THAT(text, AllOf(HasSubstr("sequence-parallel"), HasSubstr("both-ways (half of the heads each way round)")));
  EXPECT_THAT(text, HasSubstr("selective recomputation; micro-batches of 2 (4 a step); ZeRO 1"));
}

TEST(ModelText, AnAllGatherHasNoStepsAndNoMinimum) {
  Scenario s = sample::scenario();
  sim::Prediction p = sample::prediction();
  s.ring.exchange = Exchange::all_gather;
  p.no_b_min = "blocks are exchanged all-gather";
  EXPECT_THAT(render_text(p, s, Style{}), AllOf(HasSubstr("every rank gathers the K/V of all, then computes once"),
                                                HasSubstr("does not apply  blocks are exchanged all-gather"),
                                                Not(HasSubstr("deciding hop")), Not(HasSubstr("steady step"))));
}

TEST(ModelText, TrafficComesByBytes) {
  const Grid grid = traffic_grid(sample::training());
  ASSERT_EQ(grid.rows.size(), 4U);
  // 1.25 s of 10 s.
  EXPECT_EQ(grid.rows[0], (std::vector<std::string>{"all-reduce after attention", "40.00 GB", "256", "1.250 s",
                                                    "12.5 %", "tensor, nvlink4"}));
  EXPECT_EQ(grid.rows[1][0], "reduce-scatter of gradients");
  EXPECT_EQ(grid.rows[2].back(), "neighbours, nvlink4");
  EXPECT_EQ(grid.rows[3].back(), "stages, ib-ndr (inter-node)");
  // 40 + 3 GB inside nodes, 12 + 1 GB between them.
  EXPECT_THAT(training_text(), AllOf(HasSubstr("43.00 GB a rank over nvlink4, inside a node"),
                                     HasSubstr("13.00 GB a rank over ib-ndr, between nodes")));
}

TEST(ModelText, ACollectiveOverTwoLinkClassesTakesItsTimeOnce) {
  // 4 GB of an all-to-all stay inside nodes, 80 GB leave them, at the same time, in 2 s.
  sim::Prediction p = sample::training();
  p.traffic = {{"to experts", "all-to-all", "expert", "nvlink4", false, 8, 4e9, 2.0},
               {"to experts", "all-to-all", "expert", "ib-ndr", true, 8, 80e9, 2.0}};
  const Grid grid = traffic_grid(p);
  EXPECT_EQ(grid.rows[0], (std::vector<std::string>{"to experts", "80.00 GB", "8", "2.000 s", "20.0 %",
                                                    "expert, ib-ndr (inter-node)"}));
  EXPECT_EQ(grid.rows[1], (std::vector<std::string>{"to experts", "4.000 GB", "8", "", "", "expert, nvlink4"}));
}

TEST(ModelText, ManyKindsOfTrafficAreSummedUp) {
  // 20 kinds of 1 ... 20 GB: the 15 largest have rows, and 1 + 2 + 3 + 4 + 5 = 15 GB are left.
  sim::Prediction p = sample::training();
  p.traffic.clear();
  for (int i = 1; i <= 20; ++i) p.traffic.push_back({"gather", "all-gather", "data", "ib", true, 1, i * 1e9, 0.1});
  const Grid grid = traffic_grid(p);
  ASSERT_EQ(grid.rows.size(), 16U);
  EXPECT_EQ(grid.rows.back(), (std::vector<std::string>{"5 smaller ones", "15.00 GB"}));
}

TEST(ModelText, AStageGoesByItsSlowestRank) {
  // Ranks 0 and 1 both end at 10 s, rank 1 computes longer; of stage 1 rank 3 ends last.
  const auto slowest = slowest_of_stages(sample::training().per_rank);
  ASSERT_EQ(slowest.size(), 2U);
  EXPECT_EQ(slowest[0].rank, 1);
  EXPECT_EQ(slowest[1].rank, 3);
  // Two stages fill while one of 4 + 1 slots passes: 20 %.
  EXPECT_THAT(training_text(), HasSubstr("20.0 % of the time would be idle with equal stages"));
  // Four pieces a stage: 1 of 16 + 1.
  EXPECT_DOUBLE_EQ(ideal_bubble(2, 4, 4), 1.0 / 17.0);
}

TEST(ModelText, OfManyStagesTheExtremesAreListed) {
  sim::Prediction p = sample::training();
  p.stages = 20;
  p.per_rank.clear();
  for (std::int64_t r = 0; r < 40; ++r) p.per_rank.push_back(sample::staged_rank(r, 5.0, 1.5, 0.5, 1.0));
  p.per_rank[14] = sample::staged_rank(14, 3.0, 4.0, 0.5, 0.5);  // stage 7 waits longest for communication
  p.per_rank[15] = p.per_rank[14];
  p.slowest_rank = 38;  // of stage 19
  const Grid grid = stage_grid(p);
  std::vector<std::string> stages;
  for (const auto& row : grid.rows) stages.push_back(row.front());
  EXPECT_EQ(stages, (std::vector<std::string>{"0", "7", "19"}));
  EXPECT_THAT(grid.rows[1].back(), HasSubstr("most exposed"));
  EXPECT_THAT(grid.rows[2].back(), AllOf(HasSubstr("slowest"), HasSubstr("last")));
}

TEST(ModelText, SaysWhenRequestsQueue) {
  const std::string text = decode_text();
  EXPECT_THAT(text.substr(0, text.find("\n\n")),
              HasSubstr("Serving: requests QUEUE: 64 requests are asked for, 40 fit at once."));
  // 671,088.64 tokens fit: rounded down.
  EXPECT_THAT(text, AllOf(HasSubstr("40.96 kB a rank"), HasSubstr("1,048,576 asked for, 671,088 fit"),
                          HasSubstr("98,304 tokens a sequence fit, all else as it is")));
}

TEST(ModelText, DocumentsShowTheirPadding) {
  sim::Prediction p = sample::training();
  // 100 documents of 137 tokens padded to 144 each: 13,700 of 14,400 are useful, 95.1 %.
  p.documents = sim::DocumentSummary{100, 13700, 14400, 16, "2 x ring", 1.25};
  EXPECT_THAT(render_text(p, sample::training_scenario(), Style{}),
              AllOf(HasSubstr("13,700 of documents; 14,400 with padding"), HasSubstr("95.1 % of the padded tokens"),
                    HasSubstr("multiples of 16 tokens (2 x ring)"), HasSubstr("1.250 × the work of the mean rank")));
}

TEST(ModelText, SpendingIsAlsoForAMillionTokens) {
  // 0.02222 GPU-hours for 65,536 tokens: 0.3391 for a million; 11.11 Wh: 169.5 Wh.
  EXPECT_THAT(training_text(), AllOf(HasSubstr("0.02222, 0.3391 a million tokens"),
                                     HasSubstr("11.11 Wh, 169.5 Wh a million tokens; TDP of gpu-x while busy"),
                                     HasSubstr("at 2.50 a GPU-hour"), Not(HasSubstr("  spent"))));
}

TEST(ModelText, FiguresAreDefinedWhereTheyAreShown) {
  EXPECT_THAT(training_text(),
              AllOf(HasSubstr("  MFU: model FLOP"), HasSubstr("  HFU: as MFU"), Not(HasSubstr("TPOT:"))));
  EXPECT_THAT(decode_text(), AllOf(HasSubstr("  TPOT: time between two tokens"), Not(HasSubstr("HFU"))));
  EXPECT_THAT(render_text(sample::prediction(), sample::scenario(), Style{}), Not(HasSubstr("MFU:")));
}

TEST(ModelText, MemoryOfManyTermsComesBySize) {
  sim::Prediction p = sample::training();
  p.memory.terms.clear();
  for (int i = 1; i <= 9; ++i)
    p.memory.terms.push_back({"term_" + std::to_string(i), "K and V", gigabytes(i), "tensor 2"});
  for (const char* small : {"statistics", "norms", "tables"})
    p.memory.terms.push_back({small, "", gigabytes(0.01), "nothing"});
  p.memory.total = gigabytes(45.03);
  const std::string text = render_text(p, sample::training_scenario(), Style{});
  EXPECT_LT(text.find("term 9"), text.find("term 1 "));
  // Three terms of less than 0.5 % of 45 GB share a row: 30 MB.
  EXPECT_THAT(text, AllOf(ContainsRegex("3 small ones +30.00 MB"), HasSubstr("statistics, norms, tables"),
                          HasSubstr("divided by"), HasSubstr("tensor 2: K and V")));
}

TEST(ModelText, FitsThePage) {
  for (const std::string& text : {training_text(), decode_text()}) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(display_width(line), page_width) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

TEST(ModelText, MarkdownHasTheSameSections) {
  EXPECT_THAT(render_markdown(sample::training(), sample::training_scenario()),
              AllOf(HasSubstr("### Traffic: "), HasSubstr("| all-reduce after attention | 40.00 GB |"),
                    HasSubstr("### Pipeline: 2 stages"), HasSubstr("### Spending"), HasSubstr("- MFU: model FLOP")));
  EXPECT_THAT(render_markdown(sample::prediction(), sample::scenario()), Not(HasSubstr("### Spending")));
}

}  // namespace
}  // namespace ringsim::reports
