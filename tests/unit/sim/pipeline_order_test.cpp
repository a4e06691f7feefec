// The order of a pipeline's tasks: legal, as full as 1F1B allows, and with the bubble that its authors state.
#include "sim/schedules/pipeline_order.hpp"

#include "models/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace ringsim::sim {
namespace {

using Key = std::tuple<std::int64_t, std::int64_t, bool>;  // piece, micro-batch, backward
Key key(const PipelineTask& t) { return {t.piece, t.micro_batch, t.pass == Pass::backward}; }

/// Calls `check(pipeline)` for all pipelines that an order exists for, within p <= 8, m <= 16, v <= 4.
template <class Check>
void for_small_pipelines(const Check& check) {
  for (std::int64_t p = 1; p <= 8; ++p) {
    for (std::int64_t m = 1; m <= 16; ++m) {
      for (std::int64_t v = 1; v <= 4; ++v) {
        if (v == 1 || m % p == 0) check(Pipeline{p, m, v});
      }
    }
  }
}

TEST(PipelineOrder, NothingStandsAboveWhatItNeeds) {
  for_small_pipelines([](const Pipeline& p) {
    const std::vector<PipelineTask> order = training_order(p);
    ASSERT_EQ(order.size(), static_cast<std::size_t>(2 * p.micro_batches * p.pieces()));
    std::map<Key, std::size_t> at;
    for (std::size_t i = 0; i < order.size(); ++i) at[key(order[i])] = i;
    ASSERT_EQ(at.size(), order.size());  // each once
    for (const auto& [task, i] : at) {
      const auto [piece, micro_batch, backward] = task;
      if (!backward && piece > 0) {
        EXPECT_LT(at.at({piece - 1, micro_batch, false}), i);
      }
      if (backward) {
        EXPECT_LT(at.at({piece, micro_batch, false}), i);
      }
      if (backward && piece < p.pieces() - 1) {
        EXPECT_LT(at.at({piece + 1, micro_batch, true}), i);
      }
    }
    // Every stage's own order is the one it was given.
    for (std::int64_t s = 0; s < p.stages; ++s) {
      std::vector<PipelineTask> own;
      std::copy_if(order.begin(), order.end(), std::back_inserter(own),
                   [&](const PipelineTask& t) { return p.stage_of(t.piece) == s; });
      EXPECT_EQ(own, order_of_stage(p, s));
    }
  });
}

TEST(PipelineOrder, AStageHoldsNoMoreForwardsThanStagesFromItOn) {
  // The forward of a micro-batch comes back after passing the p - s stages from s on and returning: with one backward a forward,
  // so many are under way, and never more than there are. Interleaved, the first forwards and the one that is computed.
  for_small_pipelines([](const Pipeline& p) {
    for (std::int64_t s = 0; s < p.stages; ++s) {
      std::int64_t held = 0;
      std::int64_t most = 0;
      for (const PipelineTask& t : order_of_stage(p, s)) {
        held += t.pass == Pass::forward ? 1 : -1;
        EXPECT_GE(held, 0);
        most = std::max(most, held);
      }
      EXPECT_EQ(held, 0);
      const std::int64_t behind = p.stages - 1 - s;
      const std::int64_t limit = p.interleave == 1 ? behind + 1 : 2 * behind + (p.interleave - 1) * p.stages + 1;
      EXPECT_EQ(most, std::min(limit, p.micro_batches * p.interleave))
          << p.stages << ' ' << p.micro_batches << ' ' << s;
    }
  });
}

/// Ends of all tasks where a forward through a piece takes 1/v and a backward 2/v, transfers nothing.
double makespan(const Pipeline& p) {
  std::map<Key, double> end;
  std::vector<double> free(static_cast<std::size_t>(p.stages), 0.0);
  double last = 0;
  for (const PipelineTask& t : training_order(p)) {
    double& stage = free[static_cast<std::size_t>(p.stage_of(t.piece))];
    double start = stage;
    const bool backward = t.pass == Pass::backward;
    const std::int64_t before = t.piece + (backward ? 1 : -1);
    if (before >= 0 && before < p.pieces()) start = std::max(start, end.at({before, t.micro_batch, backward}));
    if (backward) start = std::max(start, end.at({t.piece, t.micro_batch, false}));
    stage = start + (backward ? 2.0 : 1.0) / static_cast<double>(p.interleave);
    end[key(t)] = stage;
    last = std::max(last, stage);
  }
  return last;
}

TEST(PipelineOrder, TheBubbleIsThatOfEqualStages) {
  // Work of a stage: m micro-batches of 1 + 2. The last stage gets its first micro-batch after p - 1 forwards, and the first
  // stage its last gradient p - 1 backwards after the last stage has it: 3(p - 1) of filling and draining, whatever m.
  // With v pieces a stage both take 1/v of it.
  for_small_pipelines([](const Pipeline& p) {
    const auto stages = static_cast<double>(p.stages);
    const auto work = 3.0 * static_cast<double>(p.micro_batches);
    const double bubble = 3.0 * (stages - 1) / static_cast<double>(p.interleave);
    EXPECT_NEAR(makespan(p), work + bubble, 1e-9) << p.stages << ' ' << p.micro_batches << ' ' << p.interleave;
  });
  // So 8 stages and 16 micro-batches idle 7/23 of the step.
  const Pipeline eight{8, 16, 1};
  EXPECT_NEAR(1.0 - 48.0 / makespan(eight), 7.0 / 23.0, 1e-12);
}

TEST(PipelineOrder, InterleavingNeedsWholeTurns) {
  // Six micro-batches over four stages: the second turn would have two of four.
  try {
    (void)training_order({4, 6, 2});
    FAIL() << "an order that does not exist";
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), "training.interleave");
    EXPECT_NE(e.hint().find("multiple of 4"), std::string::npos);
  }
}

TEST(PipelineOrder, InferenceTakesEveryMicroBatchThroughEveryPiece) {
  // No backwards: 3 micro-batches, 2 stages, each piece after the one before.
  const std::vector<PipelineTask> order = inference_order({2, 3, 1});
  ASSERT_EQ(order.size(), 6U);
  std::vector<std::int64_t> first_stage;
  for (const PipelineTask& t : order) {
    EXPECT_EQ(t.pass, Pass::forward);
    if (t.piece == 0) first_stage.push_back(t.micro_batch);
  }
  EXPECT_EQ(first_stage, (std::vector<std::int64_t>{0, 1, 2}));
}

}  // namespace
}  // namespace ringsim::sim
