// From recordings to a measurement: which repeat speaks for all, and what is taken from it.

#include "calibrate/measured_run.hpp"

#include "calibrate/measurement_check.hpp"
#include "kernels/host/streams.hpp"
#include "models/error.hpp"
#include "sim/schedules/ring.hpp"
#include "tests/unit/calibrate/sample_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringsim::calibrate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Scenario alone() {
  Scenario s = sample::scenario();
  s.parallel.ring = 1;
  s.model.layers = 1;
  return s;
}

/// A ring of one with one layer: the kernel takes `seconds`, all else no time.
host::Recording recording(const sim::Program& program, double seconds) {
  host::Recording all(1);
  double now = 100.0;  // the clock of the machine starts anywhere
  for (const host::Instruction& instruction : host::issue_list(program).instructions) {
    const double begin = now;
    if (std::holds_alternative<const sim::Attend*>(instruction.what)) now += seconds;
    all.front().push_back({begin, now, 0.0});
  }
  return all;
}

Measurement measured(const std::vector<double>& seconds) {
  const Scenario s = alone();
  const sim::Program program = sim::ring_program_of(s);
  MeasuredRepeats repeats;
  repeats.warmup = 1;
  for (const double one : seconds) repeats.recordings.push_back(recording(program, one));
  return measurement_of(s, program, repeats, {"host", "", "Some CPU", "", "", "", ""});
}

TEST(MeasuredRun, TheMedianRepeatSpeaksForAll) {
  const Measurement m = measured({3.0, 1.0, 2.0});
  EXPECT_THAT(m.makespans_s, ElementsAre(3.0, 1.0, 2.0));
  EXPECT_EQ(m.chosen, 2);
  EXPECT_EQ(m.makespan_s, 2.0);
  ASSERT_EQ(m.timeline.spans.size(), 1U);
  EXPECT_EQ(m.timeline.spans[0].name, "attend");
  EXPECT_EQ(m.timeline.spans[0].end_s - m.timeline.spans[0].start_s, 2.0);
  ASSERT_EQ(m.per_rank.size(), 1U);
  EXPECT_EQ(m.per_rank[0].attention_s, 2.0);
  EXPECT_NO_THROW(check(m, "a run"));
}

TEST(MeasuredRun, OfAnEvenNumberTheShorterOfTheMiddleTwoIsTaken) {
  EXPECT_EQ(measured({4.0, 1.0, 3.0, 2.0}).makespan_s, 2.0);
}

TEST(MeasuredRun, FewRepeatsDoNotPretendTo95Percent) {
  // Of three samples the extremes hold the median unless all fall on one side of it: 1 − 2/8 = 75 %.
  const Measurement few = measured({3.0, 1.0, 2.0});
  EXPECT_EQ(few.median_low_s, 1.0);
  EXPECT_EQ(few.median_high_s, 3.0);
  EXPECT_THAT(few.notes,
              ElementsAre(HasSubstr("3 repeats: the interval of the median makespan, their extremes, covers 75 %")));
  // Of six: 1 − 2/64 = 96.9 %.
  EXPECT_THAT(measured({1, 2, 3, 4, 5, 6}).notes, testing::IsEmpty());
}

TEST(MeasuredRun, SaysWhatWasMeasuredAndOnWhat) {
  const Measurement m = measured({1.0});
  EXPECT_EQ(m.scenario_name, "two-ranks");
  EXPECT_EQ(m.definition, definition_of(alone()));
  EXPECT_EQ(m.environment.gpu, "cpu-core");
  EXPECT_EQ(m.environment.machine, "Some CPU");
  EXPECT_FALSE(m.environment.version.empty());
  EXPECT_EQ(m.warmup, 1);
}

TEST(MeasuredRun, NoRepeatIsAnError) { EXPECT_THROW((void)measured({}), Error); }

}  // namespace
}  // namespace ringsim::calibrate
