// Reports of a measured run: what people and machines are told must be what was measured.

#include "calibrate/diagnose.hpp"
#include "reports/csv_measurement.hpp"
#include "reports/display.hpp"
#include "reports/markdown_measurement.hpp"
#include "reports/text_measurement.hpp"
#include "tests/unit/calibrate/sample_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace ringsim::reports {
namespace {

using calibrate::Measurement;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace samples = calibrate::sample;

std::string text_of(const Measurement& m) { return render_text(m, calibrate::diagnose(m), Style{}); }

Measurement imported() {
  Measurement m = samples::measurement();
  m.environment = {"import", "h100-sxm", "", "", "", "1.0.0", ""};
  m.per_rank.clear();
  m.check.reset();
  return m;
}

TEST(TextMeasurement, AnswersWithTheMedianAndItsInterval) {
  // Two layers of 9 s; interval ± 2 %.
  EXPECT_THAT(text_of(samples::measurement()),
              testing::StartsWith(
                  "two-ranks: prefill attention of 2 layers over 1,024 tokens took 18.00 s on 2 ranks (median of\n"
                  "3 repeats, known to lie between 17.64 s and 18.36 s).\n"));
}

TEST(TextMeasurement, SaysWhereTheTimeWentInTheWordsOfARun) {
  // Attend 3 s, hop 4 s, merge 1 s: of a layer's 8 s 7 s are computation and 1 s is exposed: 14 s and 2 s of 16 s.
  const std::string text = text_of(samples::measurement({3, 4, 1}));
  EXPECT_THAT(text, AllOf(HasSubstr("Transfers are exposed: 12.5 % of the time is spent waiting for them."),
                          HasSubstr("Time (of the slowest rank, 0)"),
                          testing::ContainsRegex("exposed communication +2\\.000 s +1\\.000 s +12\\.5 %"),
                          testing::ContainsRegex("attention kernels +12\\.00 s +6\\.000 s +75\\.0 %"),
                          HasSubstr("▒ exposed communication"), HasSubstr("75.0 % of the time in flight is hidden")));
}

TEST(TextMeasurement, NamesMachineAndCheck) {
  EXPECT_THAT(
      text_of(samples::measurement()),
      AllOf(HasSubstr("host, Some CPU, 2 cores (as cpu-core)"), HasSubstr("1.0.0, commit abcdef"),
            HasSubstr("Results equal plain attention: largest error LSE 1.0e-07, O 3.0e-07 of the largest value,\n  "
                      "1e-05 allowed."),
            HasSubstr("by the thread that computes"), HasSubstr("Notes\n  - a note\n")));
  Measurement wrong = samples::measurement();
  wrong.check->passed = false;
  EXPECT_THAT(text_of(wrong), HasSubstr("Results do NOT equal plain attention"));
  wrong.check.reset();
  EXPECT_THAT(text_of(wrong), HasSubstr("Results were not checked."));
}

TEST(TextMeasurement, ListsOperationsAndRanks) {
  // Eight attends of 4 s on two ranks: 16 s a rank.
  const std::string text = text_of(samples::measurement());
  EXPECT_THAT(text, testing::ContainsRegex("attend +8 +16\\.00 s +4\\.000 s\n"));
  EXPECT_THAT(text, testing::ContainsRegex("shift K/V +4 +6\\.000 s +3\\.000 s +in flight\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\nRanks\n +rank +compute +exposed +bubble +own end\n +0 "));
}

TEST(TextMeasurement, AnImportHasNoSectionsForWhatItLacks) {
  EXPECT_THAT(text_of(imported()), AllOf(Not(HasSubstr("Time (")), Not(HasSubstr("Ranks")), Not(HasSubstr("checked")),
                                         HasSubstr("Operations")));
  Measurement totals = imported();
  totals.makespans_s.clear();
  totals.makespan_s = 0;
  totals.timeline.spans.clear();
  totals.totals = {{"attend", sim::SpanKind::attention, 10, 5.0, 0.5}};
  EXPECT_THAT(text_of(totals), AllOf(HasSubstr("totals of its kernels, no\nmakespan"), HasSubstr("2.500 s  500.0 ms")));
}

TEST(TextMeasurement, StaysWithinThePage) {
  const std::string text = text_of(samples::measurement());
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    EXPECT_LE(display_width(std::string_view(text).substr(start, end - start)), page_width);
    start = end + 1;
  }
}

TEST(MarkdownMeasurement, HasTheSectionsOfTheText) {
  const Measurement m = samples::measurement({3, 4, 1});
  EXPECT_THAT(render_markdown(m, calibrate::diagnose(m)),
              AllOf(testing::StartsWith("## two-ranks\n\n**two-ranks: prefill attention"),
                    HasSubstr("### Time of the slowest rank, 0"), HasSubstr("| exposed communication | 2.000 s |"),
                    HasSubstr("### Operations of all ranks"), HasSubstr("| merge O | 4 |"), HasSubstr("### Diagnosis"),
                    HasSubstr("### Notes\n\n- a note\n")));
}

TEST(CsvMeasurement, IsOneHeaderAndOneRow) {
  Measurement m = samples::measurement({3, 4, 1});
  m.environment.machine = "Some CPU";  // without a comma, so that fields can be counted by commas
  const std::string text = render_csv(m, calibrate::diagnose(m));
  const std::string header = text.substr(0, text.find("\r\n"));
  const std::string row = text.substr(header.size() + 2);
  EXPECT_EQ(std::count(header.begin(), header.end(), ','), std::count(row.begin(), row.end(), ','));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_THAT(header, HasSubstr("definition_layout,"));
  EXPECT_THAT(row, AllOf(HasSubstr(",contiguous,"), HasSubstr(",16,15.68,16.32,14,2,0,0,0.75,")));
}

TEST(CsvMeasurement, LeavesEmptyWhatAnImportLacks) {
  Measurement m = imported();
  // compute, exposed, bubble, slowest rank, overlap, then the overlap achieved: measured without waits all the same.
  EXPECT_THAT(render_csv(m, calibrate::diagnose(m)), HasSubstr(",18.36,,,,,,1,,a note\r\n"));
}

}  // namespace
}  // namespace ringsim::reports
