// Rings on emulated GPUs: streams, events, buffers and kernels are the executor's own, and only the GPU is not there.

#include "sim/schedules/ring.hpp"

#include "kernels/cuda/executor/in_sequence.hpp"
#include "kernels/cuda/executor/inputs.hpp"
#include "kernels/cuda/executor/measure.hpp"
#include "kernels/cuda/executor/peer_port.hpp"
#include "kernels/cuda/executor/player.hpp"
#include "kernels/cuda/executor/results.hpp"
#include "kernels/host/check.hpp"
#include "tests/emulated/runtime.hpp"
#include "tests/emulated/small_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::cuda {
namespace {

class Rings : public testing::Test {
 protected:
  void SetUp() override { emulated::reset(); }
  void TearDown() override {
    EXPECT_EQ(emulated::broken_guards(), "");
    EXPECT_TRUE(emulated::alive().none());
  }
};

TEST_F(Rings, InSequenceEveryLayoutComputesAttentionAndItsGradients) {
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    for (const std::int64_t ring : {1, 2, 3, 4}) {
      for (const bool trains : {false, true}) {
        for (const bool causal : {true, false}) {
          // Uneven blocks where the layout allows them.
          const std::int64_t tokens = layout == Layout::zigzag ? 8 * ring : 8 * ring + (ring > 1 ? 1 : 0);
          const SmallRing c{layout, ring, tokens, trains, causal};
          const sim::Program program = program_of(c);
          const host::RingPlan plan(program, scale_of(program));
          const auto kernels = reference_kernels();
          const auto errors = check_in_sequence(plan, *kernels, nullptr, {7, {}});
          EXPECT_EQ(errors.size(), trains ? 5U : 2U);
          EXPECT_LT(worst(errors), rounding) << text_of(c);
        }
      }
    }
  }
}

// Two layers, three buffers, gradients that travel in bf16.
TEST_F(Rings, InSequenceLayersBuffersAndNarrowGradients) {
  for (const std::int64_t buffers : {2, 3}) {
    for (const GradientDtype gradient : {GradientDtype::bf16, GradientDtype::fp32}) {
      const SmallRing c{Layout::zigzag, 4, 32, true, true, buffers, gradient, 2};
      const sim::Program program = program_of(c);
      const host::RingPlan plan(program, scale_of(program));
      const auto kernels = reference_kernels();
      EXPECT_LT(worst(check_in_sequence(plan, *kernels, nullptr, {3, {}})), rounding) << text_of(c);
    }
  }
}

// A ring of as many emulated GPUs as it has ranks: all streams, all events, hops by copies from GPU to GPU.
std::map<std::string, double> run_ring(const sim::Program& program, PlayerOptions options = {}) {
  const host::RingPlan plan(program, scale_of(program));
  const host::IssueList list = host::issue_list(program);
  std::vector<std::unique_ptr<AttentionKernels>> kernels;
  std::vector<std::unique_ptr<DeviceRank>> ranks;
  std::vector<Player::Place> places;
  std::vector<int> devices;
  for (int r = 0; r < static_cast<int>(program.ring()); ++r) {
    check(cudaSetDevice(r), "cudaSetDevice");
    kernels.push_back(reference_kernels());
    ranks.push_back(std::make_unique<DeviceRank>(plan, list, r, *kernels.back()));
    const Stream stream;
    upload_inputs(plan, 11, *ranks.back(), stream.get());
    ranks.back()->poison(stream.get());
    stream.synchronize();
    places.push_back({ranks.back().get(), r});
    devices.push_back(r);
  }
  PeerPort port(devices);
  Player player(list, places, port, options);
  player.run();
  return host::deviations(plan, 11, rounded_to_bf16, [&](std::int64_t layer) {
    host::ResultsOfRanks results;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      check(cudaSetDevice(static_cast<int>(r)), "cudaSetDevice");
      results.push_back(results_of(*ranks[r], layer));
    }
    return results;
  });
}

void give_devices(const sim::Program& program, emulated::Order order, std::uint64_t seed) {
  emulated::Settings settings;
  settings.devices = static_cast<int>(program.ring());
  settings.order = order;
  settings.seed = seed;
  emulated::reset(settings);
}

constexpr emulated::Order orders[] = {emulated::Order::issue, emulated::Order::random,
                                      emulated::Order::high_priority_first, emulated::Order::low_priority_first};

// Whatever the order in which streams proceed, events make the result the same.
TEST_F(Rings, OnSeveralGpusTheResultIsRightInEveryOrderOfTheStreams) {
  for (const std::int64_t buffers : {2, 3}) {
    for (const bool trains : {false, true}) {
      const SmallRing c{Layout::zigzag, 3, 24, trains, true, buffers, GradientDtype::fp32, 2};
      const sim::Program program = program_of(c);
      for (const emulated::Order order : orders) {
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
          if (order != emulated::Order::random && seed > 1) continue;
          give_devices(program, order, seed);
          EXPECT_LT(worst(run_ring(program)), rounding) << text_of(c) << " order " << static_cast<int>(order);
        }
      }
    }
  }
}

// The measured run of several GPUs: every repeat has the times of every rank, and the results are those of plain attention.
TEST_F(Rings, RunTogetherTheyAreMeasuredAndChecked) {
  const sim::Program program = program_of({Layout::striped, 3, 25, true});
  give_devices(program, emulated::Order::random, 4);
  LocalRanks ranks;
  std::vector<std::unique_ptr<AttentionKernels>> kernels;
  for (int device = 0; device < 3; ++device) {
    check(cudaSetDevice(device), "cudaSetDevice");
    ranks.devices.push_back(device);
    ranks.kernels.push_back(kernels.emplace_back(reference_kernels()).get());
  }
  PeerPort port(ranks.devices);
  Alone alone;
  MeasureOptions options;
  options.repeats = 3;
  options.warmup = 1;
  options.check = true;
  options.seed = 11;
  const MeasureResult result = run_together(program, ranks, port, alone, options);
  EXPECT_EQ(result.error.size(), 5U);  // O, LSE, dQ, dK, dV
  EXPECT_LT(worst(result.error), rounding);
  ASSERT_EQ(result.recordings.size(), 3U);
  EXPECT_EQ(result.untimed_s.size(), 3U);
  const std::size_t operations = host::issue_list(program).instructions.size();
  for (const host::Recording& recording : result.recordings) {
    ASSERT_EQ(recording.size(), 3U);
    for (const auto& times : recording) EXPECT_EQ(times.size(), operations);
  }
}

void remove_waits(std::vector<sim::Operation>& body, sim::StreamId stream) {
  std::erase_if(body, [&](const sim::Operation& operation) {
    const auto* wait = std::get_if<sim::Wait>(&operation.what);
    return wait != nullptr && wait->stream == stream;
  });
  for (sim::Operation& operation : body) {
    if (auto* repeat = std::get_if<sim::Repeat>(&operation.what)) remove_waits(repeat->body, stream);
  }
}

// The opposite: without the waits of one stream the result is wrong in at least one of the orders. So the test above would notice an
// executor that forgets them. Compute must wait for what arrives, and transfers for the buffer that they overwrite.
TEST_F(Rings, AMissingWaitIsAWrongResultInSomeOrder) {
  for (const sim::StreamId stream : {sim::ring_program::compute, sim::ring_program::transfer}) {
    sim::Program program = program_of({Layout::contiguous, 4, 32, false, false, 2});
    remove_waits(program.body, stream);
    double largest = 0;
    for (const emulated::Order order : orders) {
      give_devices(program, order, 5);
      largest = std::max(largest, worst(run_ring(program)));
    }
    EXPECT_GT(largest, 10 * rounding) << "stream " << stream;
  }
}

// Played alone, a rank's times are on one clock, in the order of its streams, and a graph plays the same operations as single calls.
TEST_F(Rings, TimesOfARankAreOrderedOnItsStreams) {
  const sim::Program program = program_of({Layout::zigzag, 4, 32, true});
  const host::RingPlan plan(program, scale_of(program));
  const host::IssueList list = host::issue_list(program);
  for (const bool graph : {false, true}) {
    const auto kernels = reference_kernels();
    DeviceRank rank(plan, list, 1, *kernels);
    const Stream stream;
    random_inputs(plan, 1, rank, stream.get());
    PacedPort port({CopyEngine::sm_kernel, 1e9});
    Player player(list, {{&rank, 0}}, port, {graph});
    player.run();
    const auto times = player.run_timed();
    ASSERT_EQ(times.size(), 1U);
    ASSERT_EQ(times[0].size(), list.instructions.size());
    double last_s = 0;
    for (const std::vector<std::size_t>& queue : list.stream) {
      double at_s = 0;
      for (const std::size_t index : queue) {
        EXPECT_EQ(times[0][index].begin_s, at_s);
        EXPECT_GE(times[0][index].end_s, at_s);
        at_s = times[0][index].end_s;
      }
      last_s = std::max(last_s, at_s);
    }
    // The end of the run is that of its last operation, or of the few calls of a microsecond each in which the host enqueues the end when it is behind;
    // and events are floats (milliseconds).
    EXPECT_GE(player.ends_s().front(), last_s * (1 - 1e-6)) << "graph " << graph;
    EXPECT_LE(player.ends_s().front(), last_s + 5e-6) << "graph " << graph;
  }
}

}  // namespace
}  // namespace ringsim::cuda
