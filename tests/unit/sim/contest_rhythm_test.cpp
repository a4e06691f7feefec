// The rhythm of a contest for SMs between identical ranks: compute-bound steps alternate between sum and maximum,
// transfer-bound ones take the maximum; a copy engine takes part in no contest.
#include "tests/unit/models/shapes.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Recorder;
using rings::Ring;

constexpr double event = 0.25;

// Starts of the kernels of rank 0, differences from step to step.
std::vector<double> increments(double kernel, double hop) {
  Ring ring{.ranks = 12, .tokens = 12, .pair_s = kernel, .token_s = hop};
  ring.contest = true;
  ring.event_latency_s = event;
  Recorder log;
  run(ring, Passes::forward, &log);
  std::vector<double> d;
  for (std::int64_t k = 0; k + 1 < ring.ranks; ++k) {
    d.push_back(log.attention(Pass::forward, 0, k + 1).start[0] - log.attention(Pass::forward, 0, k).start[0]);
  }
  return d;
}

TEST(ContestRhythm, OfAComputeBoundRingHasPeriodTwo) {
  // Kernels of 5, hops of 3. Step 0: the kernel takes the SMs at 0, the transfer is ready at 0.25, flies 5-8, and the
  // next kernel starts at 8.25: the sum and the event. Step 1: the transfer follows its own predecessor, is ready at 8
  // and runs beside the kernel, which ends at 13.25: the maximum. There the next kernel is ready at once, the transfer
  // 0.25 later: the sum again.
  const std::vector<double> d = increments(5, 3);
  for (std::size_t k = 0; k < d.size(); ++k) EXPECT_NEAR(d[k], k % 2 == 0 ? 8.25 : 5.0, 1e-12) << k;
}

TEST(ContestRhythm, OfATransferBoundRingHasPeriodOneAfterItsFirstStep) {
  // Kernels of 5, hops of 8. Step 0 takes the sum, 13.25. Then each transfer follows the one before, ready before the
  // kernel that waits for the event: the maximum.
  const std::vector<double> d = increments(5, 8);
  EXPECT_NEAR(d[0], 13.25, 1e-12);
  for (std::size_t k = 1; k < d.size(); ++k) EXPECT_NEAR(d[k], 8.0, 1e-12) << k;
}

TEST(ContestRhythm, EventsWithoutLatencyLetTheTransferWin) {
  // Both are ready at once: the transfer runs beside the kernel, as if there was no contest.
  Ring ring{.pair_s = 5, .token_s = 3, .contest = true};
  EXPECT_DOUBLE_EQ(run(ring).makespan_s, 20.0);
  ring.token_s = 8;
  EXPECT_DOUBLE_EQ(run(ring).makespan_s, 29.0);
}

TEST(ContestRhythm, ThirdBufferLetsTheTransferBeReadyFirst) {
  // The receive of step k waits for step k - 2 alone, so from step 2 on it is ready long before kernel k starts. Only
  // the first one, ready with its layer's first kernel, is late: 5 + 3 + 0.25, then kernels back to back: 8.25 + 3 · 5.
  Ring ring{.buffers = 3, .pair_s = 5, .token_s = 3};
  ring.contest = true;
  ring.event_latency_s = event;
  EXPECT_NEAR(run(ring).makespan_s, 23.25, 1e-12);
}

TEST(Contest, NeedsAProfileThatHasItAndTransfersByKernel) {
  Scenario s = shapes::scenario(shapes::llama2_7b(), 8192, 8, Layout::zigzag);
  EXPECT_FALSE(machine_of(s).contest) << "the data sheet has none";
  s.profile.contest_for_multiprocessors = true;
  s.profile.event_latency.value = microseconds(5);
  EXPECT_TRUE(machine_of(s).contest);
  EXPECT_EQ(machine_of(s).event_latency, microseconds(5));
  s.ring.transfer = TransferEngine::copy_engine;
  EXPECT_FALSE(machine_of(s).contest);
}

}  // namespace
}  // namespace ringsim::sim
