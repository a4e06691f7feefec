// No buffer is overwritten while it is in use, and nothing is computed with or sent before it has arrived, whatever the
// costs.
#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Recorder;
using rings::Ring;

Ring random_ring(std::mt19937& random, std::int64_t buffers, bool contest) {
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  Ring ring{.ranks = std::uniform_int_distribution<std::int64_t>(2, 7)(random), .buffers = buffers, .layers = 2};
  ring.tokens = ring.ranks * 3 + std::uniform_int_distribution<std::int64_t>(0, 5)(random);
  ring.layout = uniform(0, 1) < 0.5 ? Layout::contiguous : Layout::striped;
  ring.causal = uniform(0, 1) < 0.5;
  ring.token_s = uniform(0.1, 6);
  ring.merge_bytes_per_s = uniform(0, 1) < 0.5 ? 20 : 0;
  ring.contest = contest;
  ring.event_latency_s = contest ? uniform(0, 2) : 0;
  for (std::int64_t r = 0; r < ring.ranks; ++r) {
    ring.hop_factor.push_back(uniform(0.3, 3));
    ring.slowdown.push_back(uniform(0.3, 3));
    ring.start_s.push_back(uniform(0, 10));
  }
  return ring;
}

class Buffers : public testing::TestWithParam<std::tuple<std::int64_t, bool>> {};

// The forward receive of step k writes slot (k + 1) mod b. Until then the slot holds the block of step k + 1 - b, which
// a kernel reads and a hop of that step sends.
TEST_P(Buffers, ForwardReceivesWaitForTheKernelAndTheHopThatUseTheSlot) {
  const auto [buffers, contest] = GetParam();
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const Ring ring = random_ring(random, buffers, contest);
    Recorder log;
    run(ring, Passes::forward, &log);
    for (std::int64_t layer = 0; layer < ring.layers; ++layer) {
      for (std::int64_t step = 0; step + 1 < ring.ranks; ++step) {
        const auto& receive = log.transfer(Pass::forward, layer, step);
        const std::int64_t user = step + 1 - buffers;
        for (std::size_t r = 0; r < receive.posted.size(); ++r) {
          if (user >= 0) {
            ASSERT_GE(receive.posted[r], log.attention(Pass::forward, layer, user).end[r]);
            ASSERT_GE(receive.posted[r], log.transfer(Pass::forward, layer, user).done[r]);
          } else if (layer > 0) {
            // The buffers belonged to the layer before, and this layer's K/V did not exist.
            ASSERT_GE(receive.posted[r], log.attention(Pass::forward, layer - 1, ring.ranks - 1).end[r]);
          }
          // The kernel of the next step reads what this one brings.
          ASSERT_GE(log.attention(Pass::forward, layer, step + 1).start[r], receive.done[r]);
        }
      }
    }
  }
}

// The backward transfer of step k also carries the gradient that step k - 1 completed, and the next addition needs its
// arrival.
TEST_P(Buffers, BackwardGradientsTravelOnlyWhenComplete) {
  const auto [buffers, contest] = GetParam();
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    Ring ring = random_ring(random, buffers, contest);
    ring.merge_bytes_per_s = 20;
    ring.backward_travels = i % 2 == 0 ? Rotation::kv : Rotation::q;
    const Accumulator travelling = i % 2 == 0 ? Accumulator::kv_gradient : Accumulator::q_gradient;
    Recorder log;
    run(ring, Passes::backward, &log);
    for (std::int64_t step = 1; step <= ring.ranks; ++step) {
      const auto& transfer = log.transfer(Pass::backward, 0, step);
      for (std::size_t r = 0; r < transfer.posted.size(); ++r) {
        ASSERT_GE(transfer.posted[r], log.attention(Pass::backward, 0, step - 1).end[r]);
        ASSERT_GE(transfer.posted[r], log.transfer(Pass::backward, 0, step - 1).done[r]);
      }
    }
    std::int64_t additions = 0;
    for (const Recorder::Compute& add : log.computes) {
      if (add.attention || add.accumulator != travelling || add.layer != 0) continue;
      ++additions;
      for (std::size_t r = 0; r < add.start.size(); ++r) {
        ASSERT_GE(add.start[r], log.transfer(Pass::backward, 0, add.step).done[r]) << "added before it arrived";
        ASSERT_LE(add.end[r], log.transfer(Pass::backward, 0, add.step + 1).posted[r]) << "sent before it was added";
      }
    }
    ASSERT_EQ(additions, ring.ranks - 1);
  }
}

// Both ends of a hop have posted it before it starts; a rank's operation ends with the later of its two hops.
TEST_P(Buffers, HopsStartWhenBothEndsHavePosted) {
  const auto [buffers, contest] = GetParam();
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    const Ring ring = random_ring(random, buffers, contest);
    Recorder log;
    run(ring, Passes::both, &log);
    for (const Recorder::Transfer& t : log.transfers) {
      const std::size_t n = t.posted.size();
      for (std::size_t r = 0; r < n; ++r) {
        ASSERT_EQ(t.hop_start[r], std::max(t.posted[r], t.posted[(r + 1) % n]));
        ASSERT_GT(t.hop_end[r], t.hop_start[r]);
        ASSERT_EQ(t.done[r], std::max(t.hop_end[r], t.hop_end[(r + n - 1) % n]));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(TwoOrThree, Buffers, testing::Combine(testing::Values(2, 3), testing::Bool()));

}  // namespace
}  // namespace ringsim::sim
