#pragma once
// What `predict` asks of the flow engine, wherever it runs, and what it gets back. The program runs it in a worker process.

#include "sim/hop_use.hpp"
#include "sim/prediction.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/timeline.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace ringsim::sim {

struct FlowRequest {
  const Scenario* scenario = nullptr;
  std::uint64_t seed = 0;
  std::int64_t replica = 0;
  std::vector<TimelineWindow> windows;  // of the ring that ends last
};

/// One ring of the job.
struct FlowRingOutcome {
  RunResult result;
  std::vector<RankSummary> per_rank;
  HopUsage hops;
};

struct FlowOutcome {
  std::vector<FlowRingOutcome> rings;  // as JobNetwork::rings
  std::int64_t messages = 0;
  std::vector<Timeline> timelines;  // a window
};

using FlowRunner = std::function<FlowOutcome(const FlowRequest&)>;

}  // namespace ringsim::sim
