// Predicted against measured: errors derived by hand from two runs that were written down by hand.

#include "calibrate/compare/comparison.hpp"
#include "calibrate/compare/operations.hpp"
#include "models/error.hpp"
#include "tests/unit/calibrate/sample_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace ringsim::calibrate {
namespace {

using sample::Times;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

sim::PredictResult predicted(const Times& times) { return {sample::prediction(times), sample::timeline(times)}; }

Comparison compared(const Times& measured, const Times& prediction) {
  return compare(sample::scenario(), predicted(prediction), sample::measurement(measured));
}

const ComparedQuantity& quantity(const Comparison& c, const std::string& key, const std::string& whose) {
  for (const ComparedQuantity& q : c.quantities) {
    if (q.key == key && q.whose == whose) return q;
  }
  throw std::logic_error("no quantity " + key + " of " + whose);
}

const OperationGroup& group(const Comparison& c, const std::string& name) {
  for (const OperationGroup& g : c.groups) {
    if (g.name == name) return g;
  }
  throw std::logic_error("no group " + name);
}

TEST(Compare, AnExactPredictionHasNoError) {
  const Comparison c = compared({}, {});
  for (const ComparedQuantity& q : c.quantities) EXPECT_EQ(q.error, 0.0) << q.key;
  for (const OperationGroup& g : c.groups) {
    EXPECT_EQ(g.error, 0.0) << g.name;
    EXPECT_EQ(g.spread->p90, 0.0) << g.name;
  }
  EXPECT_THAT(c.one_sided, IsEmpty());
  EXPECT_THAT(c.warnings, IsEmpty());
  EXPECT_TRUE(c.one_by_one);
  EXPECT_TRUE(c.within(0.0));
}

TEST(Compare, ErrorsOfTotalsAreSignedAndOfTheMeasured) {
  // Measured: attend 4, hop 3, merge 1: a layer takes 4 + 4 + 1 = 9 s, nothing exposed.
  // Predicted: attend 3, hop 4, merge 1: a layer takes 4 + 3 + 1 = 8 s, of which 1 s is exposed.
  const Comparison c = compared({4, 3, 1}, {3, 4, 1});
  EXPECT_EQ(c.judged().key, "makespan");
  EXPECT_DOUBLE_EQ(c.judged().error.value(), (16.0 - 18.0) / 18.0);
  // Compute: 2 layers · (2·4 + 1) = 18 s, predicted 2 · (2·3 + 1) = 14 s.
  EXPECT_DOUBLE_EQ(quantity(c, "compute", "slowest rank").error.value(), -4.0 / 18.0);
  EXPECT_DOUBLE_EQ(quantity(c, "attention", "mean of ranks").error.value(), -0.25);
  EXPECT_DOUBLE_EQ(quantity(c, "merge", "mean of ranks").error.value(), 0.0);
  // Overlap: all hidden as measured; predicted 1 s of 4 s in flight is exposed.
  EXPECT_DOUBLE_EQ(quantity(c, "overlap", "slowest rank").error.value(), -0.25);
  EXPECT_EQ(quantity(c, "overlap", "slowest rank").error_of, ErrorOf::difference);
}

TEST(Compare, WhatMayBeNextToNothingIsRelatedToTheMakespan) {
  // Exposed: measured 0, predicted 2 s in two layers; the measured makespan is 18 s.
  const Comparison c = compared({4, 3, 1}, {3, 4, 1});
  const ComparedQuantity& exposed = quantity(c, "exposed_communication", "slowest rank");
  EXPECT_EQ(exposed.measured, 0.0);
  EXPECT_DOUBLE_EQ(exposed.error.value(), 2.0 / 18.0);
  EXPECT_EQ(exposed.name(), "exposed communication, % of makespan");
  EXPECT_EQ(quantity(c, "bubble", "mean of ranks").name(), "bubble, % of makespan");
  EXPECT_EQ(quantity(c, "compute", "slowest rank").name(), "compute");
}

TEST(Compare, WhatTookNoTimeHasNoRelativeError) {
  const Comparison c = compared({4, 3, 0}, {4, 3, 1});
  EXPECT_FALSE(quantity(c, "merge", "slowest rank").error.has_value());
  const OperationGroup& merges = group(c, "merge O");
  EXPECT_FALSE(merges.error.has_value());
  // Nothing predicted, nothing measured is no error.
  EXPECT_EQ(quantity(compared({4, 3, 0}, {4, 3, 0}), "merge", "slowest rank").error, 0.0);
  EXPECT_EQ(merges.spread->without_time, 4);  // one a layer and rank
  EXPECT_FALSE(merges.spread->worst.error.has_value());
}

TEST(Compare, OperationsAreComparedOneByOne) {
  // Of 8 attends one took 5 s instead of 4, the others 4; all were predicted as 4.4.
  // |errors|: 7 times (4.4 − 4)/4 = 0.1, once (4.4 − 5)/5 = −0.12. Median 0.1; 0.9 of the way from the smallest to the
  // largest of eight lies 6.3 steps up: 0.1 + 0.3 · 0.02.
  Measurement m = sample::measurement({4, 3, 1});
  for (sim::Span& s : m.timeline.spans) {
    if (s.rank == 1 && s.layer == 1 && s.step == 1 && s.name == "attend") s.end_s = s.start_s + 5;
  }
  const Comparison c = compare(sample::scenario(), predicted({4.4, 3, 1}), m);
  const OperationGroup& attend = group(c, "attend");
  EXPECT_EQ(attend.measured_count, 8);
  EXPECT_DOUBLE_EQ(attend.measured_s, 33.0);
  EXPECT_NEAR(attend.predicted_s, 8 * 4.4, 1e-12);
  EXPECT_NEAR(attend.error.value(), (8 * 4.4 - 33.0) / 33.0, 1e-12);
  ASSERT_TRUE(attend.spread.has_value());
  EXPECT_NEAR(attend.spread->median, 0.1, 1e-12);
  EXPECT_NEAR(attend.spread->p90, 0.106, 1e-12);
  EXPECT_NEAR(attend.spread->worst.error.value(), -0.12, 1e-12);
  EXPECT_EQ(attend.spread->worst.rank, 1);
  EXPECT_EQ(attend.spread->worst.layer, 1);
  EXPECT_EQ(attend.spread->worst.step, 1);
  EXPECT_DOUBLE_EQ(attend.spread->worst.measured_s, 5.0);
}

TEST(Compare, TransfersAreComparedByTheirFlight) {
  // The operation was posted at once on both sides; the measured hop took off 1 s later and flew 2 s.
  Measurement m = sample::measurement({4, 3, 1});
  for (sim::Span& s : m.timeline.spans) {
    if (s.kind == sim::SpanKind::transfer) s.flight_start_s += 1.0;
  }
  const Comparison c = compare(sample::scenario(), predicted({4, 3, 1}), m);
  EXPECT_DOUBLE_EQ(group(c, "shift K/V").error.value(), 0.5);
}

TEST(Compare, HopsOfBothPassesWithOneNameAreMatchedInOrderOfTime) {
  // In training the first backward hop is named as the first forward hop. Forward: 3 s, backward: 6 s, on both sides;
  // listed the other way round in the measurement. Matched in order of time nothing differs.
  sim::PredictResult p = predicted({4, 3, 1});
  p.timeline.spans.push_back(sample::shift(0, 0, 0, 12, 18));
  Measurement m = sample::measurement({4, 3, 1});
  m.timeline.spans.insert(m.timeline.spans.begin(), sample::shift(0, 0, 0, 12, 18));
  const Comparison c = compare(sample::scenario(), p, m);
  EXPECT_EQ(group(c, "shift K/V").spread->worst.error, 0.0);
  EXPECT_EQ(group(c, "shift K/V").measured_count, 5);
}

TEST(Compare, OperationsOfOneSideAreListed) {
  sim::PredictResult p = predicted({4, 3, 1});
  Measurement m = sample::measurement({4, 3, 1});
  m.timeline.spans.push_back(sample::span(1, sim::SpanKind::merge, "add dQ", 1, 1, 17, 18));
  std::erase_if(m.timeline.spans, [](const sim::Span& s) { return s.name == "merge O" && s.layer == 1; });
  const Comparison c = compare(sample::scenario(), p, m);
  ASSERT_EQ(c.one_sided.size(), 2U);
  EXPECT_FALSE(c.one_sided[0].measured);
  EXPECT_EQ(c.one_sided[0].name, "merge O");
  EXPECT_EQ(c.one_sided[0].count, 2);  // of both ranks
  EXPECT_DOUBLE_EQ(c.one_sided[0].total_s, 2.0);
  EXPECT_EQ(c.one_sided[0].layer, 1);
  EXPECT_TRUE(c.one_sided[1].measured);
  EXPECT_EQ(c.one_sided[1].name, "add dQ");
  // The layer that both have is still compared.
  EXPECT_EQ(group(c, "merge O").measured_count, 2);
}

TEST(Compare, OtherWorkIsRefusedByName) {
  const std::vector<std::pair<std::string, std::function<void(Scenario&)>>> changes = {
      {"workload.phase is prefill as measured, train in the scenario",
       [](Scenario& s) { s.workload.phase = Phase::train; }},
      {"workload.dtype is fp32 as measured, fp64", [](Scenario& s) { s.workload.dtype = Dtype::fp64; }},
      {"ring.layout is contiguous as measured, striped", [](Scenario& s) { s.ring.layout = Layout::striped; }},
      {"parallel.ring is 2 as measured, 4", [](Scenario& s) { s.parallel.ring = 4; }},
      {"model.layers is 2 as measured, 3", [](Scenario& s) { s.model.layers = 3; }},
      {"workload.tokens is 1024 as measured, 2048", [](Scenario& s) { s.workload.tokens = 2048; }},
      {"ring.transfer is sm-kernel as measured, copy-engine",
       [](Scenario& s) { s.ring.transfer = TransferEngine::copy_engine; }},
      {"ring.buffers is 2 as measured, 3", [](Scenario& s) { s.ring.buffers = 3; }},
      {"workload.causal is false as measured, true", [](Scenario& s) { s.workload.causal = true; }},
      {"model.kv_heads is 2 as measured, 8", [](Scenario& s) { s.model.kv_heads = 8; }},
      {"model.sliding_window is none as measured, 64 in 1 of 2 layers",
       [](Scenario& s) {
         s.model.sliding_window = 64;
         s.model.sliding_layer = {false, true};
       }},
  };
  for (const auto& [expected, change] : changes) {
    Scenario s = sample::scenario();
    change(s);
    try {
      (void)compare(s, predicted({}), sample::measurement());
      ADD_FAILURE() << expected;
    } catch (const Error& error) {
      EXPECT_THAT(error.message(), HasSubstr(expected));
      EXPECT_THAT(error.hint(), HasSubstr(expected.substr(0, expected.find(' '))));
    }
  }
}

TEST(Compare, WhatTheWorkDoesNotDependOnMayDiffer) {
  Scenario s = sample::scenario();
  s.name = "renamed";
  s.hash = "fedcba9876543210";
  s.cluster.gpus_per_node = 64;
  s.cluster.intra_node.bandwidth = gigabytes_per_second(1);
  s.profile.name = "another";
  s.price_per_gpu_hour = 1.0;
  s.noise.stragglers = {{1, 1.5}};
  s.ring.backward = Rotation::q;          // no backward pass runs
  s.ring.gradient = GradientDtype::bf16;  // likewise
  sim::PredictResult p = predicted({});
  p.prediction.scenario_hash = s.hash;
  const Comparison c = compare(s, p, sample::measurement());
  EXPECT_TRUE(c.within(0.0));
  EXPECT_THAT(c.notes, testing::Contains(HasSubstr("not the measured one to the letter")));
}

TEST(Compare, WarnsOfAnotherMachineAndOfAnUncalibratedProfile) {
  Scenario s = sample::scenario();
  s.profile.gpu = "h100-sxm";
  sim::PredictResult p = predicted({});
  p.prediction.profile_calibrated = false;
  p.prediction.warnings = {"does not fit"};                                     // nothing that an error could come from
  s.profile.measured = AttentionRange{{1, 4}, {1, 1e6}, {1, 1000}, {1, 1000}};  // of at most 4 rows
  Measurement m = sample::measurement();
  m.check->passed = false;
  m.median_high_s = m.makespan_s * 1.3;  // half the interval's width is 16 % of the median
  EXPECT_THAT(
      compare(s, p, m).warnings,
      ElementsAre(
          HasSubstr("measured on cpu-core (Some CPU, 2 cores), predicted with the profile this-machine of h100-sxm"),
          HasSubstr("not calibrated"), HasSubstr("wrong results"), HasSubstr("± 16.0 %"),
          HasSubstr("rows is beyond what profile")));
}

TEST(Compare, APredictionWithoutAllItsSpansIsRefused) {
  sim::PredictResult without{sample::prediction(), {}};
  EXPECT_THROW((void)compare(sample::scenario(), without, sample::measurement()), Error);
  sim::PredictResult cut = predicted({});
  cut.timeline.truncated = true;
  EXPECT_THROW((void)compare(sample::scenario(), cut, sample::measurement()), Error);
}

TEST(Compare, ToleranceJudgesTheSizeOfTheErrorWhateverItsSign) {
  const Comparison slow = compared({4, 3, 1}, {5, 3, 1});  // (22 − 18)/18 = +22.2 %
  EXPECT_TRUE(slow.within(0.23));
  EXPECT_FALSE(slow.within(0.22));
  const Comparison fast = compared({5, 3, 1}, {4, 3, 1});  // (18 − 22)/22 = −18.2 %
  EXPECT_TRUE(fast.within(0.19));
  EXPECT_FALSE(fast.within(0.18));
}

TEST(Compare, TheMeasuredMakespanIsLookedForInThePredictedInterval) {
  sim::PredictResult p = predicted({});
  EXPECT_FALSE(compare(sample::scenario(), p, sample::measurement()).in_predicted_interval().has_value());
  p.prediction.makespan_low_s = 17.0;
  p.prediction.makespan_high_s = 18.0;  // measured: 18 s, the end included
  EXPECT_EQ(compare(sample::scenario(), p, sample::measurement()).in_predicted_interval(), true);
  p.prediction.makespan_high_s = 17.9;
  EXPECT_EQ(compare(sample::scenario(), p, sample::measurement()).in_predicted_interval(), false);
}

TEST(Compare, SpansOfUnknownExecutionAreComparedByKind) {
  // An imported trace: kernel and transfer names of the library that ran it, no layer or step, no waits.
  Measurement m = sample::measurement({5, 3, 1});
  m.per_rank.clear();
  m.environment.device = "import";
  for (sim::Span& s : m.timeline.spans) {
    s.layer = s.step = -1;
    if (s.kind == sim::SpanKind::transfer) s.name = "ncclDevKernel_SendRecv";
    if (s.kind == sim::SpanKind::merge) s.name = "vectorized_elementwise_kernel";
  }
  const Comparison c = compare(sample::scenario(), predicted({4, 3, 2}), m);
  EXPECT_FALSE(c.one_by_one);
  EXPECT_THAT(c.one_sided, IsEmpty());
  EXPECT_DOUBLE_EQ(group(c, "attend").error.value(), -0.2);  // 4 instead of 5
  EXPECT_DOUBLE_EQ(group(c, "attend").median_error.value(), -0.2);
  EXPECT_DOUBLE_EQ(group(c, "all merges").error.value(), 1.0);  // 2 instead of 1
  EXPECT_DOUBLE_EQ(group(c, "all transfers").error.value(), 0.0);
  EXPECT_FALSE(group(c, "attend").spread.has_value());
  // Kernels a rank: 2 layers · (2·5 + 1) = 22 s measured, 2 · (2·4 + 2) = 20 s predicted.
  EXPECT_DOUBLE_EQ(quantity(c, "compute", "mean of ranks").error.value(), -2.0 / 22.0);
}

TEST(Compare, TotalsAloneJudgeTheComputation) {
  Measurement m = sample::measurement({5, 3, 1});
  m.per_rank.clear();
  m.timeline.spans.clear();
  m.makespans_s.clear();
  m.makespan_s = 0;
  m.environment.device = "import";
  m.totals = {{"attend", sim::SpanKind::attention, 8, 40.0, 5.0},
              {"elementwise a", sim::SpanKind::merge, 2, 1.0, 0.5},
              {"elementwise b", sim::SpanKind::merge, 2, 3.0, 1.5},
              {"attend backward", sim::SpanKind::attention, 8, 16.0, 2.0}};
  const Comparison c = compare(sample::scenario(), predicted({4, 3, 1}), m);
  // Of all ranks: 40 + 16 + 4 = 60 s measured; 8·4 + 4·1 = 36 s predicted.
  EXPECT_EQ(c.judged().key, "compute");
  EXPECT_DOUBLE_EQ(c.judged().error.value(), (36.0 - 60.0) / 60.0);
  EXPECT_DOUBLE_EQ(group(c, "attend").median_error.value(), -0.2);
  EXPECT_DOUBLE_EQ(group(c, "all merges").error.value(), 0.0);    // 4 s each
  EXPECT_FALSE(group(c, "all merges").median_error.has_value());  // the medians of two parts give none
  ASSERT_EQ(c.one_sided.size(), 2U);
  EXPECT_EQ(c.one_sided[0].name, "all transfers");  // predicted, and not in the totals
  EXPECT_EQ(c.one_sided[1].name, "attend backward");
  EXPECT_TRUE(c.one_sided[1].measured);
}

}  // namespace
}  // namespace ringsim::calibrate
