// From recordings to a measurement: which repeat speaks for all, and what is taken from it.

#include "calibrate/measured_run.hpp"

#include "calibrate/compare/comparison.hpp"
#include "calibrate/diagnose.hpp"
#include "calibrate/measurement_check.hpp"
#include "calibrate/measurement_json.hpp"
#include "kernels/host/streams.hpp"
#include "models/error.hpp"
#include "reports/json_measurement.hpp"
#include "sim/predict.hpp"
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

/// The prediction of a scenario as if it had been measured.
Measurement as_measured(const Scenario& s, const sim::PredictResult& p) {
  Measurement m;
  m.scenario_name = s.name;
  m.definition = definition_of(s);
  m.environment.device = "host";
  m.makespan_s = m.median_low_s = m.median_high_s = p.prediction.makespan_s;
  m.makespans_s = {m.makespan_s};
  m.per_rank = p.prediction.per_rank;
  m.slowest_rank = p.prediction.slowest_rank;
  m.timeline = p.timeline;
  return m;
}

// Both passes, every layout and both rotations: names that repeat between passes, the gradient's way home, empty steps.
TEST(MeasuredRun, EveryProgramSurvivesItsFileAndEqualsItself) {
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    for (const Rotation backward : {Rotation::kv, Rotation::q}) {
      Scenario s = sample::scenario();
      s.workload.phase = Phase::train;
      s.workload.causal = true;
      s.workload.dtype = Dtype::bf16;
      s.parallel.ring = 4;
      s.ring.layout = layout;
      s.ring.backward = backward;
      s.cluster.gpu.bf16 = teraflop_per_second(1);
      s.cluster.gpu.memory_bandwidth = gigabytes_per_second(100);
      s.cluster.intra_node = {"link", gigabytes_per_second(0.5), {}};
      s.profile = datasheet_profile(s.cluster.gpu, s.workload.dtype);
      sim::PredictOptions options;
      options.collect_timeline = true;
      options.window = {4, 1000, 1000};
      const sim::PredictResult p = sim::predict(s, options);
      const Measurement read = read_measurement(reports::render_json(as_measured(s, p)), "run.json");
      const Comparison c = compare(s, p, read);
      EXPECT_TRUE(c.one_sided.empty());
      EXPECT_TRUE(c.within(0.0));
      std::int64_t operations = 0;
      for (const OperationGroup& g : c.groups) {
        operations += g.measured_count;
        if (g.spread && g.spread->worst.error) {
          EXPECT_EQ(g.spread->worst.error, 0.0) << g.name;
        }
      }
      EXPECT_EQ(operations, static_cast<std::int64_t>(p.timeline.spans.size()));
      // The simulator overlaps without interference, and no rank is slow.
      const Diagnosis d = diagnose(read);
      EXPECT_FALSE(d.slow_rank.has_value());
      EXPECT_NEAR(d.interference.value_or(KernelsBesideTransfers{}).ratio, 1.0, 1e-9);
    }
  }
}

}  // namespace
}  // namespace ringsim::calibrate
