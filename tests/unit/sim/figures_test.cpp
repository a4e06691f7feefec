// Figures of points that follow each other, and the formulas that they are made by.
#include "sim/figures.hpp"

#include "models/error.hpp"
#include "scenarios/reader.hpp"
#include "sim/closed_form/engine.hpp"
#include "sim/machine.hpp"
#include "sim/outcome.hpp"
#include "sim/schedules/model_program.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringsim::sim {
namespace {

Scenario scenario_with(const std::vector<std::string>& sets) {
  return scenarios::read_scenario_text(
      "name: small\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: {use: dgx-h100, nodes: 2}\nparallel: {ring: "
      "16}\n",
      "small.yaml", {}, sets);
}

// A window as long as the sequence hides nothing, so the busiest stream is as busy as without; but with it every step's work is
// counted by itself, and without it by formula. The contest of the H100 profile makes both a bound.
TEST(Figures, TheBusiestStreamByFormulaIsThatOfTheStepsOneByOne) {
  for (const char* layout : {"zigzag", "striped", "contiguous"}) {
    for (const char* backward : {"kv", "q"}) {
      Scenario s =
          scenario_with({std::string("ring.layout=") + layout, "workload.phase=train",
                         std::string("ring.backward=") + backward, "noise={stragglers: [{rank: 5, slowdown: 1.5}]}"});
      const RingSpec spec = ring_spec(s);
      RingSpec counted = spec;
      counted.masks[0].window = s.workload.tokens;
      const Machine machine = machine_of(s);
      const ClosedFormResult formula = closed_form(spec, machine, true);
      const ClosedFormResult steps = closed_form(counted, machine, true);
      EXPECT_FALSE(formula.exact);
      EXPECT_NEAR(formula.compute_s / steps.compute_s, 1.0, 1e-12) << layout << " " << backward;
      EXPECT_NEAR(formula.makespan_s / steps.makespan_s, 1.0, 1e-12) << layout << " " << backward;
    }
  }
}

TEST(Figures, UsefulWorkIsThatOfThePairsThatTheProgramsKernelsDivide) {
  // 16Ki tokens, causal, 32 layers: 32 · 16384 · 16385 / 2 pairs, well below 2^53, so both ways are exact.
  for (const char* layout : {"zigzag", "striped"}) {
    const Scenario s = scenario_with({std::string("ring.layout=") + layout, "workload.phase=train"});
    const std::vector<PhaseProgram> phases = programs_of(s);
    const std::vector<AttentionWork> by_program = attention_work(phases);
    const std::vector<AttentionWork> by_pairs = attention_work(ring_spec(s), Phase::train);
    ASSERT_EQ(by_program.size(), 1U);
    EXPECT_EQ(by_program[0].forward, by_pairs[0].forward);
    EXPECT_EQ(by_program[0].backward, by_pairs[0].backward);
  }
}

TEST(Figures, TheMakespanAloneIsTheSameAndLeavesTheSharesOut) {
  const Scenario s = scenario_with({});
  const Figures all = figures_of(s, {EngineChoice::recurrence, 0, true});
  const Figures alone = figures_of(s, {EngineChoice::recurrence, 0, false});
  EXPECT_EQ(all.makespan_s, alone.makespan_s);
  EXPECT_TRUE(all.compute_s.has_value());
  EXPECT_FALSE(alone.compute_s.has_value());
}

TEST(Figures, AfterAPointThatCannotBeRunTheNextIsWhatItWouldBeAlone) {
  const Scenario good = scenario_with({"workload.tokens=32Ki"});
  const Scenario decode = scenario_with({"workload.phase=decode"});
  FiguresOf figures({EngineChoice::closed_form, 0, true});
  static_cast<void>(figures(scenario_with({}), ScenarioParts::all()));
  EXPECT_THROW(static_cast<void>(figures(decode, {ScenarioPart::workload})), Error);  // no closed form of decode
  EXPECT_EQ(figures(good, {ScenarioPart::workload}).makespan_s,
            figures_of(good, {EngineChoice::closed_form, 0, true}).makespan_s);
}

TEST(Figures, TheFlowEngineIsRefused) { EXPECT_THROW(FiguresOf({EngineChoice::flow, 0, true}), Error); }

}  // namespace
}  // namespace ringsim::sim
