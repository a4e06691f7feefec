// Timelines in text, small enough to be drawn by hand.

#include "reports/text_gantt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace ringsim::reports {
namespace {

using sim::Span;
using sim::SpanKind;
using testing::HasSubstr;
using testing::Not;

Span span(std::int64_t rank, SpanKind kind, double start_ms, double end_ms) {
  Span s;
  s.rank = rank;
  s.kind = kind;
  s.name = "attend";
  s.start_s = start_ms * 1e-3;
  s.end_s = end_ms * 1e-3;
  return s;
}

Span hop(std::int64_t rank, double start_ms, double takes_off_ms, double end_ms) {
  Span s = span(rank, SpanKind::transfer, start_ms, end_ms);
  s.flight_start_s = takes_off_ms * 1e-3;
  s.flight_end_s = s.end_s;
  return s;
}

sim::Timeline timeline(std::vector<Span> spans, std::int64_t ranks) {
  sim::Timeline t;
  t.spans = std::move(spans);
  t.ranks = t.ranks_shown = ranks;
  return t;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// "rank 0" and two spaces, "transfer" and two spaces: 18 columns of names; 58 leave 40 for 40 ms, a column a millisecond.
constexpr TextGanttSize forty{58, 8};

TEST(TextGantt, DrawsAColumnAMillisecond) {
  // A kernel of 10 ms, nothing for 5, a merge of 2, a kernel to 40; a hop is posted at 0, takes off at 4 and lands at 15.
  const std::string text = text_gantt(timeline({span(0, SpanKind::attention, 0, 10), span(0, SpanKind::merge, 15, 17),
                                                span(0, SpanKind::attention, 17, 40), hop(0, 0, 4, 15)},
                                               1),
                                      "Small", {}, forty);
  const std::vector<std::string> lines = lines_of(text);
  ASSERT_GE(lines.size(), 6U) << text;
  EXPECT_EQ(lines[1], "Small (the whole run)");
  EXPECT_EQ(lines[2], "rank 0  compute   A█████████     M▓A██████████████████████");
  EXPECT_EQ(lines[3], "        transfer  S┄┄┄━━━━━━━━━━━");
  EXPECT_EQ(lines[4], "              ms  0         10        20        30");
  EXPECT_EQ(lines[5], "A█ attention   M▓ merge   S━ hop   ┄ posted, not in flight");
  EXPECT_EQ(lines[6], "A column is 1.000 ms and shows what takes most of it.");
}

TEST(TextGantt, CountsWhatIsTooShortForAColumn) {
  // In the column from 10 to 11 ms a merge takes 0.3 ms, and kernels 0.7: most of them the one that begins at 10.6.
  const std::string text =
      text_gantt(timeline({span(0, SpanKind::attention, 0, 10.3), span(0, SpanKind::merge, 10.3, 10.6),
                           span(0, SpanKind::attention, 10.6, 40), hop(0, 0, 0, 40)},
                          1),
                 "Small", {}, forty);
  EXPECT_THAT(text, HasSubstr("rank 0  compute   A█████████A███"));
  EXPECT_THAT(text, Not(HasSubstr("M▓")));
  EXPECT_THAT(text, HasSubstr("1 operation is too short to be seen."));
}

TEST(TextGantt, LeavesNoRankOutInSilence) {
  std::vector<Span> spans;
  for (std::int64_t rank = 0; rank < 10; ++rank) spans.push_back(span(rank, SpanKind::dense, 1, 2));
  const std::string text = text_gantt(timeline(spans, 10), "Ten", {}, {});
  EXPECT_THAT(text, HasSubstr("rank 7 "));
  EXPECT_THAT(text, Not(HasSubstr("rank 8 ")));
  EXPECT_THAT(text, HasSubstr("2 further"));
  EXPECT_THAT(text, HasSubstr("Time 0 is 1.000 ms after the start."));
  // Of four stages of three ranks each, four columns of ranks would be one stage: all stages come first.
  sim::Timeline staged = timeline({}, 3);
  staged.of.stages = 4;
  for (std::int64_t rank = 0; rank < 12; ++rank) staged.spans.push_back(span(rank, SpanKind::dense, 0, 1));
  const std::string stages = text_gantt(staged, "Stages", {}, {100, 4});
  for (const char* shown : {"rank 0 (stage 0)", "rank 3 (stage 1)", "rank 6 (stage 2)", "rank 9 (stage 3)"}) {
    EXPECT_THAT(stages, HasSubstr(shown));
  }
}

TEST(TextGantt, ColourAddsNothingToTheText) {
  const sim::Timeline t = timeline({span(0, SpanKind::attention, 0, 2), hop(0, 0, 0, 3)}, 1);
  std::string colored = text_gantt(t, "Colour", Style{true}, forty);
  EXPECT_THAT(colored, HasSubstr("\x1b[34mA"));
  for (std::size_t at = 0; (at = colored.find('\x1b')) != std::string::npos;) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  EXPECT_EQ(colored, text_gantt(t, "Colour", {}, forty));
  EXPECT_THAT(markdown_gantt(t, "Colour"), HasSubstr("```text\nrank 0"));
  EXPECT_THAT(text_gantt({}, "Nothing", {}), HasSubstr("Nothing of the run lies in it."));
}

}  // namespace
}  // namespace ringsim::reports
